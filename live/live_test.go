package live

import (
	"bufio"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

func served(t *testing.T) *Page {
	t.Helper()
	p, err := Serve("</script><b>mcpcheck")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	p.Show([]byte("<!doctype html>the report"))
	return p
}

// ask sends a GET with header lines; "Host" is the name that it goes to.
func ask(t *testing.T, url string, header map[string]string) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range header {
		if request.Header.Set(name, value); name == "Host" {
			request.Host = value
		}
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	return response
}

// TestWhoMayRead: who has the address, and nobody whom a page of another origin sends.
func TestWhoMayRead(t *testing.T) {
	p := served(t)
	origin := strings.TrimSuffix(p.URL, regexp.MustCompile(`/[^/]+/$`).FindString(p.URL))
	for name, row := range map[string]struct {
		url    string
		header map[string]string
		want   int
	}{
		"the address":                {p.URL, nil, 200},
		"as browsers open it":        {p.URL, map[string]string{"Sec-Fetch-Site": "none"}, 200},
		"its own frame":              {p.URL + "page", map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": origin}, 200},
		"a link elsewhere":           {p.URL, map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		"another port":               {p.URL + "page", map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		"another origin":             {p.URL + "page", map[string]string{"Origin": "https://evil.example"}, 403},
		"no origin to speak of":      {p.URL + "page", map[string]string{"Origin": "null"}, 403},
		"a name that leads here":     {p.URL + "page", map[string]string{"Host": "evil.example"}, 403},
		"that name, with the port":   {p.URL + "page", map[string]string{"Host": "evil.example:" + origin[strings.LastIndex(origin, ":")+1:]}, 403},
		"without the random path":    {origin + "/", nil, 404},
		"with another":               {origin + "/AAAA/page", nil, 404},
		"without it, from a page":    {origin + "/", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		"what is not there":          {p.URL + "else", nil, 404},
		"state, by another's script": {p.URL + "state", map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}, 403},
	} {
		response := ask(t, row.url, row.header)
		if response.StatusCode != row.want {
			t.Errorf("%s: %d, want %d", name, response.StatusCode, row.want)
		}
		if response.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: other origins may read it", name)
		}
	}
	if len(p.URL)-len(origin) < 26 {
		t.Errorf("%s can be guessed", p.URL)
	}
	if response, err := http.Post(p.URL, "text/plain", nil); err != nil || response.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %v, %v", response.Status, err)
	}
}

// TestFrame: its policy allows the one style and the one script that are in it, and a title cannot add to them.
func TestFrame(t *testing.T) {
	response := ask(t, served(t).URL, nil)
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	policy := response.Header.Get("Content-Security-Policy")
	for _, tag := range []string{"style", "script"} {
		parts := regexp.MustCompile(`(?s)<`+tag+`>(.*?)</`+tag+`>`).FindAllSubmatch(body, -1)
		if len(parts) != 1 || !strings.Contains(policy, tag+"-src "+hash(parts[0][1])+";") {
			t.Errorf("%d of %s, and the policy is %s", len(parts), tag, policy)
		}
	}
	if strings.Contains(string(body), "{{") || strings.Contains(string(body), "<b>") || response.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the frame is\n%s", body)
	}
}

// TestState: who looks learns what is going on and that there is a new page, each once.
func TestState(t *testing.T) {
	p := served(t)
	lines := bufio.NewScanner(ask(t, p.URL+"state", nil).Body)
	next := func(want string) {
		t.Helper()
		for lines.Scan() {
			if text, is := strings.CutPrefix(lines.Text(), "data: "); is {
				if text != want {
					t.Errorf("got %s, want %s", text, want)
				}
				return
			}
		}
		t.Fatalf("it ended: %v", lines.Err())
	}
	next(`{"version":1,"status":""}`)
	p.Tell("checking")
	next(`{"version":1,"status":"checking"}`)
	p.Tell("checking")
	p.Show([]byte("another"))
	next(`{"version":2,"status":"checking"}`)
	body, err := io.ReadAll(ask(t, p.URL+"page", nil).Body)
	if err != nil || string(body) != "another" {
		t.Errorf("the page is %q, %v", body, err)
	}
}
