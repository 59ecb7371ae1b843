# Porchlight's commands. `make` lists them.
#
# Requires the Rust toolchain, Node.js with npm, make and git. `make test` installs the rest.

SHELL := bash
TARGET := $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)
BINARY := $(TARGET)/debug/porchlight
NPM := npm --prefix ui
STEP := .ci/step
# Steps off the critical path run at a lower priority than the server's build and tests, which take the longest.
BACKGROUND := nice -n 5 $(STEP)
PACKAGES := ui/node_modules/.package-lock.json

# In a fresh clone everything is compiled once, and writing an incremental cache takes longer than it saves. A cache from an
# everyday build is used.
ifeq ($(wildcard $(TARGET)/debug/incremental),)
export CARGO_INCREMENTAL ?= 0
endif

# NODE_ENV would change which packages are installed and which build of React is tested.
unexport NODE_ENV

.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

.PHONY: help
help: ## list these commands
	@sed -nE 's/^([a-z0-9-]+):[^#]*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

# ---- everyday commands

.PHONY: run format generate quick
run: ## run the demonstration at http://127.0.0.1:8080
	cargo run --release -- serve --demo

format: $(PACKAGES) ## format all code
	cargo fmt
	$(NPM) run format

generate: $(PACKAGES) ## write openapi.yaml from the server's code, and the UI's client from openapi.yaml
	PORCHLIGHT_SKIP_UI=1 cargo run --quiet -- openapi --write
	$(NPM) run generate

quick: $(PACKAGES) ## before each commit, in two minutes: formatting, lints, types, unit tests, and the UI's tests of what isn't committed
	cargo fmt --check
	$(NPM) run --silent format:check
	$(NPM) run --silent lint
	$(NPM) run --silent typecheck
	$(LINTED) cargo test --locked --lib
	cd ui && npx vitest run --changed

# ---- `make test`: everything is built once, three steps run at a time

# The order lets the server's tests be built and run without a gap. The other steps together take about as long.
STEPS := fmt server-build chromium client ui-format ui-lint ui-types server-test e2e other-browsers ui-test client-check fuzz-api contract budget

.PHONY: test clippy tools $(STEPS)
test: ## check and test everything, also in a browser
	@MAKE="$(MAKE)" $(STEP) --all $(STEPS)

fmt: ## check the format of the Rust code
	@$(STEP) fmt cargo fmt --check

chromium:
	@$(BACKGROUND) chromium .ci/chromium

ui-format: $(PACKAGES) ## check the format of the TypeScript code
	@$(BACKGROUND) ui-format $(NPM) run --silent --if-present format:check

ui-lint: $(PACKAGES) ## lint the UI
	@$(BACKGROUND) ui-lint $(NPM) run --silent lint

ui-types: $(PACKAGES) ## check the UI's types
	@$(BACKGROUND) ui-types $(NPM) run --silent typecheck

client: $(PACKAGES) ## check that the UI's client is up to date with openapi.yaml
	@$(BACKGROUND) client .ci/generated

# After the server's build, because most other steps wait for that.
ui-test: $(PACKAGES) server-build ## the UI's own tests
	@$(STEP) ui-test $(NPM) test

clippy: $(PACKAGES) ## lint only the server; `make test` does so while it builds
	@$(STEP) clippy cargo clippy --locked --all-targets -- -D warnings

# One build for lints and tests: clippy-driver is rustc with more lints, and compiles our own crate instead of rustc. Without
# debug information, which only backtraces need. Everyday builds have it, and share only the dependencies.
LINTED := RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__ CARGO_PROFILE_DEV_DEBUG=0

# Steps that need only the server start while its tests are compiled. The benchmark is built too, because cargo then selects
# the same features of the dependencies as for the tests, and compiles them once.
server-build: $(PACKAGES) ## build the server, and lint it
	@$(STEP) server-build env $(LINTED) cargo build --locked --bin porchlight --bench speed

# age for the tests of encrypted backups, strace for the power-cut tests, faketime for the clock-jump tests (e2e too), nginx and Caddy for the documented samples,
# pebble for https at home.
# Without them, their tests are skipped with a message. Runs after chromium, because both may install packages. python3-venv
# is for fuzz-api and client-check, which run concurrently.
tools: chromium
	@$(BACKGROUND) tools bash -c '.ci/tools age strace faketime nginx caddy curl iproute2 pebble python3-venv systemd || true'

# Most of the server's tests wait for the disk, so more of them run at a time than there are processors.
TEST_THREADS = $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN))))

# One target, so that no other step starts between the two.
server-test: server-build tools ## build the server's tests, and lint them; then run them
	@$(STEP) test-build env $(LINTED) cargo test --locked --no-run --all-targets
	@$(STEP) server-test env $(LINTED) RUST_TEST_THREADS=$(TEST_THREADS) cargo test --locked --no-fail-fast

