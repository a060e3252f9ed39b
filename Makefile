# For OpenBench and others that call make: `make EXE=name` builds the engine for this machine, with the network
# EVALFILE if it is given. Users need only `cargo build --release`.

EXE ?= tamarack
ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif

.PHONY: all clean

all:
	cargo rustc --release --bin tamarack --target-dir target/make -- -C target-cpu=native
	cp target/make/release/tamarack$(SUFFIX) $(EXE)$(SUFFIX)

clean:
	cargo clean
