package judges

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpcheck/mcpcheck/suites/kit"
	"github.com/mcpcheck/mcpcheck/suites/schema"
	"github.com/mcpcheck/mcpcheck/wire"
)

// FormMembers judges message and requestedSchema of an elicitation by form, and tells whether there is a schema to go on with.
func FormMembers(t *kit.T, q Question) bool {
	switch {
	case !q.has("message", "string"):
		t.BreachAt(q.Seen, "message, a string", "message "+q.param("message"))
	case !q.has("requestedSchema", "object"):
		t.BreachAt(q.Seen, "requestedSchema, an object", "requestedSchema "+q.param("requestedSchema"))
	default:
		return true
	}
	return false
}

// HasForm tells that an elicitation has a schema of a form.
func (q Question) HasForm() bool { return q.has("requestedSchema", "object") }

// FlatForm judges what stands at a pointer in an elicitation by form, above all its schema: a flat object of plain fields.
func FlatForm(t *kit.T, q Question, within, ok string) {
	found, _ := t.Schema().Request(ElicitMethod, q.Asked.Params)
	found = kit.Within(found, within)
	formats := slices.DeleteFunc(slices.Clone(found), func(v schema.Violation) bool { return !isFormat(v) })
	found = slices.DeleteFunc(found, isFormat)
	switch {
	case len(found) > 0:
		expected, got := kit.Wording(found)
		t.BreachAt(q.Seen, expected, got)
	case len(formats) > 0:
		expected, got := kit.Wording(formats)
		t.WarnAt(q.Seen, expected, got)
	default:
		t.OK(q.Exchange, "%s", ok)
	}
}

func isFormat(v schema.Violation) bool { return strings.HasSuffix(v.Path, "/format") }

// FormSecrets judges that no field of some forms asks for a secret. The meaning of a field cannot be known.
func FormSecrets(t *kit.T, forms []Question) {
	const expected = "no field for passwords, keys, tokens or payment data"
	t.Says(expected)
	for _, q := range forms {
		if name, ok := secretField(q); ok {
			t.WarnAt(q.Seen, expected, "a form with the field "+kit.Quote([]byte(name)))
			continue
		}
		t.OK(q.Exchange, "no field of a form looks like a secret")
	}
}

// FormLinks notes URLs in the texts of some forms.
func FormLinks(t *kit.T, forms []Question) {
	t.Says("no URLs in the texts of a form")
	for _, q := range forms {
		if where, text := linkIn(q); where != "" {
			t.NoteAt(q.Seen, "a form holds a URL in %s, %s: if it is meant to be clicked, it belongs into an elicitation by URL", where, kit.Quote([]byte(text)))
			continue
		}
		t.OK(q.Exchange, "no text of a form holds a URL")
	}
}

// PageMembers judges the members of an elicitation by URL, which have to be strings, and the URL itself. userInfo tells that credentials in
// it are warned of.
func PageMembers(t *kit.T, q Question, userInfo bool, members ...string) {
	for _, name := range members {
		if !q.has(name, "string") {
			t.BreachAt(q.Seen, name+", a string", name+" "+q.param(name))
		}
	}
	u, text, isText := q.page()
	switch {
	case !isText:
	case u == nil:
		t.BreachAt(q.Seen, "a valid URL", "url "+kit.Quote([]byte(text)))
	case userInfo && u.User != nil:
		t.WarnAt(q.Seen, "a URL without credentials", "user information in the URL to "+kit.Quote([]byte(u.Host)))
	case u.Scheme == "http" && !kit.IsLoopback(u.Hostname()):
		t.WarnAt(q.Seen, "an https: URL", "url "+kit.Quote([]byte(text)))
	default:
		t.OK(q.Exchange, "an elicitation by URL is complete")
	}
}

