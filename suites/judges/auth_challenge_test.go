package judges

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChallenges(t *testing.T) {
	type parameters = map[string]string
	c := func(scheme string, p parameters) Challenge { return Challenge{Scheme: scheme, Parameters: p} }
	rows := []struct {
		name, value string
		want        []Challenge
	}{
		{"nothing", "", nil},
		{"commas only", " , ,", nil},
		{"bare scheme", "Bearer", []Challenge{c("bearer", parameters{})}},
		{"quoted and token form", `bearer realm="a, b", error=invalid_token`, []Challenge{c("bearer", parameters{"realm": "a, b", "error": "invalid_token"})}},
		{"escapes", `Bearer realm="say \"x\", y"`, []Challenge{c("bearer", parameters{"realm": `say "x", y`})}},
		{"white space around =", `Bearer Realm = "x" , scope="a b"`, []Challenge{c("bearer", parameters{"realm": "x", "scope": "a b"})}},
		{"a URL without quotes", `Bearer resource_metadata=https://h.example/x?y=z`, []Challenge{c("bearer", parameters{"resource_metadata": "https://h.example/x?y=z"})}},
		{"several schemes", `Basic realm="x", Bearer scope="s", Negotiate`, []Challenge{
			c("basic", parameters{"realm": "x"}), c("bearer", parameters{"scope": "s"}), c("negotiate", parameters{})}},
		{"token68", `Negotiate YWJj==, Bearer scope=s`, []Challenge{c("negotiate", parameters{}), c("bearer", parameters{"scope": "s"})}},
		{"token68 without padding", `NTLM TlRMTVNTUAAB, Bearer`, []Challenge{c("ntlm", parameters{}), c("bearer", parameters{})}},
		{"a name that stands twice", `Bearer scope=a, scope=b`, []Challenge{{Scheme: "bearer", Parameters: parameters{"scope": "a"}, Twice: []string{"scope"}}}},
		{"a name that stands twice with one value", `Bearer scope=a, scope=a`, []Challenge{c("bearer", parameters{"scope": "a"})}},
		{"an open quote", `Bearer scope="a`, []Challenge{c("bearer", parameters{"scope": "a"})}},
		{"parameters of nothing", `=x, scope=y`, nil},
		{"schemes with a comma after the name", `Bearer, Basic realm=x`, []Challenge{c("bearer", parameters{}), c("basic", parameters{"realm": "x"})}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			if diff := cmp.Diff(row.want, challenges(row.value), cmp.AllowUnexported(Challenge{})); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	// A hostile value takes no more than its length in time.
	for _, part := range []string{`Bearer `, `"`, `=`, `a=`, `\`, `Bearer x=",`} {
		challenges(strings.Repeat(part, 200_000))
	}
}
