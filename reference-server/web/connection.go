package web

import (
	"context"
	"net"
	"sync/atomic"
)

// A Connection is what is known of a connection of a client, for servers that wrongly keep something for one.
type Connection struct {
	// Refused: a request on it was refused.
	Refused atomic.Bool
	// Listed counts the lists that were given on it.
	Listed atomic.Int64
}

type connectionKey struct{}

// WithConnection gives each connection of an http.Server its own Connection.
func WithConnection(ctx context.Context, _ net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, &Connection{})
}

// Connection is that of the exchange. Where the handler was mounted in another server it is one of this exchange alone.
func (x *Exchange) Connection() *Connection {
	if c, ok := x.R.Context().Value(connectionKey{}).(*Connection); ok {
		return c
	}
	return &Connection{}
}