// page is the URL of an elicitation; nil where the text is none.
func (q Question) page() (u *url.URL, text string, isText bool) {
	if q.Asked.Decode("/params/url", &text) != nil {
		return nil, "", false
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Host == "" && u.Opaque == "" && u.Path == "" {
		return nil, text, true
	}
	return u, text, true
}

// formFields are the fields of a form by name, in order.
func formFields(q Question) (names []string, fields map[string]json.RawMessage) {
	_ = q.Asked.Decode("/params/requestedSchema/properties", &fields)
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, fields
}

// secrets are words, one after another, that name what a form must not ask for.
var secrets = []string{"password", "passwords", "passwd", "passphrase", "passcode", "secret", "token", "apikey", "api key", "private key", "access key",
	"secret key", "credit card", "creditcard", "card number", "cardnumber", "cvv", "cvc", "iban"}

// secretField finds a field whose name or title sounds like a secret. Only free text can hold one: a number of tokens or a choice of
// token types is none.
func secretField(q Question) (string, bool) {
	names, fields := formFields(q)
	for _, name := range names {
		var f kit.Field
		_ = json.Unmarshal(fields[name], &f)
		if kind := f.Kind(); kind == "boolean" || len(f.Choices()) > 0 || (kind == "number" || kind == "integer") && !namesCard(name) {
			continue
		}
		var title struct {
			Title string `json:"title"`
		}
		_ = json.Unmarshal(fields[name], &title)
		for _, text := range []string{name, title.Title} {
			if soundsSecret(text) {
				return text, true
			}
		}
	}
	return "", false
}

// namesCard tells that a name may ask for payment data, which can be a number.
func namesCard(name string) bool {
	w := words(name)
	return strings.Contains(w, "card") || strings.Contains(w, "cvv") || strings.Contains(w, "cvc")
}

func soundsSecret(text string) bool {
	padded := " " + words(text) + " "
	return slices.ContainsFunc(secrets, func(s string) bool { return strings.Contains(padded, " "+s+" ") })
}

// maxName is how much of a name is looked at.
const maxName = 1000

// words splits a name into its words, in lower case with one space between: api_key, apiKey and "API key" are the same.
func words(name string) string {
	var b strings.Builder
	last := ' '
	for i, r := range name {
		if i > maxName {
			break
		}
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsUpper(r) && unicode.IsLower(last):
			b.WriteRune(' ')
		}
		b.WriteRune(unicode.ToLower(r))
		last = r
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// linkIn finds a URL in the texts that a form shows, and says where.
func linkIn(q Question) (where, text string) {
	has := func(s string) bool { return strings.Contains(s, "http://") || strings.Contains(s, "https://") }
	var message string
	if _ = q.Asked.Decode("/params/message", &message); has(message) {
		return "message", message
	}
	names, fields := formFields(q)
	for _, name := range names {
		var shown struct {
			Title       string `json:"title"`
			Description string `json:"description"`
		}
		_ = json.Unmarshal(fields[name], &shown)
		switch {
		case has(shown.Title):
			return fmt.Sprintf("the title of %s", kit.Quote([]byte(name))), shown.Title
		case has(shown.Description):
			return fmt.Sprintf("the description of %s", kit.Quote([]byte(name))), shown.Description
		}
	}
	return "", ""
}

// HasPage tells that an elicitation has a URL.
func (q Question) HasPage() bool {
	u, _, _ := q.page()
	return u != nil
}

// revealing are the names of query members that give away who the user is, or let somebody act for them.
var revealing = []string{"access_token", "refresh_token", "id_token", "bearer", "password", "passwd", "secret", "client_secret", "api_key", "apikey", "email", "phone", "ssn"}

// Revealing says what in the URL of an elicitation is a credential or personal data; "" where nothing looks like it.
func (q Question) Revealing() string {
	u, text, _ := q.page()
	switch {
	case u == nil:
		return ""
	case u.User != nil:
		return "user information in the URL to " + kit.Quote([]byte(u.Host))
	case strings.Contains(text, wire.Redacted):
		return "a credential of the client in the URL to " + kit.Quote([]byte(u.Host))
	}
	query := u.Query()
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if slices.Contains(revealing, strings.ToLower(name)) && slices.ContainsFunc(query[name], func(v string) bool { return v != "" }) {
			return "the query member " + name + " in the URL to " + kit.Quote([]byte(u.Host))
		}
	}
	return ""
}
