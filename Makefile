# The two commands are `make demo` and `make test`; `make setup` is the part they share.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: setup demo test lint format
setup:            ## virtualenv, pinned packages, SWI-Prolog
	@PYTHON=$(PYTHON) VENV=$(VENV) TORCH=$(TORCH) sh scripts/setup.sh
lint: setup       ## style, types and floors
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports
format: setup
	$(BIN)/ruff format . && $(BIN)/ruff check --fix .