contract: server-build ## check that openapi.yaml is up to date with the server's code
	@$(BACKGROUND) contract bash -c 'diff -u openapi.yaml <($(BINARY) openapi) || { echo "openapi.yaml differs from the code. Run: make generate"; exit 1; }'

client-check: server-build tools $(PACKAGES) ## check openapi.yaml with a linter, and with a generated client that delivers and reads
	@$(BACKGROUND) client-check .ci/client-check

fuzz-api: server-build tools ## send generated hostile requests to a running server
	@$(BACKGROUND) fuzz-api .ci/fuzz-api

budget: server-build ## check the size of the UI
	@$(BACKGROUND) budget $(NPM) run --silent budget

e2e: $(PACKAGES) server-build tools ## test the whole product in a browser
	@$(STEP) e2e env PORCHLIGHT_BIN=$(BINARY) $(NPM) run --silent e2e

other-browsers: $(PACKAGES) server-build tools ## run a dozen journeys in Firefox and in WebKit, if they are installed
	@$(BACKGROUND) other-browsers env PORCHLIGHT_BIN=$(BINARY) .ci/other-browsers

$(PACKAGES): ui/package-lock.json
	@$(STEP) packages $(NPM) ci --include=dev --include=optional --no-audit --no-fund

.PHONY: languages test-plugins test-release
languages: $(PACKAGES) chromium ## walk over the UI and the emails in an accented and a mirrored language: what is in English, cut or on the wrong side
	mkdir -p $(TARGET)/emails
	env $(LINTED) EMAILS=$(TARGET)/emails cargo test --locked --lib --quiet each_language
	EMAILS=$(TARGET)/emails $(NPM) run --silent languages:walk

test-release: ## test the packages of `make release`: install them in a clean Debian, upgrade, remove; arm64 in an emulator
	.ci/release-test

test-plugins: server-build ## test the plug-ins with the real packages of their stacks, pinned, and the gateway with real clients
	@$(STEP) test-plugins env $(LINTED) .ci/plugins

.PHONY: test-container
test-container: ## build the image and run it, also with many families, with the documented commands; as root on Debian
	@STEP_SECONDS=5400 $(STEP) test-container .ci/container-test

# ---- occasional commands

.PHONY: test-long fuzz deny crash soak bench bench-browser dist licences pictures release
test-long: deny $(PACKAGES) ## the slow checks: licences and sources, the tests marked #[ignore] (crash and soak too), 30,000 hostile requests, slow clients, the UI's tests with late answers
	.ci/tools age strace faketime nginx caddy curl iproute2 pebble
	cargo test --locked -- --ignored --nocapture
	.ci/fuzz-api 40 6
	.ci/slow
	PATIENT_TESTS=1 ANSWERS_LATE_MS=250 $(NPM) test

fuzz: ## fuzz each parser of untrusted input for ten minutes (FUZZ_SECONDS); needs cargo-fuzz and the nightly toolchain
	for target in fuzz/fuzz_targets/*.rs; do \
		PORCHLIGHT_SKIP_UI=1 cargo +nightly fuzz run -s none "$$(basename "$$target" .rs)" -- \
			-max_total_time=$(or $(FUZZ_SECONDS),600) || exit 1; \
	done

deny: ## check the licences and sources of the dependencies
	.ci/deny

crash: $(PACKAGES) ## test durability: hundreds of kills and power cuts under load, and kills during a migration, in about 40 minutes
	.ci/tools strace
	cargo test --locked --test binary -- --ignored --nocapture --test-threads 1 durability:: deletion_kills:: power_cut:: faults:: versions::a_migration

soak: $(PACKAGES) ## half an hour (SOAK_MINUTES) of load and kills: memory, descriptors and the folder must not grow
	cargo test --locked --test binary -- --ignored --nocapture soak::

bench: dist ## measure throughput, latency and memory against baselines; BENCH="--seconds 5" passes options
	.ci/tools wrk
	PORCHLIGHT_BIN=$(TARGET)/dist/porchlight cargo bench --locked --bench speed -- $(BENCH)

bench-browser: dist $(PACKAGES) chromium ## measure load and scroll times on a throttled phone
	PATIENT_TESTS=1 PORCHLIGHT_BIN=$(TARGET)/dist/porchlight $(NPM) run --silent bench

dist: ## build the optimised binary for distribution
	cargo build --locked --profile dist --bin porchlight
	@ls -lh $(TARGET)/dist/porchlight

licences: $(PACKAGES) ## collect the licences of everything that the binary contains, after a change of Cargo.lock or package-lock.json
	$(NPM) run --silent build
	$(NPM) run --silent licences

# Not those of docs/pictures/other-apps, which show other programs and were taken by hand.
pictures: $(PACKAGES) server-build tools ## make the pictures of README.md and docs/ from the demonstration, after a page changed
	PATIENT_TESTS=1 PORCHLIGHT_BIN=$(BINARY) $(NPM) run --silent pictures

release: $(PACKAGES) ## build the packages for x86-64 and arm64 Linux with glibc 2.31 or later, into target/release-packages
	.ci/release
