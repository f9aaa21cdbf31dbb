# The two commands are `make demo` and `make test`; `make help` prints this.
#
#   make demo                  a finished month, end to end, in real Airflow; leaves nothing running
#   make demo KEEP=1           the same, but Airflow and Postgres stay up; prints URL and login
#   make demo SOURCE=FILE.nt.gz [AS_OF=YYYY-MM-DD]   the same on an RDF dump in Wikidata's format
#   make real-model            ask a small real model, SmolLM2-135M-Instruct, the same month (building its server takes
#                              about 5 minutes the first time); make page REAL=1 serves its page
#   make tuned-model           fine-tune that model with TRL on what it got wrong in the demo's month, ask it again and
#                              compare (its server as above, and TRL with torch: 1.5 GB); SAMPLE=0 asks all questions, not 120
#   make edited-model          edit that model with FastEdit where it was wrong, ask it again and compare (the same downloads);
#                              LIMIT=6 makes that many edits, not 150; SAMPLE=120 asks part of the month
#   make page                  serve the results page of the last demo until Ctrl-C; if KEEP=1 left one running, print its address
#   make stop                  stop what KEEP=1 left running
#   make test                  the test suite in three processes; WORKERS=2 takes 1.3 GB less and longer
#   make coverage              the suite with line coverage; takes almost twice the time of `make test`
#   make lint                  check style, types and import rules;  make format  fix what can be fixed automatically
#   make setup                 what all of them share: .venv, pinned packages, SWI-Prolog
#   make clients               an environment with other clients of TGI, so that their conformance tests run
#   make tiny-model            train, serve, ask and judge a tiny real model (torch and transformers, 1.2 GB)
PYTHON ?= python3
VENV   ?= .venv
TORCH  ?= cpu
HASHES ?= on
# Three on two cores: while one waits for a scheduler or a server, the others work.
WORKERS ?= 3
BIN    := $(VENV)/bin
REAL_VENV ?= $(CURDIR)/.venv-real-model
TUNED_VENV ?= $(CURDIR)/.venv-tuned-model
# Without bytecode each worker would compile, with their assertions written out, all tests and hypothesis anew: 6 s of a core.
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest
export PYTHON VENV TORCH HASHES REAL_VENV TUNED_VENV

.PHONY: help setup demo page stop test coverage lint format clients tiny-model real-model tuned-model edited-model
help:
	@sed -n 's/^#   //p' Makefile

setup:
	@sh scripts/setup.sh
# As pip compiles what it installs: where Python may write no bytecode, each of a month's processes would compile ours anew.
	@-$(BIN)/python -m compileall -q halluvault_tasks plugins dags studies tests

demo: setup
	@$(BIN)/halluvault demo run $(if $(SOURCE),--source "$(SOURCE)") $(if $(AS_OF),--as-of "$(AS_OF)") $(if $(filter-out 0 no,$(KEEP)),--keep)

page: setup
	@$(BIN)/halluvault demo page $(if $(SOURCE),--source "$(SOURCE)") $(if $(filter-out 0 no,$(REAL)),--real-model)

stop: setup
	@$(BIN)/halluvault demo stop $(if $(SOURCE),--source "$(SOURCE)") $(if $(filter-out 0 no,$(REAL)),--real-model)

real-model: setup
	@sh scripts/real-model.sh
	@$(BIN)/halluvault demo run --real-model "$(REAL_VENV)/bin/python" $(if $(filter-out 0 no,$(KEEP)),--keep)

tuned-model: setup
	@sh scripts/real-model.sh
	@sh scripts/tuned-model.sh
	@$(BIN)/halluvault demo tuned --server "$(REAL_VENV)/bin/python" --trainer "$(TUNED_VENV)/bin/python" $(if $(SAMPLE),--sample $(SAMPLE))

edited-model: setup
	@sh scripts/real-model.sh
	@sh scripts/tuned-model.sh
	@$(BIN)/halluvault demo edited --server "$(REAL_VENV)/bin/python" --trainer "$(TUNED_VENV)/bin/python" $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(LIMIT),--limit $(LIMIT))

test: setup
	@$(PYTEST) -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

coverage: setup
	@$(PYTEST) -n $(WORKERS) --dist loadfile --no-loadscope-reorder --cov --cov-report=term $(ARGS)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clients:
	test -x .venv-clients/bin/python || $(PYTHON) -m venv .venv-clients
	.venv-clients/bin/pip install --quiet text-generation==0.7.0 openai

tiny-model: setup
	test -x .venv-tiny-model/bin/transformers || { $(PYTHON) -m venv .venv-tiny-model && \
	  .venv-tiny-model/bin/pip install --quiet torch==2.13.0 'transformers[serving]'; }
	HALLUVAULT_TINY_MODEL_PYTHON="$(CURDIR)/.venv-tiny-model/bin/python" \
	  $(BIN)/python -m pytest -s tests/integration/test_tiny_model.py
