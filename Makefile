# The doors of the project. Every target sets up what it needs in .venv and works in a clone placed anywhere.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test serve bench check format coverage-map lock clean

demo: $(STAMP)
	@$(BIN)/trueline verify --store memory: examples/cases/*.json; code=$$?; test $$code -ne 2
	@echo; echo "A team of agents, one of whom lies and one of whom breaks:"; $(BIN)/python examples/research_team/run.py

test: $(STAMP)
	$(BIN)/python -m pytest -n auto --dist loadfile -q $(ARGS)

bench: $(STAMP)
	$(BIN)/python -m bench $(ONLY)

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

coverage-map: $(STAMP)
	$(BIN)/python tools/coverage_map.py

# A hashed lock that names no registry. Run it after changing pyproject.toml.
lock: $(STAMP)
	$(BIN)/uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-header --group dev --all-extras \
		pyproject.toml -o requirements/dev.lock

$(STAMP): requirements/dev.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "setting up $(VENV) …"
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/dev.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(STAMP)

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
