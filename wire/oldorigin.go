package wire

import (
	"strconv"
	"strings"
)

// deriveOrigins reads the origins of exchanges off their labels, for transcripts that were saved before exchanges had one. The label of
// a script may look like another's (a tool may be called "x page 2"), so what an exchange is said to continue has to be there.
func deriveOrigins(t *Transcript) {
	labels := make(map[string]*Exchange, len(t.Exchanges))
	for _, x := range t.Exchanges {
		labels[x.Label] = x
	}
	for _, x := range t.Exchanges {
		if x.Origin.Kind == "" {
			x.Origin = originOf(x, labels)
		}
	}
}

func originOf(x *Exchange, labels map[string]*Exchange) Origin {
	if o, ok := namedOrigin(x, x.Label, labels); ok {
		return o
	}
	if i := strings.LastIndex(x.Label, "#"); i >= 0 {
		n, ok := counted(x.Label[i+1:], 2)
		if _, used := labels[x.Label[:i]]; ok && used {
			o, named := namedOrigin(x, x.Label[:i], labels)
			if !named {
				o.Kind = FromScript
			}
			o.Repeat = n
			return o
		}
	}
	return Origin{Kind: FromScript}
}

// namedOrigin reads a label that has no number to make it unique.
func namedOrigin(x *Exchange, label string, labels map[string]*Exchange) (Origin, bool) {
	if label == cleanUpLabel {
		return Origin{Kind: FromCleanUp}, true
	}
	if rest, ok := strings.CutPrefix(label, answerPrefix); ok {
		n, ok := counted(rest, 1)
		return Origin{Kind: FromAnswer, Number: n}, ok
	}
	for prefix, kind := range map[string]OriginKind{busyPrefix: FromBusy, stalePrefix: FromStale} {
		rest, ok := strings.CutPrefix(label, prefix)
		if i := strings.LastIndex(rest, "/"); ok && i >= 0 {
			n, ok := counted(rest[i+1:], 1)
			return Origin{Kind: kind, Of: rest[:i], Number: n}, ok
		}
	}
	if of, ok := strings.CutPrefix(label, resumePrefix); ok && labels[of] != nil && asksToResume(x) {
		return ResumptionOf(of), true
	}
	if of, ok := strings.CutSuffix(label, repeatSuffix); ok && labels[of] != nil {
		return RepetitionOf(of), true
	}
	if i := strings.LastIndex(label, pageInfix); i >= 0 {
		first := labels[label[:i]]
		if n, ok := counted(label[i+len(pageInfix):], 2); ok && first != nil && first.RequestMessage().Method == x.RequestMessage().Method {
			return PageOf(label[:i], n), true
		}
	}
	return Origin{}, false
}

// counted reads a number as the recorder writes it, from first on.
func counted(s string, first int) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= first && strconv.Itoa(n) == s
}

func asksToResume(x *Exchange) bool {
	for name := range x.Request.Header {
		if strings.EqualFold(name, "Last-Event-ID") {
			return x.Request.Method == "GET"
		}
	}
	return false
}
