package kit

import (
	"reflect"
	"testing"

	"github.com/mcpcheck/mcpcheck/wire"
)

// TestEqualSeesEveryField: what was judged is kept while recordings are equal, so that a field which Equal forgets would keep a verdict alive
// that rests on something else by now.
func TestEqualSeesEveryField(t *testing.T) {
	values := map[reflect.Type]any{
		reflect.TypeFor[*Era]():               &Era{},
		reflect.TypeFor[Environment]():        Environment{URL: "http://server.test/mcp"},
		reflect.TypeFor[Given]():              Given{Named: []string{"echo"}},
		reflect.TypeFor[[]*wire.Exchange]():   []*wire.Exchange{{}},
		reflect.TypeFor[[]*wire.Transcript](): []*wire.Transcript{{}},
		reflect.TypeFor[func(string) bool]():  func(string) bool { return true },
		reflect.TypeFor[bool]():               true,
		reflect.TypeFor[string]():             "x",
	}
	plain := func() *Recording { return &Recording{} }
	if !plain().Equal(plain()) {
		t.Error("two empty recordings differ")
	}
	for field := range reflect.TypeFor[Recording]().Fields() {
		if !field.IsExported() {
			continue
		}
		value, known := values[field.Type]
		if !known {
			t.Errorf("%s is of a type that this test has no value for", field.Name)
			continue
		}
		other := plain()
		reflect.ValueOf(other).Elem().FieldByIndex(field.Index).Set(reflect.ValueOf(value))
		if plain().Equal(other) || other.Equal(plain()) {
			t.Errorf("recordings that differ in %s are equal", field.Name)
		}
	}
}
