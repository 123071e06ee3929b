# The commands of a contributor. They need Go alone; interop also runs servers that want node, npm and python3, official wants node and npm.

# A pipe fails when any part of it does.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c

.DEFAULT_GOAL := build
.PHONY: build quick test test-says matrix race unit fmt fmt-check vet lint fuzz fuzz-server outcomes curl fleet bench mutants interop interop-all official agreement test-browser test-formats docs check-new clean sdk-table interop-clients \
	release release-snapshot release-extras packages test-release test-release-built

GO       ?= go
# Only for what hangs: a busy machine may need long.
TIMEOUT  ?= 60m
FUZZTIME ?= 10s
RUNS     ?= 1

# Built once and kept in dist/, until its version in tools/go.mod changes.
linter := dist/golangci-lint
# Likewise, from tools/release/go.mod. goreleaser is large: minutes on two cores.
release_tools := dist/tools/goreleaser dist/tools/cyclonedx-gomod

build:
	$(GO) build -o dist/mcpcheck ./cmd/mcpcheck

# Between two edits: under a minute of processor time. Of what takes long it sees a sample, and no data races.
quick: fmt-check
	$(GO) build ./...
	$(GO) vet ./...
	$(GO) test -short -timeout $(TIMEOUT) ./...

# Everything that a change must pass. The tests come last, so that their lines end the output.
test: test-says fmt-check vet lint race matrix

test-says:
	@echo 'make test runs everything and takes minutes, about ten on two cores; make quick takes under one' >&2
	@for outside in ../shared/spec/schema ../shared/faults.yaml; do \
		if [ ! -e "$$outside" ]; then echo "skipped: the tests that want $$outside, which is not part of the project" >&2; fi; \
	done

# Every fault against every check, the command against every front, big and protected servers. The race detector, which is several
# times slower, sees a sample of the faults and none of the rest.
matrix:
	$(GO) test -timeout $(TIMEOUT) ./cmd/mcpcheck ./suites/schema
	$(GO) test -count=1 -timeout $(TIMEOUT) -v ./fixtures | grep --line-buffered -v -e '^ *--- PASS' -e '^=== '

# The race detector needs a C compiler. Go turns cgo off where there is none; the tests then run without it. The packages that run
# whole servers or judge thousands of messages are several times slower with it: it sees their short tests, and matrix runs all of them
# without.
race:
	@if [ "$$($(GO) env CGO_ENABLED)" = 1 ]; then race=-race; \
	else race=; echo 'no C compiler: the tests run without the race detector' >&2; fi; \
	set -x; $(GO) test $$race -timeout $(TIMEOUT) $$($(GO) list ./... | grep -v -e '/fixtures$$' -e '/cmd/mcpcheck$$' -e '/suites/schema$$'); \
	$(GO) test $$race -short -timeout $(TIMEOUT) ./fixtures ./cmd/mcpcheck ./suites/schema

# All tests but without the race detector, and nothing else.
unit:
	$(GO) test -timeout $(TIMEOUT) ./...

fmt:
	gofmt -s -w $$($(GO) list -f '{{.Dir}}' ./...)

fmt-check:
	@unformatted=$$(gofmt -s -l $$($(GO) list -f '{{.Dir}}' ./...)); \
	if [ -n "$$unformatted" ]; then echo "not formatted, make fmt mends it:"; echo "$$unformatted"; exit 1; fi

vet:
	$(GO) vet ./...
	$(GO) vet -tags interop ./fixtures/targets
	$(GO) vet -tags official ./fixtures/official
	$(GO) vet -tags formats ./fixtures/formats
	$(GO) vet -tags release ./fixtures/release
	$(GO) vet -tags mutants ./fixtures
	$(GO) vet -C tools/release ./packaging

lint: $(linter)
	$(linter) run ./...

$(linter): tools/go.mod tools/go.sum
	$(GO) build -C tools -o ../$(linter) github.com/golangci/golangci-lint/v2/cmd/golangci-lint

# Each fuzz target for a moment; FUZZTIME=10m looks longer.
fuzz:
	@set -e; for p in $$($(GO) list ./...); do \
		for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz' || true); do \
			echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) $$p; \
		done; \
	done

