# Predeal: bare `make` prints the menu. Everything goes into a private .venv; second runs are quick.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := menu
.NOTPARALLEL:
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/.stamps
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements/constraints.txt
DEMO := controller/twin/demo.dup
CLOCK := tests/recovery

.PHONY: menu setup demo test test-long lint bench firmware flash mutants soak proof clean tools host-firmware avr-firmware coverage fuzz

menu: ## Prints this menu
	@echo 'Predeal, the open controller for machines that deal duplicate-bridge boards'
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

setup: $(STAMPS)/apt $(STAMPS)/base host-firmware avr-firmware $(STAMPS)/design ## Installs what is missing; then .venv/bin/predeal works

demo: setup ## Deals three boards on the simulated machine and its daemon, live, and proves them
	@$(BIN)/predeal deal $(DEMO) --twin --boards 1-3 --speed 1x --operator auto

test: setup lint ## Installs what is missing, checks the code and runs every quick test
	@$(BIN)/python -m pytest -q -n auto --dist loadfile -m 'not long and not clock' < /dev/null
	@$(BIN)/python -m pytest -q -m 'clock and not long' $(CLOCK) < /dev/null

test-long: setup tools $(STAMPS)/check ## The tests that need minutes
	@$(BIN)/python -m pytest -q -m long < /dev/null

lint: $(STAMPS)/base tools ## Style, types and import directions
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

bench: setup avr-firmware ## Measures the figures of docs/benchmarks.md, now and here
	@$(BIN)/predeal bench

firmware: host-firmware avr-firmware ## Builds the firmware for the machine and for both simulated ones
	@firmware/avr-size.sh firmware/build/predeal.elf firmware/board/avr/board.h
	@echo 'firmware/build/predeal.hex is what `make flash PORT=/dev/ttyACM0` writes into the machine.'

flash: firmware ## Writes the firmware into the machine: PORT=/dev/ttyACM0
	@[ -n '$(PORT)' ] || { echo 'Say which port the machine is at, such as: make flash PORT=/dev/ttyACM0 (ls /dev/serial/by-id shows them)' >&2; exit 1; }
	@[ -e '$(PORT)' ] || { echo 'There is no port $(PORT): is the cable in and the machine on? (ls /dev/serial/by-id shows the ports)' >&2; exit 1; }
	@command -v avrdude > /dev/null || { echo 'Writing needs avrdude, which is not installed. Run: sudo apt install avrdude' >&2; exit 1; }
	@$(MAKE) --no-print-directory -C firmware flash PORT='$(PORT)'

coverage: setup tools ## Branches of the firmware's core that its tests take; fails below 95 %
	@$(BIN)/python -m tests.unit.firmware.coverage

fuzz: setup ## A minute of guided fuzzing of the firmware's core; what is new goes to its corpus
	@$(MAKE) --no-print-directory -C firmware fuzz

soak: setup tools ## Deals 10,000 boards among random faults and people; goes on where it was
	@mkdir -p build && $(BIN)/python -m tests.stateful.soak --keep build/soak.jsonl --table

proof: setup ## Reads half a million images of many designs and counts; goes on where it was (docs/vision-proof.md)
	@missing=; \
	command -v rsvg-convert > /dev/null || missing+=' librsvg2-bin'; \
	command -v npm > /dev/null || missing+=' npm'; \
	.ci/install-packages $$missing
	@$(BIN)/python -m tests.benchmarks.outside_art build/art
	@$(BIN)/predeal bench --only vision_proof --full --art build/art --proof build/vision-proof.json

mutants: setup tools ## Plants known mistakes one by one; a test must catch each
	@$(BIN)/python tests/mutants/run.py

clean: ## Removes all that make has made, .venv too
	rm -rf $(VENV) build .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	@if [ -f firmware/Makefile ]; then $(MAKE) --no-print-directory -C firmware clean; fi

tools: $(STAMPS)/dev

host-firmware: $(STAMPS)/apt
	@$(MAKE) --silent --no-print-directory -C firmware host

avr-firmware: $(STAMPS)/avr
	@$(MAKE) --silent --no-print-directory -C firmware avr simavr

# Debian packages, asked for by what they bring: names differ between releases, libraries do not.
$(STAMPS)/apt: Makefile
	@missing=; \
	have() { /sbin/ldconfig -p | grep -F "$$1" > /dev/null; }; \
	have libGL.so.1 || missing+=' libgl1'; \
	have libglib-2.0.so.0 || missing+=' libglib2.0-0'; \
	have libzbar.so.0 || missing+=' libzbar0'; \
	have libdds.so || missing+=' libdds0'; \
	{ command -v cc > /dev/null && [ -e /usr/include/stdio.h ]; } || missing+=' gcc libc6-dev'; \
	.ci/find-python > /dev/null || missing+=' python3 python3-venv'; \
	.ci/install-packages $$missing
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/avr: $(STAMPS)/apt
	@missing=; \
	command -v avr-gcc > /dev/null || missing+=' gcc-avr'; \
	command -v avr-objcopy > /dev/null || missing+=' binutils-avr'; \
	[ -e /usr/lib/avr/include/avr/io.h ] || missing+=' avr-libc'; \
	[ -e /usr/include/simavr/sim_avr.h ] || missing+=' libsimavr-dev'; \
	[ -e /usr/include/libelf.h ] || missing+=' libelf-dev'; \
	.ci/install-packages $$missing
	@touch $@

$(STAMPS)/venv: $(STAMPS)/apt
	@$(BIN)/python -c '' 2> /dev/null || "$$(.ci/find-python)" -m venv --clear $(VENV)
	@mkdir -p $(STAMPS) && touch $(STAMPS)/apt $@

$(STAMPS)/base: $(STAMPS)/venv setup.cfg pyproject.toml requirements/constraints.txt
	@echo 'Installing Predeal into $(VENV)'
	@$(PIP) --editable .
	@touch $@

$(STAMPS)/dev: $(STAMPS)/base
	@command -v systemd-analyze > /dev/null || .ci/install-packages systemd
	@echo 'Installing the tools for tests'
	@$(PIP) --editable '.[dev]'
	@touch $@

$(STAMPS)/check: $(STAMPS)/dev
	@echo 'Installing the programs that tests check against'
	@$(PIP) --editable '.[dev,check]'
	@touch $@

# The default design is taught from rendered pictures, once, and again when the readers change.
$(STAMPS)/design: $(STAMPS)/base $(wildcard vision/*.py vision/synthetic/*.py)
	@echo 'Teaching the design "standard"'
	@PREDEAL_DESIGNS=$(VENV)/share/predeal/designs $(BIN)/predeal design teach standard --from-art standard > /dev/null
	@touch $@
