package kit

import (
	"fmt"
	"strings"
)

// TemplateFault says in a phrase what keeps a string from being a URI template after RFC 6570: braces that do not match, or an
// expression that its grammar does not have (section 2.2 to 2.4); "" where nothing does. What stands between the expressions is taken
// as it comes: libraries expand it all the same. The phrase goes on after "which".
func TemplateFault(template string) string {
	for rest := template; ; {
		i := strings.IndexAny(rest, "{}")
		switch {
		case i < 0:
			return ""
		case rest[i] == '}':
			return "has } without { before it"
		}
		rest = rest[i+1:]
		end := strings.IndexAny(rest, "{}")
		switch {
		case end < 0:
			return "has { without } behind it"
		case rest[end] == '{':
			return "has { within an expression"
		}
		if why := expressionFault(rest[:end]); why != "" {
			return fmt.Sprintf("has the expression %s: %s", Quote([]byte("{"+rest[:end]+"}")), why)
		}
		rest = rest[end+1:]
	}
}

// operators may stand first in an expression. The last five are reserved for extensions, and no error of the grammar.
const operators = "+#./;?&=,!@|"

func expressionFault(expression string) string {
	if expression != "" && strings.IndexByte(operators, expression[0]) >= 0 {
		expression = expression[1:]
	}
	for variable := range strings.SplitSeq(expression, ",") {
		if why := variableFault(variable); why != "" {
			return why
		}
	}
	return ""
}

// variableFault: varspec = varname [ ":" max-length / "*" ].
func variableFault(variable string) string {
	name, length, prefixed := strings.Cut(variable, ":")
	switch {
	case prefixed && !maxLength(length):
		return "a prefix length is a number from 1 to 9999"
	case !prefixed:
		name = strings.TrimSuffix(variable, "*")
	}
	if name == "" {
		return "a variable has no name"
	}
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case isLetter(c), isDigit(c), c == '_':
		case c == '.' && i > 0 && name[i-1] != '.' && i < len(name)-1:
		case c == '.':
			return "a dot stands between two characters of a name"
		case c == '%' && i+2 < len(name) && strings.IndexByte(hexDigits, name[i+1]) >= 0 && strings.IndexByte(hexDigits, name[i+2]) >= 0:
			i += 2
		default:
			return "a name has letters, digits, _ and dots in it, not " + strings.TrimPrefix(strings.TrimPrefix(character(name[i:]), "the character "), "a ")
		}
	}
	return ""
}

func maxLength(s string) bool {
	if len(s) < 1 || len(s) > 4 || s[0] == '0' {
		return false
	}
	return strings.Trim(s, "0123456789") == ""
}
