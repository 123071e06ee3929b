package refclient

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// A link is the stream of HTTP+SSE, the transport of 2024-11-05, and who waits for what comes on it.
type link struct {
	endpoint string

	mu      sync.Mutex
	waiting map[string]chan incoming
}

// pointsToOld tells that initialize was refused as a server of the old transport does.
func pointsToOld(err error) bool {
	if err == nil {
		return false
	}
	for _, status := range []string{"HTTP 400 and", "HTTP 404 and", "HTTP 405 and"} {
		if strings.Contains(err.Error(), status) {
			return true
		}
	}
	return false
}

// openLink opens the stream and waits until it says where to post to.
func (c *Client) openLink(ctx context.Context) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URL, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "text/event-stream")
	response, err := c.do(r)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		_ = response.Body.Close()
		return fmt.Errorf("HTTP %d for a stream", response.StatusCode)
	}
	l := &link{waiting: map[string]chan incoming{}}
	told := make(chan string, 1)
	c.streams.Go(func() { l.read(ctx, c, response, told) })
	if c.on("posts-early") {
		c.link = &link{endpoint: strings.TrimSuffix(c.URL, "/mcp") + "/messages", waiting: map[string]chan incoming{}}
		if response, err := c.post(ctx, "initialize", "", []byte(`{"jsonrpc":"2.0","id":0,"method":"ping"}`)); err == nil {
			_ = response.Body.Close()
		}
		c.link = nil
	}
	select {
	case endpoint := <-told:
		base, err := url.Parse(c.URL)
		if err != nil {
			return err
		}
		to, err := base.Parse(strings.TrimSpace(endpoint))
		if err != nil {
			return err
		}
		if c.on("no-absolute-endpoint") && strings.HasPrefix(endpoint, "http") {
			return errors.New("an endpoint that the client does not understand")
		}
		if (to.Scheme != base.Scheme || to.Host != base.Host) && !c.on("posts-anywhere") {
			return errors.New("an endpoint of another origin")
		}
		if c.on("loses-query") {
			to.RawQuery = ""
		}
		l.endpoint = to.String()
		c.link = l
		return nil
	case <-time.After(patience):
		return errors.New("no endpoint event came")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// read reads the stream to its end.
func (l *link) read(ctx context.Context, c *Client, response *http.Response, told chan<- string) {
	defer response.Body.Close()
	lines := bufio.NewReader(response.Body)
	event, data := "", ""
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			event = value
		case "data":
			data = value
		}
		if line != "" {
			continue
		}
		if event == "endpoint" {
			told <- data
		} else {
			for _, m := range c.messagesIn(data) {
				l.take(ctx, c, m)
			}
		}
		event, data = "", ""
	}
}

func (l *link) take(ctx context.Context, c *Client, m incoming) {
	l.mu.Lock()
	answer, waited := l.waiting[string(m.ID)]
	delete(l.waiting, string(m.ID))
	l.mu.Unlock()
	if waited && m.Method == "" {
		answer <- m
		return
	}
	c.take(ctx, m)
}

// overLink posts a request and waits for what the stream brings.
func (c *Client) overLink(ctx context.Context, method string, body, id []byte, into any) error {
	answer := make(chan incoming, 1)
	c.link.mu.Lock()
	c.link.waiting[string(id)] = answer
	c.link.mu.Unlock()
	response, err := c.post(ctx, method, "", body)
	if err != nil {
		return err
	}
	_ = response.Body.Close()
	if response.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s: HTTP %d", method, response.StatusCode)
	}
	select {
	case m := <-answer:
		switch {
		case m.Error != nil:
			return fmt.Errorf("%s: %w", method, m.Error)
		case into == nil:
			return nil
		}
		return json.Unmarshal(m.Result, into)
	case <-ctx.Done():
		return ctx.Err()
	}
}
