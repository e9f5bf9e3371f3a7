package source

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/itchyny/gojq"
)

func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "text"
	case bool:
		return "a boolean"
	case []any:
		return "an array"
	case map[string]any:
		return "an object"
	default:
		return "a number"
	}
}

// scalar renders a text, a number or a boolean; null is empty.
func scalar(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return strings.ToValidUTF8(v, "\uFFFD"), nil
	case bool:
		return strconv.FormatBool(v), nil
	case []any, map[string]any:
		return "", badValue("gave %s where text is needed", typeName(v))
	default:
		return digits(v)
	}
}

// identity renders a key part or an id: text or a number.
func identity(v any) (string, error) {
	if _, ok := v.(bool); ok {
		return "", badValue("gave a boolean where text or a number is needed")
	}
	return scalar(v)
}

// digits renders a number exactly: an id of 72887070 never becomes 7.288707e+07.
func digits(v any) (string, error) {
	switch v := v.(type) {
	case int:
		return strconv.Itoa(v), nil
	case *big.Int:
		return v.String(), nil
	case json.Number:
		if !strings.ContainsAny(v.String(), ".eE") {
			return v.String(), nil
		}
	}
	f, ok := gojq.ToFloat64(v)
	if !ok || math.IsNaN(f) || math.IsInf(f, 0) {
		return "", badValue("gave a number that is not finite")
	}
	if math.Abs(f) >= 1e21 {
		return strconv.FormatFloat(f, 'g', -1, 64), nil
	}
	if n, is := v.(json.Number); is {
		// A float64 would lose digits and could make two long ids equal.
		if exact, ok := new(big.Float).SetPrec(256).SetString(n.String()); ok && exact.IsInt() {
			return exact.Text('f', 0), nil
		}
	}
	return strconv.FormatFloat(f, 'f', -1, 64), nil
}

// count reads how often something happened; null, NaN and infinities are zero.
func count(v any) (int64, error) {
	f, ok, err := number(v)
	if err != nil {
		return 0, badValue("gave %s where a number is needed", typeName(v))
	}
	switch {
	case !ok:
		return 0, nil
	case f < 0:
		return 0, badValue("gave a negative number where a count is needed")
	case f >= math.MaxInt64:
		return math.MaxInt64, nil
	}
	return int64(f), nil
}

// texts reads one text or a list of them.
func texts(v any) ([]string, error) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var out []string
	for _, e := range list {
		s, err := scalar(e)
		if err != nil {
			return nil, err
		}
		if s != "" {
			out = append(out, s)
		}
	}
	return out, nil
}
