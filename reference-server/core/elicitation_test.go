package core

import (
	"encoding/json"
	"testing"

	"github.com/mcpcheck/mcpcheck/reference-server/revision"
)

func TestMisfit(t *testing.T) {
	form := (&Request{Caller: Caller{Revision: revision.V20251125}}).orderForm()
	const plain = `"name":"Ann","cups":2,"drink":"tea"`
	for content, fits := range map[string]bool{
		`{` + plain + `}`: true,
		`{` + plain + `,"sugar":true,"email":"a@b.example","degree":0.5,"extras":["milk"],"size":"l","other":{}}`: true,
		`{}`:                                       false,
		`{"name":"Ann","cups":2,"drink":"wine"}`:   false,
		`{"name":"","cups":2,"drink":"tea"}`:       false,
		`{"name":5,"cups":2,"drink":"tea"}`:        false,
		`{"name":"Ann","cups":13,"drink":"tea"}`:   false,
		`{"name":"Ann","cups":1.5,"drink":"tea"}`:  false,
		`{"name":"Ann","cups":null,"drink":"tea"}`: false,
		`{"name":"Ann","cups":"2","drink":"tea"}`:  false,
		`{` + plain + `,"sugar":"yes"}`:            false,
		`{` + plain + `,"extras":["salt"]}`:        false,
		`{` + plain + `,"extras":"milk"}`:          false,
		`{` + plain + `,"size":"xl"}`:              false,
	} {
		var members map[string]json.RawMessage
		if err := json.Unmarshal([]byte(content), &members); err != nil {
			t.Fatal(err)
		}
		if wrong := misfit(form, members); (wrong == "") != fits {
			t.Errorf("%s: %q", content, wrong)
		}
	}
}
