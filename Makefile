# Each target prints the commands that it runs, so that you can run them without make.

PYTHON ?= python3
WORKERS ?= 2
# `make setup TORCH=torch==2.12.0` takes another torch; pip's own variables choose its source.
TORCH ?= $(shell cat .venv/torch 2> /dev/null || echo torch==2.13.0)
BIN := .venv/bin
# .venv keeps the torch of the last TORCH=...
READY := .venv/ready-$(shell printf %s '$(TORCH)' | cksum | cut -d ' ' -f 1)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
PEERS := .venv-peers/bin/python
PEERS_PIP := $(PEERS) -m pip install --quiet --disable-pip-version-check
RLLIB := .venv-rllib/bin/python
RLLIB_PIP := $(RLLIB) -m pip install --quiet --disable-pip-version-check
TIANSHOU := .venv-tianshou/bin/python
LOWEST := .venv-lowest/bin/python
WHEEL := .venv-wheel/bin/python
# An idle worker takes over tests of a busy one; pytest lists the 15 slowest tests.
PYTEST := $(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal --durations 15
PAGES := tests/project tests/lab/pages tests/lab/bench/test_report.py tests/lab/test_results_page.py \
	tests/mascarade_agents/test_bots_page.py tests/mascarade_agents/test_readme.py
COVERING := $(patsubst %,tests/mascarade_env/game/test_%.py,\
		rules powers powers_with_choices rules_6_and_7 rules_9 scenarios event_sentences) \
	$(patsubst %,tests/mascarade_env/envs/test_%.py,decisions self_play_use) \
	tests/mascarade_agents/report tests/mascarade_agents/test_observation_reader.py \
	tests/mascarade_agents/test_power_values.py \
	tests/mascarade_train/test_policy_file.py \
	tests/lab/bench tests/lab/test_commands.py tests/lab/test_results_page.py

.DEFAULT_GOAL := help
.PHONY: help setup train test test-full test-nightly check coverage pages docs wheel lowest bench golden api observation actions events measures ladder equilibria results rllib tianshou picture versions fingerprint lessons

help: ## Show this list.
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: $(READY) ## Create .venv with everything that the other targets need.

$(READY): pyproject.toml constraints.txt
	$(BIN)/python -m pip --version > /dev/null 2>&1 || (rm -rf .venv && $(PYTHON) -m venv .venv)
	$(PIP) '$(TORCH)'
	$(PIP) -e '.[test,check]'
	rm -f .venv/ready-*
	echo '$(TORCH)' > .venv/torch
	touch $@

train: $(READY) ## Train agents by self-play for three minutes, and show what they learned.
	$(BIN)/mascarade train --preset quick

test: $(READY) ## Run fast tests of every kind: five minutes on two cores.
	$(PYTEST) -m "not slow"

test-full: $(READY) ## Run all tests: 13 minutes on two cores.
	$(PYTEST)

# Numba's cache does not distinguish code with checked bounds, so this target has its own cache.
test-nightly: $(READY) ## Run all tests with checked array bounds and far more random input: hours.
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/.venv/checked MASCARADE_EFFORT=10 \
		MASCARADE_FUZZ=100 $(PYTEST)

check: $(READY) ## Lint, format, types, import contracts and words.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/python -m lab prose
	$(BIN)/python -m lab lessons --check
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-forms \
		.github/ISSUE_TEMPLATE/bug.yml .github/ISSUE_TEMPLATE/idea.yml
	$(BIN)/zizmor --offline --quiet .github

# Coverage does not see compiled code, so the kernels run as plain Python: a hundred times slower.
coverage: $(READY) ## Measure which lines tests of few games reach, with kernels as plain Python.
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m "not slow" --cov --cov-report term-missing $(COVERING)

pages: $(READY) ## Test that generated pages are current, and that links work.
	$(PYTEST) $(PAGES)

docs: $(READY) ## Build the documentation site into site/; open site/index.html.
	$(BIN)/python -m sphinx -W --keep-going -q -d .venv/doctrees -c train/lab/site -b html . site

wheel: ## Build the package into dist/, and try the wheel in a new environment.
	rm -rf dist
	$(PYTHON) -m venv --clear .venv-wheel
	$(WHEEL) -m pip install --quiet --disable-pip-version-check -c constraints.txt build
	$(WHEEL) -m build
	$(PYTHON) -m venv --clear .venv-wheel
	$(WHEEL) -m pip install --quiet --disable-pip-version-check dist/*.whl
	$(WHEEL) -m pip check
	$(WHEEL) -I tests/project/smoke.py

lowest: .venv-lowest/ready ## Run all tests with the lowest versions that pyproject.toml allows.
	$(LOWEST) -m pytest -q -n $(WORKERS) --dist worksteal

# pip takes the lower bound of each requirement; TORCH chooses torch, as elsewhere.
.venv-lowest/ready: pyproject.toml
	rm -rf .venv-lowest
	$(PYTHON) -m venv .venv-lowest
	$(LOWEST) tests/project/lowest.py > .venv-lowest/constraints.txt
	$(LOWEST) -m pip install --quiet --disable-pip-version-check \
		-c .venv-lowest/constraints.txt '$(TORCH)' -e '.[test]'
	touch $@

bench: $(READY) .venv-peers/ready ## Measure speed on this machine, and other packages, into BENCHMARKS.md.
	$(BIN)/python -m lab bench --peers $(PEERS)

# If one of them does not install, install the others one by one.
.venv-peers/ready: train/lab/bench/requirements-peers.txt
	test -x $(PEERS) || $(PYTHON) -m venv .venv-peers
	$(PEERS_PIP) -r $< || for package in $$(grep -v '^#' $<); do $(PEERS_PIP) -c $< "$$package" || true; done
	touch $@

golden: $(READY) ## Regenerate the golden playthroughs; read the diff before you commit it.
	$(BIN)/python -m tests.mascarade_env.game.golden

fingerprint: $(READY) ## Write tests/fingerprints.json, and print which behaviour has changed.
	$(BIN)/python -m tests.fingerprints

observation: $(READY) ## Regenerate OBSERVATION.md from the declared blocks.
	$(BIN)/python -m lab observation

actions: $(READY) ## Regenerate ACTIONS.md from the numbering of actions.
	$(BIN)/python -m lab actions

events: $(READY) ## Regenerate EVENTS.md from the declared kinds of events.
	$(BIN)/python -m lab events

versions: $(READY) ## Regenerate VERSIONS.md; raise the versions that it asks for.
	$(BIN)/python -m lab versions

api: $(READY) ## Regenerate the list of public names; read the diff before you commit it.
	$(BIN)/python -m tests.project.public_api

measures: $(READY) ## Regenerate MEASURES.md from the declared measures.
	$(BIN)/python -m lab measures

lessons: $(READY) ## Run all lessons for ten minutes, and store what they show.
	$(BIN)/python -m lab lessons

ladder: $(READY) ## Play the agents against each other for five minutes, into agents/LADDER.md.
	$(BIN)/python -m lab ladder

rllib: .venv-rllib/ready ## Test training on Ray RLlib, in a separate environment.
	$(RLLIB) -m pytest -q tests/mascarade_env/adapters/test_rllib.py tests/mascarade_train/test_rllib.py

.venv-rllib/ready: train/mascarade_train/requirements-rllib.txt pyproject.toml
	test -x $(RLLIB) || $(PYTHON) -m venv .venv-rllib
	$(RLLIB_PIP) '$(TORCH)'
	$(RLLIB_PIP) -r $< -e . pytest
	touch $@

tianshou: .venv-tianshou/ready ## Test the page about Tianshou, in a separate environment.
	$(TIANSHOU) -m pytest -q tests/project/test_code_of_pages.py -k TIANSHOU

.venv-tianshou/ready: mascarade_env/adapters/requirements-tianshou.txt pyproject.toml
	test -x $(TIANSHOU) || $(PYTHON) -m venv .venv-tianshou
	$(TIANSHOU) -m pip install --quiet --disable-pip-version-check '$(TORCH)'
	$(TIANSHOU) -m pip install --quiet --disable-pip-version-check -r $< -e . pytest
	touch $@

# It begins with a bluff: player 2, who knows that their mask is the Thief, announces the Empress.
picture: $(READY) ## Redraw the game at the top of README.md.
	$(BIN)/mascarade record --agents honest,bluffer,sceptic,statistician --scenario 4A \
		--games 4 --seed 5 -o .venv/picture.jsonl
	$(BIN)/mascarade replay .venv/picture.jsonl --game 2 --perspective 2 --first 25 --seconds 2.5 \
		--svg mascarade_env/render/game.svg

results: $(READY) ## Regenerate train/RESULTS.md and its pictures from train/results.
	$(BIN)/python -m lab results

equilibria: $(READY) ## Solve the five small scenarios, into mascarade_env/exact/EQUILIBRIA.md.
	$(BIN)/python -m lab equilibria