# The command against a server whose every answer is mangled at random; it prints the seed of what it finds. FUZZTIME=10m looks longer.
fuzz-server:
	$(GO) test ./fixtures -count=1 -timeout 0 -v -run '^TestMangledServers$$' -args -mangle-for $(FUZZTIME)

# The command against every front, the slow ones too (half an hour on two cores, most of it waiting). The table of what the runs said
# is added to OUTCOMES.
OUTCOMES ?= outcomes.tsv
outcomes:
	$(GO) test ./fixtures -count=1 -timeout 0 -parallel 8 -v -run '^TestOutcomes$$' -args -slow -outcomes '$(abspath $(OUTCOMES))'

# The curl lines beneath the findings of every requirement of both eras, executed and compared with the evidence. SHARD=2/3 does the second
# of three parts.
SHARD ?= 1/1
curl:
	$(GO) test ./fixtures -count=1 -timeout $(TIMEOUT) -parallel 12 -run '^TestCurlLines$$' -args -curl -shard $(SHARD)

# Many servers of all kinds in one run, and what that takes in time and memory.
SERVERS ?= 200
fleet:
	$(GO) test ./fixtures -count=1 -timeout 0 -v -run '^TestFleet$$' -args -fleet $(SERVERS)

# Benchmarks, then whole runs against the aims that the project has set itself.
# Time, requests, memory and ratios of default runs, measured in one go.
bench:
	$(GO) run ./fixtures/bench
	$(GO) run ./fixtures/bench

# Every condition of the judges dropped or bent, one at a time, and what no test notices: all areas, or AREA=session,kit.
# LEAST=90 demands that nine in ten are noticed; QUICK=1 does without the matrix, which takes seconds; SAMPLE=1 tries an area that changes
# with the day, on a few faults. See CONTRIBUTING.md.
mutants:
	$(GO) run ./fixtures/mutants/cmd $(if $(AREA),-area '$(AREA)') $(if $(QUICK),-quick) $(if $(SAMPLE),-sample) $(if $(LEAST),-least $(LEAST))

# Servers that nobody here wrote, installed into the user's cache folder and held against their expected findings. With RUNS=10 those
# of which something is expected sometimes are checked until it has come, ten times at most.
interop:
	$(GO) test -tags interop -count=1 -timeout $(TIMEOUT) -run '^TestInterop$$' ./fixtures/targets -args -runs $(RUNS)

# The same with the slow ones, which want cargo, a JDK and Maven.
interop-all:
	$(GO) test -tags interop -count=1 -timeout $(TIMEOUT) -run '^TestInterop$$' ./fixtures/targets -args -slow -runs $(RUNS)

# Clients that nobody here wrote, likewise. SLOW=1 adds those that want cargo, or a JDK and Maven.
interop-clients:
	$(GO) test -tags interop -count=1 -timeout $(TIMEOUT) -run '^TestInteropClients$$' ./fixtures/targets -args $(if $(SLOW),-slow) -runs $(RUNS)

# The official conformance suite, from npm, against the bundled server: all that it requires of servers of 2025-11-25 and 2026-07-28.
official:
	$(GO) test -tags official -count=1 -timeout $(TIMEOUT) -v -run '^TestOfficial$$' ./fixtures/official | grep --line-buffered -v -e '^ *--- PASS' -e '^=== '

# Its verdicts beside those of mcpcheck, on the reference server, its faults and the servers of make interop: some
# five minutes. UPDATE=1 writes down what was measured; make docs makes docs/agreement.md of it. KEEP=FOLDER keeps what each server gave, and
# goes on from there.
agreement:
	$(GO) test -tags official -count=1 -timeout $(TIMEOUT) -parallel 8 -run '^TestAgreement$$' ./fixtures/official -args -agreement $(if $(UPDATE),-update) $(if $(KEEP),-keep '$(abspath $(KEEP))')

