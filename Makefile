# Porchlight's commands. `make` lists them.
#
# Needed beforehand: the Rust toolchain, Node.js with npm, make and git. `make test` installs the rest.

SHELL := bash
TARGET := $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)
BINARY := $(TARGET)/debug/porchlight
NPM := npm --prefix ui
STEP := .ci/step
# What nothing waits for gives way to the server's build and tests, which take the longest in a row.
BESIDE := nice -n 5 $(STEP)
PACKAGES := ui/node_modules/.package-lock.json

# In a fresh clone everything is compiled once, and a cache for the next time takes longer than it saves. Who has one from
# an everyday build keeps it.
ifeq ($(wildcard $(TARGET)/debug/incremental),)
export CARGO_INCREMENTAL ?= 0
endif

# A machine's own setting would change which packages are installed and which React is tested.
unexport NODE_ENV

.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

.PHONY: help
help: ## list these commands
	@sed -nE 's/^([a-z0-9-]+):[^#]*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

# ---- for every day

.PHONY: run format generate quick
run: ## start with the demonstration family, at http://127.0.0.1:8080
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

# ---- the one test command: each thing built once, three steps at a time

# In this order, so that the server's tests are built and run without a gap. The steps beside them take as long together.
STEPS := fmt server-build chromium client ui-format ui-lint ui-types server-test e2e other-browsers ui-test makers hostile contract budget

.PHONY: test clippy tools $(STEPS)
test: ## check and test everything, in a browser too
	@MAKE="$(MAKE)" $(STEP) --all $(STEPS)

fmt: ## is the Rust code formatted
	@$(STEP) fmt cargo fmt --check

chromium:
	@$(BESIDE) chromium .ci/chromium

ui-format: $(PACKAGES) ## is the TypeScript code formatted
	@$(BESIDE) ui-format $(NPM) run --silent --if-present format:check

ui-lint: $(PACKAGES) ## lint the UI
	@$(BESIDE) ui-lint $(NPM) run --silent lint

ui-types: $(PACKAGES) ## check the UI's types
	@$(BESIDE) ui-types $(NPM) run --silent typecheck

client: $(PACKAGES) ## is the UI's client what openapi.yaml says
	@$(BESIDE) client .ci/generated

# After the server's build, which everything else waits for.
ui-test: $(PACKAGES) server-build ## the UI's own tests
	@$(STEP) ui-test $(NPM) test

clippy: $(PACKAGES) ## lint the server and nothing more; `make test` does so while it builds
	@$(STEP) clippy cargo clippy --locked --all-targets -- -D warnings

# One build for lints and tests: clippy is a rustc with more lints, and here it compiles our own crate in rustc's place.
# Without debug information: only backtraces would show it. An everyday build, which shares only the libraries, has it.
LINTED := RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__ CARGO_PROFILE_DEV_DEBUG=0

# What needs the server alone starts while its tests are compiled. With a benchmark, because cargo then chooses the same
# features of the libraries as for the tests, and compiles them once.
server-build: $(PACKAGES) ## build the server, and lint it
	@$(STEP) server-build env $(LINTED) cargo build --locked --bin porchlight --bench speed

# strace for the power cut, faketime for the clock that jumps (e2e too), nginx and Caddy for the samples in the documents.
# Their tests say that they were skipped where they are missing. After chromium, because both may install packages.
# python3-venv is for hostile and makers, which run at the same time.
tools: chromium
	@$(BESIDE) tools bash -c '.ci/tools strace faketime nginx caddy curl iproute2 python3-venv systemd || true'

# Most tests of the server wait for the disk, so more of them run at a time than there are processors.
TEST_THREADS = $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN))))

# One target, so that no other step starts between its two.
server-test: server-build tools ## build the server's tests, and lint them; then run them
	@$(STEP) test-build env $(LINTED) cargo test --locked --no-run --all-targets
	@$(STEP) server-test env $(LINTED) RUST_TEST_THREADS=$(TEST_THREADS) cargo test --locked

