# `make EXE=name` builds the engine for this machine, as OpenBench calls it, with the network EVALFILE if it is given. Where the
# tools are there the build is guided by a profile (PGO): it is built twice, and between the two `bench` with each kernel of
# the evaluation shows the compiler what is hot; without them it is a plain build. Users need only `cargo build --release`; see docs/release.md.
#
#   CPU=x86-64-v3        the processors it is for (native: those like this one)
#   TARGET=triple        the platform, RUNNER=wine or another program that runs its programs here
#   FLAGS="-Cflag ..."   more flags of rustc
#   PGO=no               a plain build
#   TUNE=yes             the search's tunables as UCI options, as SPSA workloads of OpenBench need; a plain build
#   PROFDATA=program     the llvm-profdata to use

EXE ?= tamarack
CPU ?= native
HOST := $(shell rustc -vV | sed -n 's/^host: //p')
TARGET ?= $(HOST)
RUNNER ?=
FLAGS ?=
TUNE ?= no
PGO ?= $(if $(filter yes,$(TUNE)),no,yes)

SUFFIX := $(if $(findstring windows,$(TARGET)),.exe)
PROGRAM := $(EXE:$(SUFFIX)=)$(SUFFIX)
FOLDER := $(CURDIR)/target/make
BUILT := $(FOLDER)/$(TARGET)/release/tamarack$(SUFFIX)
PROFILE := $(FOLDER)/profile/$(TARGET)-$(CPU)

# Raw profiles are read only by an llvm-profdata of the compiler's own version of LLVM.
LLVM := $(shell rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
SYSROOT := $(shell rustc --print sysroot)
PROFDATA ?= $(shell for tool in "$(SYSROOT)/lib/rustlib/$(HOST)/bin/llvm-profdata" llvm-profdata-$(LLVM) llvm-profdata; do \
	if "$$tool" --version 2>/dev/null | grep -q "LLVM version $(LLVM)\."; then echo "$$tool"; break; fi; done)

space := $(subst ,, )
# The separator of flags that may contain blanks.
SEPARATOR := $(shell printf '\037')
COMMON := $(subst $(space),$(SEPARATOR),$(strip -Ctarget-cpu=$(CPU) $(FLAGS)))
build = CARGO_ENCODED_RUSTFLAGS="$(COMMON)$(1)" \
	cargo build --release --locked --bin tamarack $(if $(filter yes,$(TUNE)),--features tune) --target $(TARGET) \
	--target-dir "$(FOLDER)"

.PHONY: all plain profiled clean

ifneq ($(PGO),yes)
all: plain
else ifeq ($(PROFDATA),)
all: plain
	@echo "$(PROGRAM): built without a profile, for want of an llvm-profdata of LLVM $(LLVM) (rustup component add llvm-tools)"
else
all:
	@$(MAKE) --no-print-directory profiled || \
	{ $(MAKE) --no-print-directory plain && echo "$(PROGRAM): built without a profile, which could not be made"; }
endif

plain:
	$(call build)
	cp "$(BUILT)" "$(PROGRAM)"

profiled:
	rm -rf "$(PROFILE)"
	$(call build,$(SEPARATOR)-Cprofile-generate=$(PROFILE))
	for kernel in $$($(RUNNER) "$(BUILT)" compiler | tr -d '\r' | sed -n 's/^kernels: //p'); do \
		TAMARACK_KERNEL=$$kernel $(RUNNER) "$(BUILT)" bench >/dev/null 2>&1 || exit 1; done
	"$(PROFDATA)" merge -o "$(PROFILE)/merged.profdata" "$(PROFILE)"
	$(call build,$(SEPARATOR)-Cprofile-use=$(PROFILE)/merged.profdata)
	cp "$(BUILT)" "$(PROGRAM)"
	@echo "$(PROGRAM): built with a profile of bench"

clean:
	cargo clean
