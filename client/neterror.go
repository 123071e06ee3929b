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

	"github.com/mcpcheck/mcpcheck/wire"
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
func netError(err, cause error, phase string) (*wire.NetError, wire.EndedBy) {
	switch {
	case errors.Is(cause, errHeadTimeout), errors.Is(cause, errBodyTimeout):
		return &wire.NetError{Kind: wire.ErrTimeout, Message: cause.Error(), Phase: phase}, wire.ByTimeout
	case errors.Is(cause, errLinger), errors.Is(cause, errClosed), errors.Is(cause, errMadeWay):
		return nil, wire.ByClient
	case errors.Is(cause, errLimit):
		return &wire.NetError{Kind: wire.ErrLimit, Message: wire.Text(cause.Error()), Phase: phase}, wire.ByLimit
	case cause != nil:
		return &wire.NetError{Kind: wire.ErrCancelled, Message: abandoned(cause), Phase: phase}, wire.ByClient
	}
	if p, ok := errors.AsType[*phaseError](err); ok {
		phase = p.phase
	}
	kind, by := classify(err), wire.ByError
	switch kind {
	case wire.ErrLimit:
		by = wire.ByLimit
	case wire.ErrTimeout:
		by = wire.ByTimeout
	}
	if kind == wire.ErrTLS && phase == "head" {
		phase = "tls"
	}
	failed := &wire.NetError{Kind: kind, Message: wire.Text(err.Error()), Phase: phase}
	if kind == wire.ErrTLS {
		failed.Reason = tlsReason(err)
	}
	return failed, by
}

// abandoned says why everything was ended.
func abandoned(cause error) string {
	if trouble, ok := errors.AsType[*Trouble](cause); ok {
		return trouble.Error()
	}
	return errAbandoned.Error()
}

// isRefused tells that nothing listens.
func isRefused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }

// tlsReason tells why a handshake failed; empty where it cannot be told.
func tlsReason(err error) string {
	if invalid, ok := errors.AsType[x509.CertificateInvalidError](err); ok {
		switch cert := invalid.Cert; {
		case invalid.Reason != x509.Expired:
			return ""
		case cert != nil && time.Now().Before(cert.NotBefore):
			return wire.TLSNotYetValid
		}
		return wire.TLSExpired
	}
	message := err.Error()
	switch {
	case isError[x509.UnknownAuthorityError](err):
		return wire.TLSUntrusted
	case isError[x509.HostnameError](err):
		return wire.TLSWrongName
	case isError[tls.RecordHeaderError](err), strings.Contains(message, "server gave HTTP response to HTTPS client"):
		return wire.TLSNone
	case strings.Contains(message, "tls: certificate required"), strings.Contains(message, "remote error: tls: bad certificate"):
		// We show none, so none of ours can be bad.
		return wire.TLSWantsClient
	}
	return ""
}

// isError tells whether a T is in err's tree.
func isError[T error](err error) bool {
	_, ok := errors.AsType[T](err)
	return ok
}

func classify(err error) wire.ErrorKind {
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
		return wire.ErrDNS
	case errors.Is(err, syscall.ECONNREFUSED):
		return wire.ErrRefused
	case isError[tls.RecordHeaderError](err), isError[*tls.CertificateVerificationError](err), isError[tls.AlertError](err),
		isError[x509.UnknownAuthorityError](err), isError[x509.HostnameError](err), isError[x509.CertificateInvalidError](err),
		has("tls: ", "server gave HTTP response to HTTPS client"):
		return wire.ErrTLS
	case has("server response headers exceeded", "too many 1xx"):
		return wire.ErrLimit
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe), has("broken pipe", "connection reset"):
		return wire.ErrReset
	case has("malformed", "bad Content-Length", "invalid byte in chunk", "http chunk", "chunked", "unsupported transfer encoding",
		"too many transfer encodings", "invalid empty Content-Length", "multiple Content-Length", "invalid Content-Length",
		"http: message cannot contain multiple", "PROTOCOL_ERROR", "header line", "trailer header", "invalid header"):
		return wire.ErrProtocol
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed), has("server closed idle connection", "EOF"):
		return wire.ErrClosed
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded), errors.As(err, &netErr) && netErr.Timeout():
		return wire.ErrTimeout
	case errors.Is(err, context.Canceled):
		return wire.ErrCancelled
	case has("stream error", "INTERNAL_ERROR"):
		return wire.ErrReset
	}
	return wire.ErrOther
}