# The page that compares servers by SDK, docs/sdks.md and docs/sdks.html: all targets, checked in all revisions that they speak. SLOW=1
# takes those along that make interop-all runs; KEEP=FOLDER keeps what each was found to do, and goes on from there.
sdk-table:
	$(GO) test -tags interop -count=1 -timeout $(TIMEOUT) -v -run '^TestSDKTable$$' ./fixtures/targets -args -table '$(CURDIR)/docs' $(if $(SLOW),-slow) $(if $(KEEP),-keep '$(abspath $(KEEP))')

# The HTML reports in a real Chromium, with axe-core from npm in the user's cache folder. SHOTS=FOLDER keeps the pictures there.
test-browser:
	@chromium=$$(command -v "$${CHROMIUM:-chromium}" || command -v chromium-browser || command -v google-chrome || true); \
	if [ -z "$$chromium" ]; then \
		echo 'test-browser skipped: no chromium here (apt-get install chromium, or CHROMIUM=PATH)' >&2; exit 0; \
	fi; \
	set -x; $(GO) test -C fixtures/browser -count=1 -timeout $(TIMEOUT) -v . $(if $(SHOTS),-shots '$(abspath $(SHOTS))') | grep --line-buffered -v -e '^ *--- PASS' -e '^=== '

# Each report read by consumers that nobody here wrote, installed into the user's cache folder: validators, JUnit readers, prove, GitHub's
# Markdown renderer, and Chromium for HTML. Wants npm, python3 with venv, and perl.
test-formats:
	$(GO) test -tags formats -count=1 -timeout $(TIMEOUT) -v ./fixtures/formats | grep --line-buffered -v -e '^ *--- PASS' -e '^=== '
	$(MAKE) test-browser

$(release_tools) &: tools/release/go.mod tools/release/go.sum
	$(GO) build -C tools/release -o ../../dist/tools/ tool
	touch $(release_tools)

# The archives of a release in dist/release, of the commit that is checked out, and nothing is published.
release-snapshot: $(release_tools)
	@# Where the clone has no remote, goreleaser would not ask git for the commit either.
	if [ -z "$$(git remote)" ]; then \
		export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.url GIT_CONFIG_VALUE_0=https://github.com/mcpcheck/mcpcheck; \
	fi; \
	PATH="$(CURDIR)/dist/tools:$$PATH" goreleaser release --snapshot --clean
	$(MAKE) packages

# What npm, PyPI, Homebrew and container engines take of what goreleaser has left in dist/release.
packages:
	$(GO) build -C tools/release -o ../../dist/tools/packaging ./packaging
	dist/tools/packaging dist/release

# A release of the tag that is checked out; CONTRIBUTING.md says what comes before it.
release: $(release_tools)
	PATH="$(CURDIR)/dist/tools:$$PATH" goreleaser release --clean
	$(MAKE) packages

# What goes into the archives beside the program; goreleaser says for which version.
release-extras:
	rm -rf dist/extras
	mkdir -p dist/extras/completions
	$(GO) build -o dist/extras/build/mcpcheck -ldflags '-X main.releaseVersion=$(RELEASE_VERSION) -X main.releaseCommit=$(RELEASE_COMMIT) -X main.releaseDate=$(RELEASE_DATE)' ./cmd/mcpcheck
	dist/extras/build/mcpcheck man > dist/extras/mcpcheck.1
	for shell in bash zsh fish; do dist/extras/build/mcpcheck completion $$shell > dist/extras/completions/mcpcheck.$$shell; done

# Installs what release-snapshot built, and the module through a proxy of files, as users would.
test-release: release-snapshot test-release-built

# The same with what is in dist/release already.
test-release-built:
	$(GO) test -tags release -count=1 -timeout $(TIMEOUT) -v ./fixtures/release | grep --line-buffered -v -e '^ *--- PASS' -e '^=== '

# docs/checks.md, from the suite.
docs:
	$(GO) run ./docs/gen

# Scaffold the pieces of a check for any era and party, also of a requirement that is new: make check-new ID=session.missing-400
check-new:
	@if [ -z "$(ID)" ]; then echo 'usage: make check-new ID=session.missing-400' >&2; exit 2; fi
	$(GO) run ./docs/newcheck '$(ID)'

clean:
	rm -rf dist
