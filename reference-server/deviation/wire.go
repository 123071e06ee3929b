package deviation

import (
	"bytes"
	"net"
)

// Listener puts WireEdits into effect: for what net/http hides from a handler, such as the spelling of a header.
func (v *Deviator) Listener(ln net.Listener) net.Listener {
	if v == nil || len(v.Wire) == 0 {
		return ln
	}
	return wireListener{ln, v.Wire}
}

type wireListener struct {
	net.Listener
	edits []WireEdit
}

func (l wireListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return wireConn{c, l.edits}, nil
}

type wireConn struct {
	net.Conn
	edits []WireEdit
}

// Read edits what arrived in one piece; a head that comes in several may be missed.
func (c wireConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	for _, e := range c.edits {
		copy(b[:n], bytes.ReplaceAll(b[:n], []byte(e.Find), []byte(e.Replace)))
	}
	return n, err
}