contract: server-build ## is openapi.yaml what the server's code says
	@$(BESIDE) contract bash -c 'diff -u openapi.yaml <($(BINARY) openapi) || { echo "openapi.yaml differs from the code. Run: make generate"; exit 1; }'

makers: server-build tools $(PACKAGES) ## do others' tools understand openapi.yaml: a linter, and a generated client that delivers and reads
	@$(BESIDE) makers .ci/makers

hostile: server-build tools ## generated hostile requests against a running server
	@$(BESIDE) hostile .ci/hostile

budget: server-build ## is the UI small enough
	@$(BESIDE) budget $(NPM) run --silent budget

e2e: $(PACKAGES) server-build tools ## the whole product in a browser
	@$(STEP) e2e env PORCHLIGHT_BIN=$(BINARY) $(NPM) run --silent e2e

other-browsers: $(PACKAGES) server-build tools ## a dozen journeys in Firefox and in WebKit, where they are installed
	@$(BESIDE) other-browsers env PORCHLIGHT_BIN=$(BINARY) .ci/other-browsers

$(PACKAGES): ui/package-lock.json
	@$(STEP) packages $(NPM) ci --include=dev --include=optional --no-audit --no-fund

.PHONY: test-plugins test-release
test-release: ## the packages of `make release`: installed in a clean Debian, upgraded, removed; arm64 in an emulator
	.ci/release-test

test-plugins: server-build ## the plug-ins against the real packages of their stacks, pinned, and the real server
	@$(STEP) test-plugins .ci/plugins

.PHONY: test-container
test-container: ## build the image, and run it and many families as the administrator's page says; as root on Debian
	@$(STEP) test-container .ci/container-test

# ---- now and then

.PHONY: test-long fuzz deny crash soak bench bench-browser dist licences release
test-long: deny $(PACKAGES) ## what takes long: licences and sources, the tests marked #[ignore] (crash and soak too), 30,000 hostile requests, slow clients, the UI's tests with late answers
	.ci/tools strace faketime nginx caddy curl iproute2
	cargo test --locked -- --ignored --nocapture
	.ci/hostile 40 6
	.ci/slow
	ANSWERS_LATE_MS=250 $(NPM) test

fuzz: ## ten minutes (FUZZ_SECONDS) for each of what reads a stranger's bytes; needs cargo-fuzz and the nightly toolchain
	for target in fuzz/fuzz_targets/*.rs; do \
		PORCHLIGHT_SKIP_UI=1 cargo +nightly fuzz run -s none "$$(basename "$$target" .rs)" -- \
			-max_total_time=$(or $(FUZZ_SECONDS),600) || exit 1; \
	done

deny: ## may our dependencies be in here
	.ci/deny

crash: $(PACKAGES) ## is nothing lost: hundreds of kills and of power cuts under load, and kills during a migration, in some 40 minutes
	.ci/tools strace
	cargo test --locked --test binary -- --ignored --nocapture --test-threads 1 durability:: erasure:: power_cut:: faults:: versions::a_migration

soak: $(PACKAGES) ## half an hour (SOAK_MINUTES) of load and kills: do memory, descriptors and the folder stay small
	cargo test --locked --test binary -- --ignored --nocapture soak::

bench: dist ## measure throughput, latency and memory beside baselines; BENCH="--seconds 5" passes options
	.ci/tools wrk
	PORCHLIGHT_BIN=$(TARGET)/dist/porchlight cargo bench --locked --bench speed -- $(BENCH)

bench-browser: dist $(PACKAGES) chromium ## measure load and scroll times on a throttled phone
	PORCHLIGHT_BIN=$(TARGET)/dist/porchlight $(NPM) run --silent bench

dist: ## build the smallest, fastest binary, for giving away
	cargo build --locked --profile dist --bin porchlight
	@ls -lh $(TARGET)/dist/porchlight

licences: $(PACKAGES) ## collect the licences of everything that the binary contains, after a change of Cargo.lock or package-lock.json
	$(NPM) run --silent build
	$(NPM) run --silent licences

release: $(PACKAGES) ## build the packages for x86-64 and arm64 Linux with glibc 2.31 or later, into target/release-packages
	.ci/release
