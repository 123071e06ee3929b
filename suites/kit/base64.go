package kit

import (
	"encoding/base64"
	"strings"
)

// Base64Form says how binary data was written as text.
type Base64Form int

const (
	// Base64Standard is the alphabet of RFC 4648 section 4 with its padding; an empty string is that as well.
	Base64Standard Base64Form = iota
	// Base64Loose is the standard alphabet without padding, or with line breaks: most decoders read it, strict ones do not.
	Base64Loose
	// Base64URL is the alphabet for URLs (- and _): bytes are lost or refused where a client reads the standard one.
	Base64URL
	// NotBase64 cannot be decoded at all.
	NotBase64
)

// Base64 tells the form of a string that should be base64.
func Base64(s string) Base64Form {
	if decodes(base64.StdEncoding, s) && !strings.ContainsAny(s, "\r\n") {
		return Base64Standard
	}
	flat := strings.NewReplacer("\r", "", "\n", "", "\t", "", " ", "").Replace(s)
	bare := strings.TrimRight(flat, "=")
	switch {
	case len(flat)-len(bare) > 2:
		return NotBase64
	case decodes(base64.RawStdEncoding, bare):
		return Base64Loose
	case decodes(base64.RawURLEncoding, bare):
		return Base64URL
	}
	return NotBase64
}

func decodes(e *base64.Encoding, s string) bool {
	_, err := e.DecodeString(s)
	return err == nil
}

// String is the form as a phrase for "got".
func (f Base64Form) String() string {
	return [...]string{
		"base64", "base64 without its padding or with line breaks", "base64 in the alphabet for URLs (- and _)", "no base64",
	}[f]
}
