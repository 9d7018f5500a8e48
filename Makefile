# One command a target. CGO is off: a static binary starts a millisecond sooner.
export CGO_ENABLED := 0
export GOFLAGS := -trimpath -buildvcs=false
export GORACE := atexit_sleep_ms=10

LDFLAGS := -s -w

.PHONY: build demo test race lint bench update fuzz e2e

# The copy is not idle: a file that the linker has just written lies in small
# pages in memory, and each hook faults them in one by one. It costs a seventh.
build:
	go build -ldflags '$(LDFLAGS)' -o bin/linked ./cmd/panehook
	cp bin/linked bin/panehook

demo: build
	go run ./scripts/demo bin/panehook testdata/recordings/*.jsonl

test:
	go test ./...

race:
	CGO_ENABLED=1 go test -race ./...

lint:
	scripts/lint

bench: build
	scripts/bench bin/panehook

update:
	go test ./cmd/panehook ./transitions -update

fuzz:
	scripts/fuzz

e2e: build
	scripts/e2e/run
