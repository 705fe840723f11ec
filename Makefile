# make run    the house at port 8000, data in ./var
# make test   everything: check, then phones at one table
# make soak   the long counts before a release: hours
# make bench  what a move costs, in figures: docs/benchmarks.md

PYTHON ?= python3
BIN := .venv/bin
GAME ?= pisti
SEED ?= 1
TYPED = $(wildcard mokali app.py tests e2e tools)

# The hundred houses that tests open are compiled once, also where the machine would rather have no such files.
unexport PYTHONDONTWRITEBYTECODE

.NOTPARALLEL:
.PHONY: run test check lint unit fmt golden e2e phones talkers soak bench browser vendor clean

run: .venv/runtime
	$(BIN)/mokali serve

# Two halves of about the same length at once, since either waits a good deal; what phones and linters had to say comes
# at the end.
test: browser
	@log=$$(mktemp); $(MAKE) --no-print-directory --keep-going lint phones >$$log 2>&1 & phones=$$!; \
	$(MAKE) --no-print-directory --keep-going unit talkers; checked=$$?; \
	wait $$phones; played=$$?; cat $$log; rm -f $$log; exit $$((checked + played))

check: lint unit

lint: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy $(TYPED)
	$(BIN)/lint-imports

unit: .venv/dev
	$(BIN)/pytest tests mokali

e2e: phones talkers

TALKERS = e2e/test_talk.py e2e/test_voice.py

phones: browser
	$(BIN)/pytest e2e $(TALKERS:%=--ignore=%)

talkers: browser
	$(BIN)/pytest $(TALKERS)

soak: browser
	$(BIN)/pytest tests --soak
	$(BIN)/pytest e2e/test_gallery.py --every-size

bench: .venv/runtime
	$(BIN)/mokali bench

fmt: .venv/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

golden: .venv/dev       # make golden GAME=pisti SEED=1
	$(BIN)/python tests/golden.py $(GAME) $(SEED)

vendor:                 # needs npm; what it writes is kept in the repository
	bash deploy/vendor.sh

clean:                  # ./var stays
	rm -rf .venv build *.egg-info test-results .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/runtime: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

.venv/dev: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@ .venv/runtime

# Chromium is Playwright's own or the system's, Firefox the system's; those that are not there are installed from Debian.
HAS_CHROMIUM = command -v chromium >/dev/null || $(BIN)/python -c "import os; \
	from playwright.sync_api import sync_playwright as s; p = s().start(); \
	path = p.chromium.executable_path; p.stop(); raise SystemExit(not os.path.exists(path))"
HAS_FIREFOX = command -v firefox-esr >/dev/null || command -v firefox >/dev/null
# Caddy too, but not where installing it would open a web server: without it its tests are skipped.
HAS_CADDY = command -v caddy >/dev/null || test -d /run/systemd/system
APT = DEBIAN_FRONTEND=noninteractive apt-get

browser: .venv/dev
	@wanted=; { $(HAS_CHROMIUM); } || wanted=chromium; { $(HAS_FIREFOX); } || wanted="$$wanted firefox-esr"; \
	{ $(HAS_CADDY); } || wanted="$$wanted caddy"; \
	if [ -z "$$wanted" ]; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		$(APT) update && $(APT) install -y $$wanted; \
	elif command -v apt-get >/dev/null && sudo -n true 2>/dev/null; then \
		sudo -n env $(APT) update && sudo -n env $(APT) install -y $$wanted; \
	else \
		echo "The tests want chromium (or: $(BIN)/playwright install chromium), firefox and caddy;" \
			"not found here: $$wanted" >&2; \
		exit 1; \
	fi
