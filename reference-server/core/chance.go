package core

import (
	"crypto/rand"
	"encoding/hex"
	"time"
)

// RandomID has 128 bits from the system's generator as 32 hex digits.
func RandomID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	return hex.EncodeToString(b[:])
}

// Sleep waits, unless done comes first.
func Sleep(done <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-done:
		return false
	}
}
