package client

import (
	"time"

	"github.com/mcpcheck/mcpcheck/wire"
)

// maxSilentDeletes is after how many unanswered DELETEs in a row no further one is waited for as long as for other answers.
const maxSilentDeletes = 2

// deleted is told how a DELETE ended, whoever sent it. The lock is held.
func (w *watch) deleted(x *wire.Exchange) {
	switch {
	case x.Response != nil:
		w.deletes = 0
	case x.EndedBy != wire.ByTimeout:
	default:
		// A server that answers nothing at all has another name.
		if w.deletes++; w.deletes >= maxSilentDeletes && w.halted == nil && len(w.silent) == 0 {
			w.note(Trouble{Kind: DeleteHangs})
		}
	}
}

func (c *Client) deletesHang() bool {
	c.watch.mu.Lock()
	defer c.watch.mu.Unlock()
	return c.watch.deletes >= maxSilentDeletes
}

// deleteTimeout is how long a DELETE may take: once some were not answered, a few times what other answers take.
func (c *Client) deleteTimeout(usual time.Duration) time.Duration {
	if !c.deletesHang() {
		return usual
	}
	return min(usual, c.Soon())
}
