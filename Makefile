# Builds of Dyad. `make help` lists them. OpenBench uses `make EXE=name`.

EXE ?= dyad
CARGO ?= cargo
TARGET_DIR ?= target
EXT :=
ifeq ($(OS),Windows_NT)
EXT := .exe
endif

.PHONY: default help native portable pgo draughts test clean
.DEFAULT_GOAL := default

default: ## the chess engine as ./$(EXE), for x86-64-v3 or the host's own architecture
	$(CARGO) build --release -p dyad
	cp $(TARGET_DIR)/release/dyad$(EXT) $(EXE)

help: ## this list
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/'

native: export RUSTFLAGS = -C target-cpu=native
native: default ## the same for this machine's processor

portable: export RUSTFLAGS = -C target-cpu=x86-64
portable: default ## the same for any x86-64 processor

draughts: ## the draughts engine as ./dyad-draughts
	$(CARGO) build --release -p dyad-draughts
	cp $(TARGET_DIR)/release/dyad-draughts$(EXT) dyad-draughts$(EXT)

PGO_DIR := $(abspath $(TARGET_DIR))/pgo
# That of the toolchain, or one on the path that is of the compiler's LLVM: others cannot read its profiles.
LLVM = $(shell rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
PROFDATA = $(firstword \
	$(shell find $$(rustc --print sysroot) -name llvm-profdata -type f 2>/dev/null) \
	$(shell for tool in llvm-profdata-$(LLVM) llvm-profdata; do \
		$$tool merge --version 2>/dev/null | grep -q "LLVM version $(LLVM)\." && command -v $$tool; done))
pgo: ## profile-guided build for this machine's processor (needs: rustup component add llvm-tools)
	@test -n "$(PROFDATA)" || { echo "llvm-profdata of LLVM $(LLVM) is missing: rustup component add llvm-tools" >&2; exit 1; }
	rm -rf $(PGO_DIR)
	RUSTFLAGS="-C target-cpu=native -C profile-generate=$(PGO_DIR)" $(CARGO) build --release -p dyad
	$(TARGET_DIR)/release/dyad$(EXT) bench
	$(PROFDATA) merge -o $(PGO_DIR)/merged.profdata $(PGO_DIR)
	RUSTFLAGS="-C target-cpu=native -C profile-use=$(PGO_DIR)/merged.profdata" $(CARGO) build --release -p dyad
	cp $(TARGET_DIR)/release/dyad$(EXT) $(EXE)

test: ## the tests
	$(CARGO) test

clean: ## removes what was built
	$(CARGO) clean
