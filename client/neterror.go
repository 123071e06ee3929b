package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"time"
)

// Why the recorder itself ended an exchange: the cause of its cancelled context.
var (
	errHeadTimeout = errors.New("no response head before the deadline")
	errBodyTimeout = errors.New("the answer was not complete before the deadline")
	errLinger      = errors.New("the answer has arrived")
	errClosed      = errors.New("closed by the script")
	errAbandoned   = errors.New("the run was interrupted")
	errLimit       = errors.New("beyond the recorder's limits")
)

// A phaseError tells in which phase of connecting an error occurred.
type phaseError struct {
	phase string
	err   error
}

func (e *phaseError) Error() string { return e.err.Error() }
func (e *phaseError) Unwrap() error { return e.err }

// netError classifies the error that ended an exchange, and says who ended it. cause is the cause of the exchange's context, nil
// while that is alive.
func netError(err, cause error, phase string) (*NetError, EndedBy) {
	switch {
	case errors.Is(cause, errHeadTimeout), errors.Is(cause, errBodyTimeout):
		return &NetError{Kind: ErrTimeout, Message: cause.Error(), Phase: phase}, ByTimeout
	case errors.Is(cause, errLinger), errors.Is(cause, errClosed):
		return nil, ByClient
	case errors.Is(cause, errLimit):
		return &NetError{Kind: ErrLimit, Message: text(cause.Error()), Phase: phase}, ByLimit
	case cause != nil:
		return &NetError{Kind: ErrCancelled, Message: errAbandoned.Error(), Phase: phase}, ByClient
	}
	if p, ok := errors.AsType[*phaseError](err); ok {
		phase = p.phase
	}
	kind, by := classify(err), ByError
	switch kind {
	case ErrLimit:
		by = ByLimit
	case ErrTimeout:
		by = ByTimeout
	}
	if kind == ErrTLS && phase == "head" {
		phase = "tls"
	}
	failed := &NetError{Kind: kind, Message: text(err.Error()), Phase: phase}
	if kind == ErrTLS {
		failed.Reason = tlsReason(err)
	}
	return failed, by
}

// tlsReason tells why a handshake failed; empty where it cannot be told.
func tlsReason(err error) string {
	if invalid, ok := errors.AsType[x509.CertificateInvalidError](err); ok {
		switch cert := invalid.Cert; {
		case invalid.Reason != x509.Expired:
			return ""
		case cert != nil && time.Now().Before(cert.NotBefore):
			return TLSNotYetValid
		}
		return TLSExpired
	}
	message := err.Error()
	switch {
	case isError[x509.UnknownAuthorityError](err):
		return TLSUntrusted
	case isError[x509.HostnameError](err):
		return TLSWrongName
	case isError[tls.RecordHeaderError](err), strings.Contains(message, "server gave HTTP response to HTTPS client"):
		return TLSNone
	case strings.Contains(message, "tls: certificate required"), strings.Contains(message, "remote error: tls: bad certificate"):
		// We show none, so none of ours can be bad.
		return TLSWantsClient
	}
	return ""
}

// isError tells whether a T is in err's tree.
func isError[T error](err error) bool {
	_, ok := errors.AsType[T](err)
	return ok
}

func classify(err error) ErrorKind {
	message := err.Error()
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(message, p) {
				return true
			}
		}
		return false
	}
	var netErr net.Error
	switch {
	case isError[*net.DNSError](err):
		return ErrDNS
	case errors.Is(err, syscall.ECONNREFUSED):
		return ErrRefused
	case isError[tls.RecordHeaderError](err), isError[*tls.CertificateVerificationError](err), isError[tls.AlertError](err),
		isError[x509.UnknownAuthorityError](err), isError[x509.HostnameError](err), isError[x509.CertificateInvalidError](err),
		has("tls: ", "server gave HTTP response to HTTPS client"):
		return ErrTLS
	case has("server response headers exceeded", "too many 1xx"):
		return ErrLimit
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe), has("broken pipe", "connection reset"):
		return ErrReset
	case has("malformed", "bad Content-Length", "invalid byte in chunk", "http chunk", "chunked", "unsupported transfer encoding",
		"too many transfer encodings", "invalid empty Content-Length", "multiple Content-Length", "invalid Content-Length",
		"http: message cannot contain multiple", "PROTOCOL_ERROR", "header line", "trailer header", "invalid header"):
		return ErrProtocol
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed), has("server closed idle connection", "EOF"):
		return ErrClosed
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded), errors.As(err, &netErr) && netErr.Timeout():
		return ErrTimeout
	case errors.Is(err, context.Canceled):
		return ErrCancelled
	case has("stream error", "INTERNAL_ERROR"):
		return ErrReset
	}
	return ErrOther
}
