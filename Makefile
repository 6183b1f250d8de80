# Everything sets itself up: a virtual environment in .venv, and what the target needs in it.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
PYTHONS := 3.11 3.12 3.13 3.14
# One process more than there are cores, as tests of the browser and of clusters wait for others
PYTEST = $(BIN)/python -m pytest -n $$(( $$($(BIN)/python -c 'import os; print(os.cpu_count())') + 1 )) --dist worksteal

# Compiled files are kept, even by who forbids it elsewhere: tests start many processes, and each would compile everything
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test suite test-all test-floor wheels sanitize deep fuzz mutants bench bench-against coverage mass atlas coq docs \
	paper site tutorials picture clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

demo: $(VENV)/.installed  ## show the scorecard of a classifier
	@$(BIN)/goodmeasure demo

test: $(VENV)/.test browser java  ## linters, types, and every test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(BIN)/mypy >$(VENV)/types 2>&1 & types=$$!; \
	$(PYTEST); tests=$$?; wait $$types; types=$$?; cat $(VENV)/types; exit $$(( tests + types ))

suite: $(VENV)/.test browser java  # every test, or those that TESTS names, and no linters
	$(PYTEST) $(TESTS)

test-all:  ## every test with each Python from 3.11 to 3.14 that is installed, and with the oldest dependencies
	tests/every_python.sh $(PYTHONS) floor

wheels: $(VENV)/.test  ## build everything that is released twice, compare, install it in empty environments, compile for Windows
	$(BIN)/python -m pip install -q --group release
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tests.release

test-floor:  ## every test with the oldest dependencies that are allowed
	tests/every_python.sh floor

.PHONY: browser java
browser: $(VENV)/.test  # a real browser for the report's tests, where it can be had
	@tests/install.sh chromium $(VENV)/missing-chromium chromium-browser google-chrome

java: $(VENV)/.test  # what Spark runs on, for the tests of engines
	@tests/install.sh default-jre-headless $(VENV)/missing-java java

sanitize: $(VENV)/.test  ## the compiled kernel under AddressSanitizer and UndefinedBehaviorSanitizer
	PYTHON=$(BIN)/python tests/sanitize.sh

fuzz: $(VENV)/.test  ## attack the reading of files, proofs and the atlas for a while (SECONDS=60, SEED=0, ONLY=proofs)
	$(BIN)/python -m tests.fuzz --seconds $(or $(SECONDS),60) --seed $(or $(SEED),0) $(if $(ONLY),--only $(ONLY))
	$(if $(ONLY),,$(BIN)/python -m tests.theory.test_user_measures)
	$(if $(ONLY),,$(BIN)/python -m tests.theory.kernel.random_trees --seed $(or $(SEED),0))
	$(if $(ONLY),,$(BIN)/python -m tests.theory.kernel.random_changes --seed $(or $(SEED),0))

deep: SEED ?= $(shell date +%s)
deep: $(VENV)/.test browser java  ## what takes longer, every night: new examples, mutants, fuzzers, coverage, Coq (SEED=…)
	@echo "SEED=$(SEED)"
	$(BIN)/python -m pip install -q --group site
	$(MAKE) tutorials
	HYPOTHESIS_PROFILE=deep $(PYTEST) --hypothesis-seed=$(SEED) tests
	$(MAKE) fuzz SECONDS=600 SEED=$(SEED)
	$(MAKE) mutants SAMPLE=100 SEED=$(SEED)
	$(MAKE) coverage TIMES=1
	$(MAKE) logs
	$(MAKE) coq WHAT=two

.PHONY: logs
logs:  ## write the logs of the tests again, each by the tool that it is of, in an environment of its own
	@for tool in inspect:inspect-ai deepeval:deepeval mlflow:mlflow "ragas:ragas langchain-community<0.4"; do \
		env=$(VENV)-$${tool%%:*}; set -e; $(PYTHON) -m venv $$env; \
		printf '%s\n' "$${tool#*:}" | tr ' ' '\n' | $$env/bin/python -m pip install -q -r /dev/stdin; \
		$$env/bin/python tests/data/make_verdict_logs.py $${tool%%:*}; done
	npm install --silent --prefix $(VENV)-promptfoo promptfoo
	PATH="$(CURDIR)/$(VENV)-promptfoo/node_modules/.bin:$$PATH" $(PYTHON) tests/data/make_verdict_logs.py promptfoo

mutants: $(VENV)/.test  ## put faults into a room, one at a time, and see which its tests miss (ROOM=theory/kernel, SAMPLE=200)
	$(BIN)/python -m tests.mutants $(or $(ROOM),theory/kernel) $(if $(SAMPLE),--sample $(SAMPLE) --seed $(or $(SEED),0))

bench: $(VENV)/.test  ## measure speed as ratios, side by side with peers
	$(BIN)/python -m benchmarks

bench-against: $(VENV)/.test  ## measure speed side by side with an earlier version (REVISION=HEAD~1)
	$(BIN)/python -m benchmarks.side_by_side $(or $(REVISION),HEAD~1)

coverage: $(VENV)/.test  ## how often intervals hold the true value (TIMES=1 is quick; a stopped run is taken up)
	$(BIN)/python -m benchmarks.coverage --times $(or $(TIMES),10)

mass: $(VENV)/bin/python  ## how many tokens each room of the package has, or each file of a room (ROOM=language)
	@$(BIN)/python benchmarks/mass.py $(ROOM)

atlas: $(VENV)/.test  ## decide every property of every measure again (minutes; a stopped run is taken up)
	$(BIN)/goodmeasure atlas --rebuild

coq: $(VENV)/.installed  ## check the atlas again in Coq, which is installed if it can be (an hour; a stopped run is taken up)
	@tests/install.sh coq $(VENV)/missing-coq coqc
	@command -v coqc >/dev/null || { echo "Coq is missing: $$(cat $(VENV)/missing-coq)"; exit 1; }
	$(BIN)/goodmeasure atlas --export coq coq/export
	$(MAKE) -C coq -j2 $(WHAT)

docs: $(VENV)/.test  ## write the pages that are generated from the catalogue
	$(BIN)/python docs/generate.py

site: $(VENV)/.test  ## write the documentation site to site/, and check its links
	$(BIN)/python -m pip install -q --group site
	rm -rf site
	$(BIN)/python -m sphinx -b html -W --keep-going -q -d $(VENV)/doctrees docs site
	$(BIN)/goodmeasure explore --export site/explore

tutorials: $(VENV)/.test  ## execute the tutorials and store their outputs
	$(BIN)/python docs/tutorials/make.py

paper: $(VENV)/.test  ## draw the figures of the paper, and write its bibliography
	$(BIN)/python -m paper.make

picture: $(VENV)/.test browser  ## take the pictures that the documentation shows
	$(BIN)/python docs/picture.py
	$(BIN)/python docs/explore_pictures.py

clean:  ## remove the virtual environment and caches
	rm -rf $(VENV) .venv-* .pytest_cache .mypy_cache .ruff_cache .hypothesis build src/*.egg-info

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "goodmeasure needs Python 3.11 or newer, and none was found on the PATH"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip

$(VENV)/.installed: pyproject.toml setup.py $(wildcard src/goodmeasure/counts/kernel/_*.c) | $(VENV)/bin/python
	$(BIN)/python -m pip install -q -e .
	@touch $@

$(VENV)/.test: pyproject.toml $(VENV)/.installed
	$(BIN)/python -m pip install -q --group test
	@touch $@
