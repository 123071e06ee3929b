package web

import (
	"mime"
	"strconv"
	"strings"
)

// accepts tells whether Accept headers admit a media type: entries in any order and on any number of lines, wildcards, and
// the most specific entry that matches decides by its q-value (RFC 9110, section 12.5.1).
func accepts(lines []string, mediaType string) bool {
	main, _, _ := strings.Cut(mediaType, "/")
	best, admitted := 0, false
	for entry := range strings.SplitSeq(strings.Join(lines, ","), ",") {
		media, params, err := mime.ParseMediaType(entry)
		if err != nil {
			continue
		}
		specificity := 0
		switch media {
		case mediaType:
			specificity = 3
		case main + "/*":
			specificity = 2
		case "*/*":
			specificity = 1
		}
		if specificity <= best {
			continue
		}
		q, err := strconv.ParseFloat(params["q"], 64)
		best, admitted = specificity, err != nil || q > 0
	}
	return admitted
}
