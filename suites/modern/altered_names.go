package modern

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/mcpcheck/mcpcheck/client"
	"github.com/mcpcheck/mcpcheck/suites/kit"
)

// withNames: there is a feature whose requests carry Mcp-Name.
var withNames = kit.AnyCapability("the server declares neither tools nor resources nor prompts", "tools", "resources", "prompts")

// target is something whose name may be sent by a polite run; "" where nothing is listed.
func target(f *kit.Facts) (method, member, name string) {
	if r := f.Read(); len(r) > 0 {
		return "resources/read", "uri", r[0].URI
	}
	for _, p := range f.Prompts {
		if len(p.Required) == 0 {
			return "prompts/get", "name", p.Name
		}
	}
	for _, t := range f.Tools {
		if t.Callable() {
			return "tools/call", "name", t.Name
		}
	}
	return "", "", ""
}

const headerName = "Mcp-Name"

// namedRequest is a request with a name in the header that may be sent; without a method where there is none.
func namedRequest(f *kit.Facts) (method string, params client.Option) {
	method, member, name := target(f)
	return method, client.WithParams(map[string]any{member: name})
}

// nameProbes are requests whose Mcp-Name is wrong, and some that only look wrong.
func nameProbes(c *kit.C) (steps []func()) {
	if withNames.Of(c.Facts) != kit.Yes {
		return nil
	}
	bogus := fmt.Sprintf("mcpcheck-no-such-%d", c.Client().NextID())
	method, member := nowhere(c.Facts)
	_, _, name := target(c.Facts)
	safe, params := namedRequest(c.Facts)
	probe := func(label, method string, options ...client.Option) {
		steps = append(steps, func() { c.Call(label, method, options...) })
	}
	if safe != "" {
		encoded := base64.StdEncoding.EncodeToString([]byte(name))
		half := len(encoded) / 2
		probe("no name", safe, params, client.WithoutHeader(headerName), client.Broken("without Mcp-Name"))
		probe("another name", safe, params, client.WithHeader(headerName, bogus), client.Broken("with another name in Mcp-Name"))
		if other := otherCase(name); other != name {
			probe("name in another case", safe, params, client.WithHeader(headerName, other), client.Broken("with a letter of Mcp-Name in another case"))
		}
		probe("name in Base64", safe, params, client.WithHeader(headerName, "=?base64?"+encoded+"?="))
		probe("name in bad Base64", safe, params, client.WithHeader(headerName, "=?base64?"+encoded[:half]+"!!!"+encoded[half:]+"?="),
			client.Broken("with a Mcp-Name that is no Base64"))
	}
	lookup := func(name string) client.Option {
		if member == "uri" {
			name = "mcpcheck:" + name
		}
		return client.WithParams(map[string]any{member: name})
	}
	ask := func(label, name string) { probe(label, method, lookup(name)) }
	ask("lookup beyond ASCII", "mcpcheck-é-"+bogus)
	if member != "uri" {
		ask("sentinel in capitals", "=?BASE64?SGVsbG8=?=")
		ask("sentinel without end", "=?base64?SGVsbG8=")
	}
	raw := "mcpcheck-é-" + bogus
	if member == "uri" {
		raw = "mcpcheck:" + raw
	}
	return append(steps, func() {
		x := c.Call("raw bytes", method, lookup("mcpcheck-é-"+bogus), client.WithoutHeader(headerName), client.WithLine(headerName+": "+raw),
			client.Broken("with raw UTF-8 in Mcp-Name"))
		// Where there is no name to ask for, or the raw ones may have been taken, it says whether names are compared before they are looked up.
		if safe == "" || !isHM(x) {
			c.Call("lookup with another name", method, lookup(bogus), client.WithHeader(headerName, bogus+"-either"), client.Broken("with another name in Mcp-Name"))
		}
	})
}

// otherCase changes the case of the last letter; in a URI of one behind scheme and host, whose case means nothing, and outside of %-escapes.
func otherCase(name string) string {
	from := 0
	if _, rest, uri := strings.Cut(name, "://"); uri {
		slash := strings.IndexByte(rest, '/')
		if slash < 0 {
			return name
		}
		from = len(name) - len(rest) + slash
	} else if scheme := strings.IndexByte(name, ':'); scheme >= 0 {
		from = scheme
	}
	for i := len(name) - 1; i >= from; i-- {
		c := name[i]
		if c|0x20 < 'a' || c|0x20 > 'z' || i > 0 && name[i-1] == '%' || i > 1 && name[i-2] == '%' {
			continue
		}
		return name[:i] + string(c^0x20) + name[i+1:]
	}
	return name
}
