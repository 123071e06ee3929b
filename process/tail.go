// Package process has what all programs that we start want: a group of their own, so that their children end with them, and the end of what
// they write.
package process

import "sync"

// A Tail keeps the end of what is written to it, up to Most bytes. It may be written to by several goroutines.
type Tail struct {
	Most int

	mu   sync.Mutex
	data []byte
}

func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if over := len(t.data) - t.Most; over > 0 {
		t.data = append([]byte(nil), t.data[over:]...)
	}
	return len(p), nil
}

func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.data)
}
