# `make run` and `make test` install everything that they need on a fresh Debian machine. The other
# targets are for contributors.

.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

# Without the windows of a browser, each of which starts processes of its own: three tenths less processor time.
CHROMIUM ?= /usr/bin/chromium-headless-shell
MUSETTE_BIN := $(CURDIR)/target/debug/musette
export CHROMIUM MUSETTE_BIN

.PHONY: help
help:
	@echo "make run     set up, build and serve Musette with demo data"
	@echo "make test    set up and run every test"
	@echo "make check   format, lints, types, and the tests of uncommitted changes; fast"
	@echo "make test-wide  what 'make test' leaves out and CI runs: every screen in every language, longer fuzzing"
	@echo "make test-long  20,000 random runs of the consent screen, ten minutes of fuzzing"
	@echo "make test-models  100,000 random calls of evaluations and 1,000 random campaigns, on each database"
	@echo "make test-ha    three nodes and three databases under load, while machines fail; as root"
	@echo "make test-overload  one node at ten times its peak, one beside three, SIGTERM under load"
	@echo "make test-upgrade  the former version and this one side by side"
	@echo "make test-power-cut  10,000 images of a disk whose power was cut, of a server and of a witness"
	@echo "make test-documents  59 real PDFs from public packages, beside poppler's images and words"
	@echo "make fuzz    fuzzing, 5 seconds for each target; FUZZ_SECONDS=N for longer"
	@echo "make release all files of a release, in dist/release; make release-check judges them,"
	@echo "             make release-again builds them once more and compares every byte"
	@echo "make bench   benchmarks, compared with peers and limits"
	@echo "make fmt     format everything"

# --- set-up -----------------------------------------------------------------------------------

node_modules/.made: package-lock.json package.json packages/*/package.json apps/*/package.json e2e/package.json tools/schema/package.json
	tools/need node npm cargo
	npm ci --ignore-scripts --no-audit --no-fund --loglevel error
	@touch $@

.PHONY: browser postgres
browser:
	@tools/need-package $(CHROMIUM) chromium-headless-shell
postgres:
	@tools/need-package '/usr/lib/postgresql/*/bin/initdb' postgresql

