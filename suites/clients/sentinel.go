package clients

import (
	"encoding/base64"
	"strings"
)

// plain tells that a header can carry a value as it is: visible ASCII, inner spaces, and no look of the Base64 form.
func plain(name string) bool {
	for _, b := range []byte(name) {
		if b < 0x20 || b > 0x7e {
			return false
		}
	}
	return name == strings.TrimSpace(name) && !strings.HasPrefix(name, sentinelBegin)
}

const sentinelBegin, sentinelEnd = "=?base64?", "?="

// decodeSentinel returns the value that a header stands for, and whether it is in the Base64 form.
func decodeSentinel(header string) (value string, encoded bool) {
	inner, found := strings.CutPrefix(header, sentinelBegin)
	inner, ended := strings.CutSuffix(inner, sentinelEnd)
	if !found || !ended {
		return header, false
	}
	raw, err := base64.StdEncoding.DecodeString(inner)
	if err != nil {
		return header, true
	}
	return string(raw), true
}
