package refclient

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

var (
	errEnded   = errors.New("the stream ended")
	errBroken  = errors.New("the stream ended before the response")
	errTripped = errors.New("the stream has what the client does not understand")
)

// defaultRetry is how long the client waits where nobody says how long.
const defaultRetry = time.Second

// A place is how far a stream was read, and how long to wait before it is read on.
type place struct {
	id    string
	retry time.Duration
}

// stream reads events until the response with an id comes; nil: until the stream ends.
func (c *Client) stream(ctx context.Context, body io.Reader, id []byte, at *place) (incoming, error) {
	lines := bufio.NewReader(body)
	var data []string
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return incoming{}, errEnded
		}
		if strings.HasSuffix(line, "\r\n") && c.on("trips-over-crlf") || strings.HasPrefix(line, ":") && c.on("trips-over-comments") ||
			len(line) > 1<<16 && c.on("trips-over-long-lines") {
			return incoming{}, errTripped
		}
		line = strings.TrimRight(line, "\r\n")
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "data":
			data = append(data, value)
			if value == "" && c.on("trips-over-empty-data") {
				return incoming{}, errTripped
			}
		case "id":
			at.id = value
		case "retry":
			if ms, err := strconv.Atoi(value); err == nil {
				at.retry = time.Duration(ms) * time.Millisecond
			}
		}
		if line != "" {
			continue
		}
		messages := c.messagesIn(strings.Join(data, "\n"))
		data = nil
		for _, m := range messages {
			if m.Method == "" && id != nil && bytes.Equal(bytes.TrimSpace(m.ID), id) {
				return m, nil
			}
			c.take(ctx, m)
			if c.tripped.Load() {
				return incoming{}, errTripped
			}
		}
	}
}

// follow reads the stream that answers a request, and comes back for the rest where it ends early and can be resumed.
func (c *Client) follow(ctx context.Context, body io.Reader, id []byte) (incoming, error) {
	at := place{retry: defaultRetry}
	for {
		found, err := c.stream(ctx, body, id, &at)
		switch {
		case !errors.Is(err, errEnded):
			return found, err
		case at.id == "" || c.modern:
			return incoming{}, errBroken
		case c.on("never-resumes"):
			<-ctx.Done()
			return incoming{}, errBroken
		}
		response, err := c.resume(ctx, at)
		if err != nil {
			return incoming{}, err
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return incoming{}, errBroken
		}
		body = response.Body
	}
}

// resume opens the rest of a stream once it is time.
func (c *Client) resume(ctx context.Context, at place) (*http.Response, error) {
	if !c.on("resumes-at-once") {
		select {
		case <-time.After(at.retry):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URL, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "text/event-stream")
	if at.id != "" {
		r.Header.Set("Last-Event-ID", at.id)
	}
	if c.on("resumes-elsewhere") && at.id != "" {
		r.Header.Set("Last-Event-ID", "made-up")
	}
	c.address(r, "", "")
	c.spoilHeader(r, "")
	return c.do(r)
}

// mostStreams is how often the client opens the stream on which the server speaks of its own accord.
const mostStreams = 20

// listen opens that stream and reads it until the client is done; where the server ends it, it is opened again.
func (c *Client) listen(ctx context.Context) error {
	if c.link != nil {
		return nil // it has a stream already
	}
	head := make(chan int, 1)
	c.streams.Go(func() {
		at, refused := place{retry: defaultRetry}, false
		for n := range mostStreams {
			response, err := c.opened(ctx, refused || n == 0, at)
			if n == 0 {
				status := 0
				if err == nil {
					status = response.StatusCode
				}
				head <- status
			}
			if err != nil {
				return // the client is done, or the server is gone
			}
			if response.StatusCode == http.StatusOK {
				_, _ = c.stream(ctx, response.Body, nil, &at) // it ends with the client
			}
			_ = response.Body.Close()
			refused = response.StatusCode != http.StatusOK
			if response.StatusCode == http.StatusServiceUnavailable && c.on("ends-at-503") {
				c.giveUp()
			}
			if refused && (!c.on("asks-again-after-405") || n > 6) {
				return // there is no such stream
			}
		}
	})
	select {
	case status := <-head:
		if status == http.StatusMethodNotAllowed && c.on("ends-at-405") {
			return errors.New("no stream to listen to")
		}
	case <-time.After(patience):
	case <-ctx.Done():
	}
	return nil
}

// opened is the stream as it is opened at once, or once it is time.
func (c *Client) opened(ctx context.Context, atOnce bool, at place) (*http.Response, error) {
	if !atOnce {
		return c.resume(ctx, at)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URL, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "text/event-stream")
	c.address(r, "", "")
	c.spoilHeader(r, "")
	return c.do(r)
}