WEB_SOURCES := $(shell find packages/*/src apps -name node_modules -prune -o -name dist -prune -o -type f -print)
WEB := apps/rider/dist/.made apps/console/dist/.made
$(WEB): apps/%/dist/.made: node_modules/.made $(WEB_SOURCES)
	npm run --silent build -w apps/$*
	@touch $@

# --- the two commands -------------------------------------------------------------------------

# ARGS passes options to `serve`, DATA selects the data directory: make run DATA=other ARGS='--listen 127.0.0.1:8081'.
DATA ?= data

# Builds a part of what `make build` does, so that nothing is built twice: with a test (the smallest) among what is asked
# for, Cargo selects the features that tests need. `make release` builds the optimised program.
.PHONY: run
run:
	@echo "Building Musette: the first build takes less than 8 minutes on 2 idle cores, later ones seconds."
	@$(MAKE) --no-print-directory $(WEB)
	cargo build --workspace --bin musette --test demo
	target/debug/musette serve --demo --data $(DATA) $(ARGS)

.PHONY: test
test: browser postgres
	@tools/steps web build rust,e2e,attack,unit,packages,deploy,fuzz,statistics,lint,integration,oracle,openfeature

# Sweeps that seldom find what `make test` does not. CI runs one of ten slices: SLICE=3 make test-wide.
.PHONY: test-wide
test-wide: browser postgres web build
	@tools/wide $(SLICE)

# --- parts of `make test`: `##` says what each does and about how long it takes on 2 cores --------

.PHONY: web lint build rust unit check openfeature packages e2e fuzz bench fmt
web: $(WEB) ## the two web applications; 1 minute

lint: node_modules/.made ## format, lints of TypeScript, types, licences, known vulnerabilities; 1 minute
	cargo fmt --all --check
	npm run --silent lint
	npm run --silent types
	node tools/licences/check.mjs
	python3 tools/audit/audit.py
	tools/words
	tools/commits

# Programs, tests, benches and examples in one build: separate builds would select different features of the
# dependencies and build them twice. Clippy compiles our crates (.cargo/config.toml).
build: ## all Rust programs and tests, with clippy's lints; 7 minutes
	tools/no-warnings cargo build --workspace --all-targets

rust: postgres ## Rust tests, on SQLite and PostgreSQL; 10 minutes
	@tools/rust-tests

unit: node_modules/.made ## TypeScript tests; 3 minutes
	npm run --silent unit
	@PYTHONDONTWRITEBYTECODE=1 bench/kept

# For uncommitted changes. TypeScript: the tests that import a changed file. Rust: the unit tests, if core
# or store changed; `make rust` also tests the running program.
check: postgres node_modules/.made $(WEB)
	@tools/steps build,lint
	npx vitest run --changed --passWithNoTests
	git diff --quiet HEAD -- crates/core crates/store || tools/with-postgres cargo test --quiet --workspace --lib

# Compares our statistics with those of gbstats.
.PHONY: statistics
statistics: ## statistics, compared with gbstats; 1 minute
	@tools/need-package '/usr/lib/python3*/ensurepip' python3-venv
	tools/gbstats/run

# Compares the program's flag evaluations with those of a second, independent implementation, over generated
# documents. Also compares what it serves after an import from Unleash, GrowthBook and flagd with their own SDKs.
# SEED=7 ORACLE_DOCUMENTS=40 ORACLE_IMPORTS=10 make oracle uses other documents.
.PHONY: oracle
oracle: node_modules/.made ## flag evaluations, compared with a second implementation, imports with the SDKs of their services; 2 minutes
	@tools/need python3
	PYTHONDONTWRITEBYTECODE=1 python3 tools/oracle/compare.py $(MUSETTE_BIN)
	node tools/oracle/vendors/run.mjs

# Runs the official OpenFeature clients, unchanged, against the program.
openfeature: node_modules/.made ## the official OpenFeature clients against the program; seconds
	npm run --silent test:openfeature

# Runs the backends of docs/integration.md, with the official libraries of Standard Webhooks, and the programs of
# docs/decisions.md against the program.
.PHONY: integration
integration: node_modules/.made ## the programs of docs/integration.md and docs/decisions.md; 1 minute
	@tools/need-package '/usr/lib/python3*/ensurepip' python3-venv
	tools/integration/run

# Sends valid and invalid requests to every operation of openapi.json.
# EXAMPLES=200 SEED=7 STORES='SQLite PostgreSQL' make attack sends more and different ones, on both databases.
.PHONY: attack
attack: postgres ## schemathesis against every operation of openapi.json; 2 minutes
	@tools/need-package '/usr/lib/python3*/ensurepip' python3-venv
	tools/with-postgres tools/schemathesis/run

# Checks the files of deploy/ with the programs that read them, and runs three nodes behind its proxies.
.PHONY: deploy proxies
proxies:
	@tools/need-package /usr/sbin/nginx nginx-light
	@tools/need-package /usr/bin/caddy caddy
deploy: postgres proxies ## deploy/, checked by the programs that read it, and run behind its proxies; 1 minute
	@tools/need-package /usr/sbin/haproxy haproxy
	@tools/need-package /usr/bin/promtool prometheus
	@tools/need-package /usr/bin/patroni patroni
	@tools/need-package /usr/bin/docker-compose docker-compose
	@tools/need-package /usr/lib/python3/dist-packages/kubernetes python3-kubernetes
	@tools/need-package /usr/lib/python3/dist-packages/yaml python3-yaml
	@tools/need-package /usr/bin/systemd-analyze systemd
	@tools/need-package /usr/sbin/pgbouncer pgbouncer
	@tools/need-package /usr/lib/python3/dist-packages/psycopg2 python3-psycopg2
	PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tools/deploy/check.py $(MUSETTE_BIN)
	PYTHONDONTWRITEBYTECODE=1 tools/with-postgres /usr/bin/python3 tools/deploy/rehearse.py $(MUSETTE_BIN)
	@tools/need-package /usr/lib/python3/dist-packages/seccomp.*.so python3-seccomp
	PYTHONDONTWRITEBYTECODE=1 tools/with-postgres /usr/bin/python3 tools/deploy/deployments.py $(MUSETTE_BIN)
	@# It starts servers as the user postgres.
	if [ "$$(id -u)" = 0 ]; then PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tools/deploy/databases.py $(MUSETTE_BIN); fi

# Three PostgreSQL under Patroni and three nodes of Musette behind HAProxy, as deploy/ has them, under load, while machines
# lose their power, are cut off, stop and change places. As root, since each machine gets a network of its own; about eight
# minutes, so not a part of `make test`. It ends by itself and leaves nothing behind. TTL=20 takes the example's own times,
# FAULTS='partition partition' only these faults.
.PHONY: test-ha
test-ha: postgres
	@tools/need-package /usr/sbin/haproxy haproxy
	@tools/need-package /usr/bin/patroni patroni
	@tools/need-package /usr/lib/python3/dist-packages/etcd python3-etcd
	@tools/need-package /usr/bin/etcd etcd-server
	@tools/need-package /usr/sbin/ip iproute2
	PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tools/deploy/patroni_cluster.py $(MUSETTE_BIN)

# One node at ten times its peak for a minute, one node beside three, SIGTERM under load. On loopback; about four minutes.
# FLOOD_SECONDS=20 is shorter. The program should be an optimised one: make test-overload MUSETTE_BIN=target/release/musette.
.PHONY: test-overload
test-overload: postgres
	@tools/need-package /usr/sbin/haproxy haproxy
	@tools/need-package /usr/bin/wrk wrk
	@tools/need-package /usr/lib/python3/dist-packages/psycopg2 python3-psycopg2
	@tools/need-package /usr/lib/python3/dist-packages/yaml python3-yaml
	DURABLE=1 PYTHONDONTWRITEBYTECODE=1 tools/with-postgres /usr/bin/python3 tools/deploy/overload.py $(MUSETTE_BIN)

# The version of tools/deploy/former-version and today's on one PostgreSQL: a rolling upgrade under load, the way back, and
# forward again. Building the former one takes as long as a first build. DECISIONS=1000000 imports so many before, and says
# how long each migration held which lock; FORMER=COMMIT takes another version.
.PHONY: test-upgrade
test-upgrade: postgres
	@tools/need-package /usr/lib/python3/dist-packages/psycopg2 python3-psycopg2
	former=$$(tools/deploy/build-former $(FORMER)) && \
		DURABLE=1 PYTHONDONTWRITEBYTECODE=1 tools/with-postgres /usr/bin/python3 tools/deploy/upgrade.py "$$former" $(MUSETTE_BIN) $(DECISIONS)

# 10,000 images of the disk after a power failure, made from the writes and syncs of a server on SQLite. IMAGES=1000 makes
# fewer, SEED=7 others.
.PHONY: test-power-cut
test-power-cut:
	@tools/need-package /usr/bin/strace strace
	PYTHONDONTWRITEBYTECODE=1 python3 tools/deploy/power_cut.py $(MUSETTE_BIN) $(IMAGES)
	PYTHONDONTWRITEBYTECODE=1 python3 tools/deploy/power_cut_witness.py $(MUSETTE_BIN) $(IMAGES)

# Documents made from a model of what they show, read back. SEED=7 DOCUMENTS=2000 tries others than `make test`;
# KEEP=FOLDER keeps those that are read as something else.
.PHONY: read-back
read-back:
	@tools/need cargo
	SEED=$(SEED) DOCUMENTS=$(or $(DOCUMENTS),2000) cargo test -p musette-render --lib never_read_without -- --nocapture

# 1,000 random marks on pages of the demo's handbooks: each is shown as a part of its page, and no other page changes.
# MUTATIONS=100 makes fewer, SEED=7 others.
.PHONY: mutations
mutations:
	@tools/need cargo
	SEED=$(SEED) MUTATIONS=$(or $(MUTATIONS),1000) cargo test -p musette-render --lib each_mark_on -- --nocapture

# Real PDFs from packages of PyPI, npm and Debian 12, as publishing draws and reads them, beside the images and words of
# poppler; about ten minutes. ONLY=NAME takes some of them, UPDATE=1 writes bench/results/documents.md.
.PHONY: test-documents
test-documents:
	@tools/need node npm cargo
	@tools/need-package /usr/bin/pdftoppm poppler-utils
	@tools/need-package /usr/share/poppler/cMap poppler-data
	@tools/need-package /usr/share/fonts/opentype/urw-base35 fonts-urw-base35
	@tools/need-package '/usr/lib/python3*/ensurepip' python3-venv
	tools/documents/run

# Known vulnerabilities in dependencies, licences, bans and sources, by cargo-deny if it is installed.
# Without it and offline: a snapshot of the advisories (tools/audit), which `make lint` checks too.
.PHONY: audit
audit:
	python3 tools/audit/audit.py
	tools/words
	tools/commits
	node tools/licences/check.mjs
	@if command -v cargo-deny >/dev/null; then cargo deny check; else echo 'cargo-deny is not installed: "cargo install --locked cargo-deny", then again'; fi

# Lists the components of a release: dist/sbom-rust.json and dist/sbom-npm.json, CycloneDX.
.PHONY: sbom release
sbom:
	node tools/sbom/sbom.mjs

# Static programs, a Debian package, the container's root file system, npm packages, SBOMs, SHA256SUMS.
# ARCHITECTURES=x86_64 makes those of one processor only.
release: node_modules/.made $(WEB)
	tools/release/release

# From an empty clone in another folder, compared with dist/release byte by byte. As long as the first time.
.PHONY: release-again
release-again:
	tools/release/again

# Installs, upgrades and purges the Debian package in a fresh Debian, runs the container's root file system. As root.
.PHONY: release-check
release-check:
	@tools/need-package /usr/bin/lintian lintian
	@tools/need-package /usr/sbin/debootstrap debootstrap
	@tools/need-package /usr/bin/systemd-analyze systemd
	tools/release/check

# Builds the npm packages, checks their sizes, and installs them into an application outside this repository.
packages: browser proxies node_modules/.made ## the npm packages, built, and installed into a separate application; 2 minutes
	npm run --silent packages
	npm run --silent lint:packages
	npm run --silent size
	npm run --silent test:embedding
	npm run --silent test:proxies

e2e: browser node_modules/.made $(WEB) ## browser tests against the program; 20 minutes
	npm run --silent test -w e2e -- --project main

# Model-based test of the consent screen: random sequences of people, tabs, lost responses and clocks. `make
# unit` runs a few of them.
.PHONY: test-long
test-long: node_modules/.made
	FUZZ_SECONDS=600 $(MAKE) --no-print-directory fuzz
	# In parts: the simulated browser keeps half a megabyte of each run until the process ends.
	for first in $$(seq 1 2000 $(or $(RUNS),20000)); do \
		SEED=$$first RUNS=2000 npx vitest run packages/react/src/consent/model; done

# Model-based tests of evaluations and campaigns, on SQLite and PostgreSQL. `make rust` runs a few of them. STEPS=10000
# and RUNS=100 make fewer, SEED=7 starts with this seed.
.PHONY: test-models
test-models: postgres
	MUSETTE_MODEL_STEPS=$(or $(STEPS),100000) MUSETTE_MODEL_RUNS=$(or $(RUNS),1000) \
		$(if $(SEED),MUSETTE_MODEL_SEED=$(SEED)) tools/with-postgres cargo test -p musette-store --lib -- \
		--nocapture random_calls_follow_the_table random_runs_tell_each_rider

# Fuzzes all parsers of untrusted input, all targets in parallel. FUZZ_SECONDS=600 make fuzz runs longer,
# FUZZ="--target notes" runs one target. From ten minutes on it also runs `make attack` with more examples.
FUZZ_SECONDS ?= 5
fuzz: ## fuzzing of all parsers of untrusted input; 1 minute
	cargo build --workspace --all-targets --quiet
	target/debug/musette-fuzz $(FUZZ)
	FUZZ_SECONDS=$(FUZZ_SECONDS) cargo test --quiet --workspace --test 'fuzz*' -- --test-threads 8
	@if [ "$(FUZZ_SECONDS)" -ge 600 ]; then EXAMPLES=$${EXAMPLES:-200} STORES='SQLite PostgreSQL' $(MAKE) --no-print-directory attack; fi

# PARTS='units flags' make bench runs only these parts.
bench: browser postgres $(WEB)
	bench/run $(PARTS)

fmt:
	cargo fmt --all
	npm run --silent format
