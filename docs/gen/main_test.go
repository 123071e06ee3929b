package main

import (
	"os"
	"regexp"
	"testing"

	"github.com/mcpcheck/mcpcheck/fixtures/official"
	"github.com/mcpcheck/mcpcheck/suites"
	"github.com/mcpcheck/mcpcheck/suites/eras"
)

// TestChecksPageIsFresh: docs/checks.md is what make docs would write now.
func TestChecksPageIsFresh(t *testing.T) {
	suite, err := suites.New(eras.Everything()...)
	if err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadFile("../checks.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(committed) != page(suite) {
		t.Error("docs/checks.md is stale; make docs writes it anew")
	}
}

// TestFaultsPageIsFresh: docs/faults.md is what make docs would write now.
func TestFaultsPageIsFresh(t *testing.T) {
	committed, err := os.ReadFile("../faults.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := faultsPage()
	if err != nil {
		t.Fatal(err)
	}
	if string(committed) != want {
		t.Error("docs/faults.md is stale; make docs writes it anew")
	}
}

// TestAgreementPageIsFresh: docs/agreement.md is what make docs would write now.
func TestAgreementPageIsFresh(t *testing.T) {
	committed, err := os.ReadFile("../agreement.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := official.Page()
	if err != nil {
		t.Fatal(err)
	}
	if string(committed) != want {
		t.Error("docs/agreement.md is stale; make docs writes it anew")
	}
}

// TestPageHasEveryEntry: one row for each requirement, and as many judged as there are checks.
func TestPageHasEveryEntry(t *testing.T) {
	suite, err := suites.New(eras.Everything()...)
	if err != nil {
		t.Fatal(err)
	}
	text := page(suite)
	if rows := regexp.MustCompile("(?m)^\\| `").FindAllString(text, -1); len(rows) != suite.Catalogue.Len() {
		t.Errorf("%d rows, %d requirements", len(rows), suite.Catalogue.Len())
	}
	if yes := regexp.MustCompile(`(?m)\| \*\*yes\*\* \|$`).FindAllString(text, -1); len(yes) != len(suite.Checks()) {
		t.Errorf("%d rows are judged, there are %d checks", len(yes), len(suite.Checks()))
	}
}
