# `make run` and `make test` set up everything they need on a fresh Debian machine; the rest is for
# those who work here.

.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

CHROMIUM ?= /usr/bin/chromium
MUSETTE_BIN := $(CURDIR)/target/debug/musette
export CHROMIUM MUSETTE_BIN

.PHONY: help
help:
	@echo "make run     set up, build and serve the product with demo data"
	@echo "make test    set up and pass every test"
	@echo "make check   format, lint, types, and the tests of what you changed; fast"
	@echo "make test-long  longer: 20,000 random stories of the consent screen, ten minutes of hostile input"
	@echo "make fuzz    hostile input, 20 seconds for each target; FUZZ_SECONDS=N for longer"
	@echo "make release the optimised program, and what is in it (dist/sbom-*.json)"
	@echo "make bench   our figures beside the peers' and the limits"
	@echo "make fmt     format everything"

# --- set-up -----------------------------------------------------------------------------------

node_modules/.made: package-lock.json package.json packages/*/package.json apps/*/package.json e2e/package.json tools/schema/package.json
	tools/need node npm cargo
	npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

.PHONY: browser postgres
browser:
	@tools/need-package $(CHROMIUM) chromium
postgres:
	@tools/need-package '/usr/lib/postgresql/*/bin/initdb' postgresql

WEB_SOURCES := $(shell find packages/*/src apps -name node_modules -prune -o -name dist -prune -o -type f -print)
WEB := apps/rider/dist/.made apps/console/dist/.made
$(WEB): apps/%/dist/.made: node_modules/.made $(WEB_SOURCES)
	npm run --silent build -w apps/$*
	@touch $@

# --- the two commands -------------------------------------------------------------------------

# The options of `serve` in ARGS, another folder in DATA: make run DATA=other ARGS='--listen 127.0.0.1:8081'.
DATA ?= data

# As the tests build it, so that nothing is built twice; `make release` makes the fast one.
.PHONY: run
run:
	@echo "Building what serves the product: about 10 minutes on 2 cores from nothing, seconds afterwards."
	@$(MAKE) --no-print-directory $(WEB)
	cargo build --workspace --bins --tests
	target/debug/musette serve --demo --data $(DATA) $(ARGS)

.PHONY: test
test: browser postgres
	@tools/steps web lint build rust unit statistics oracle openfeature attack fuzz packages e2e

# --- its parts: what each does, and about how long on 2 cores, stands behind it -------------------

.PHONY: web lint build rust unit check openfeature packages e2e fuzz bench fmt
web: $(WEB) ## the two web applications; 1 minute

lint: node_modules/.made ## format, lints, types, licences, known faults; 6 minutes, seconds when built
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings
	npm run --silent lint
	npm run --silent types
	node tools/licences/check.mjs
	python3 tools/audit/audit.py

# Programs and tests in one go: each alone would choose other features of the dependencies and build
# them twice.
build: ## every program and every test of Rust; 6 minutes
	cargo build --workspace --bins --tests

rust: postgres ## tests of Rust, on both stores; 8 minutes
	tools/with-postgres cargo test --workspace

unit: node_modules/.made ## tests of TypeScript; 2 minutes
	npm run --silent unit

# For a change that is not committed yet. Tests of TypeScript by what imports it; of Rust those inside the
# crates when their rules or statements changed: `make rust` tries the running program.
check: lint postgres
	npx vitest run --changed --passWithNoTests
	git diff --quiet HEAD -- crates/core crates/store || tools/with-postgres cargo test --quiet --workspace --lib

# Our statistics beside those of gbstats.
.PHONY: statistics
statistics: ## our statistics beside gbstats; 1 minute
	@tools/need-package '/usr/lib/python3*/ensurepip' python3-venv
	tools/gbstats/run

# The program's evaluations beside those of a second reading of the contract, over made-up documents.
# SEED=7 ORACLE_DOCUMENTS=40 make oracle looks at others.
.PHONY: oracle
oracle: ## evaluations beside a second reading of the contract; 1 minute
	@tools/need python3
	PYTHONDONTWRITEBYTECODE=1 python3 tools/oracle/compare.py $(MUSETTE_BIN)

# The official OpenFeature clients, unchanged, against the program.
openfeature: node_modules/.made ## official OpenFeature clients against the program; seconds
	npm run --silent test:openfeature

# Every operation of openapi.json with what it allows and what it does not, on both stores.
# EXAMPLES=200 SEED=7 make attack looks longer and elsewhere; `make fuzz` looks long enough for a night.
.PHONY: attack
attack: postgres ## every operation of openapi.json, by schemathesis, on both stores; 2 minutes
	@tools/need-package '/usr/lib/python3*/ensurepip' python3-venv
	tools/with-postgres tools/schemathesis/run

# Known faults in what we depend on, licences, bans and sources, by cargo-deny where it is installed;
# without it and without a network by a snapshot (tools/audit), which `make lint` asks too.
.PHONY: audit
audit:
	python3 tools/audit/audit.py
	node tools/licences/check.mjs
	@if command -v cargo-deny >/dev/null; then cargo deny check; else echo 'cargo-deny is not installed: "cargo install --locked cargo-deny", then again'; fi

# What is in a release: dist/sbom-rust.json and dist/sbom-npm.json, CycloneDX.
.PHONY: sbom release
sbom:
	node tools/sbom/sbom.mjs

release: $(WEB)
	cargo build --release --locked
	$(MAKE) --no-print-directory sbom

# The published packages: built, checked, weighed, and used as a stranger would.
packages: browser node_modules/.made ## the published packages, used as a stranger would; 1 minute
	npm run --silent packages
	npm run --silent lint:packages
	npm run --silent size
	npm run --silent test:embedding

e2e: browser node_modules/.made $(WEB) ## tests in a real browser, against the program; 10 minutes
	npm run --silent test -w e2e

# Random stories of persons, tabs, lost answers and clocks at the consent screen; a few are in `make unit`.
.PHONY: test-long
test-long: node_modules/.made
	FUZZ_SECONDS=600 $(MAKE) --no-print-directory fuzz
	RUNS=$(or $(RUNS),20000) npx vitest run packages/react/src/consent/model

# Hostile input for everything that reads what a stranger wrote, the targets side by side.
# FUZZ_SECONDS=600 make fuzz looks longer; FUZZ="--target notes" at one. From ten minutes on, the API is
# attacked as long.
FUZZ_SECONDS ?= 20
fuzz: ## hostile input for whatever reads what a stranger wrote; 1 minute
	cargo build --workspace --bins --tests --quiet
	target/debug/musette-fuzz $(FUZZ)
	FUZZ_SECONDS=$(FUZZ_SECONDS) cargo test --quiet --workspace --test 'fuzz*' -- --test-threads 8
	@if [ "$(FUZZ_SECONDS)" -ge 600 ]; then EXAMPLES=$${EXAMPLES:-200} $(MAKE) --no-print-directory attack; fi

bench: browser postgres $(WEB)
	cargo build --release
	bench/run

fmt:
	cargo fmt --all
	npm run --silent format
