package revision

import (
	"slices"
	"testing"
)

func TestLists(t *testing.T) {
	for _, test := range []struct {
		name string
		got  []string
		want []string
	}{
		{"all", All(), []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}},
		{"legacy", Of(Legacy), []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}},
		{"modern", Of(Modern), []string{"2026-07-28"}},
		{"an era that there is not", Of("stone age"), nil},
		{"legacy from the third on", From("2025-06-18", Legacy), []string{"2025-06-18", "2025-11-25"}},
		{"modern from a legacy one on", From("2025-06-18", Modern), []string{"2026-07-28"}},
	} {
		if !slices.Equal(test.got, test.want) {
			t.Errorf("%s: %v", test.name, test.got)
		}
	}
	if !slices.IsSorted(All()) || Oldest(All()) != HTTPSSE || Newest(Of(Legacy)) != "2025-11-25" {
		t.Error("the list is not in order")
	}
	All()[0] = "changed"
	if All()[0] != "2024-11-05" {
		t.Error("a caller can change the list")
	}
}

func TestOrder(t *testing.T) {
	for _, test := range []struct {
		r, first string
		since    bool
	}{
		{"2025-06-18", "2025-06-18", true},
		{"2025-11-25", "2025-06-18", true},
		{"2026-07-28", "2025-06-18", true},
		{"2025-03-26", "2025-06-18", false},
		{"2025-03-26", "", true},
		{"", "2025-03-26", false},
		{"DRAFT", "2025-06-18", true},
	} {
		if got := Since(test.r, test.first); got != test.since || Before(test.r, test.first) == test.since {
			t.Errorf("Since(%q, %q) = %v, Before = %v", test.r, test.first, got, Before(test.r, test.first))
		}
	}
}

func TestVersionsOfServers(t *testing.T) {
	for _, test := range []struct {
		version              string
		era                  string
		date, header, modern bool
	}{
		{"2024-11-05", Legacy, true, false, false},
		{"2025-03-26", Legacy, true, false, false},
		{"2025-06-18", Legacy, true, true, false},
		{"2026-07-28", Modern, true, true, true},
		{"2025-12-01", "", true, true, false},
		{"2027-01-01", "", true, true, true},
		{"DRAFT-2026-v1", "", false, false, false},
		{"9999", "", false, false, false},
		{"2025-06-1x", "", false, false, false},
		{"20250618--", "", false, false, false},
		{"", "", false, false, false},
	} {
		era, known := EraOf(test.version)
		if era != test.era || known != (test.era != "") {
			t.Errorf("EraOf(%q) = %q, %v", test.version, era, known)
		}
		if IsDate(test.version) != test.date || HasVersionHeader(test.version) != test.header || MayBeModern(test.version) != test.modern {
			t.Errorf("%q: a date %v, with the header %v, modern %v", test.version, IsDate(test.version), HasVersionHeader(test.version), MayBeModern(test.version))
		}
	}
}
