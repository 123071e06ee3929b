package deviation

import "slices"

// skip stands before the name of a guard in Deviation.Switches: the guard is left out.
const skip = "skip "

// A Switch is a deviation that cannot be data: what throws it is its name in a Deviation, and what it does is written where it
// is read. Make one by [Switches.Add].
type Switch struct {
	Name  string
	About string // what the server does
}

// Switches are those that one package reads. Whatever is added here can be thrown; no other list names it.
type Switches struct{ all []*Switch }

// Add declares a switch, in the file that reads it. About says what the server does when it is thrown.
func (s *Switches) Add(name, about string) *Switch {
	added := &Switch{name, about}
	s.all = append(s.all, added)
	return added
}

// All returns what was added.
func (s *Switches) All() []*Switch { return slices.Clone(s.all) }

// An Identity is something that can be generated in other ways than the usual one.
type Identity struct {
	Name string
	Ways []string
}

// Identities are those that one package generates, as with Switches.
type Identities struct{ all []Identity }

// Add declares an identity and the ways in which it can be generated, in the file that generates it.
func (i *Identities) Add(name string, ways ...string) Identity {
	added := Identity{name, ways}
	i.all = append(i.all, added)
	return added
}

// All returns what was added.
func (i *Identities) All() []Identity { return slices.Clone(i.all) }

// A Vocabulary is what deviations can name: of a package, or of a whole server.
type Vocabulary struct {
	Switches   []*Switch
	Identities []Identity
	Guards     []string // in the order in which they work; a name is also the outcome of the refusal
	Answers    []string // outcomes of HTTP answers that are no refusal of a guard
}

// Join puts the vocabularies of the parts of a server together. What two eras have under the same name is one word.
func Join(parts ...Vocabulary) Vocabulary {
	var all Vocabulary
	for _, p := range parts {
		all.Switches = append(all.Switches, p.Switches...)
		all.Identities = append(all.Identities, p.Identities...)
		all.Guards = union(all.Guards, p.Guards)
		all.Answers = union(all.Answers, p.Answers)
	}
	return all
}

func union(words, more []string) []string {
	for _, w := range more {
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// Outcomes returns the names of all HTTP answers, refusals first.
func (w Vocabulary) Outcomes() []string { return slices.Concat(w.Guards, w.Answers) }

// Selectors returns the forms that Edit.On may have besides the name of an outcome. METHOD is any method.
func Selectors() []string {
	return []string{
		"result METHOD", "error METHOD", "response METHOD", "refusal METHOD", "notification METHOD", "server-request METHOD",
		"any result", "any error", "any response", "any refusal", "any notification", "any server-request", "any message",
		"event message", "event priming", "event retry", "event endpoint", "any event", "any answer",
	}
}
