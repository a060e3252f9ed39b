#!/usr/bin/env bash
# Builds the engine as WebAssembly into web/package/, from anywhere: tamarack.wasm, which has one thread, tamarack-threads.wasm, for
# which the standard library has to be built, too, the network for both, tamarack.net, and for the page its judge of positions,
# rules.wasm. Takes rustup's compiler where it has what is needed, else Debian's rustc-web.
set -euo pipefail
cd "$(dirname "$0")/.."
target=wasm32-unknown-unknown
built=${CARGO_TARGET_DIR:-target}
# One unit of code for each crate takes a quarter longer, and after link-time optimisation the engine is no faster by it.
export CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16

wasm_opt=web/node_modules/binaryen/bin/wasm-opt
if [ ! -e "$wasm_opt" ]; then
    echo "web/build.sh: binaryen is missing; run 'npm ci' in web/" >&2
    exit 1
fi

can_build_std() { # a compiler
    [ -d "$("$1" --print sysroot 2>/dev/null)/lib/rustlib/src/rust/library/std" ] &&
        RUSTC=$1 RUSTC_BOOTSTRAP=1 cargo fetch --quiet --locked -Zbuild-std=std,panic_abort --target $target
}
source_compiler= # one that can build the standard library
for compiler in rustc /usr/bin/rustc; do
    if [ -z "$source_compiler" ] && can_build_std "$compiler"; then source_compiler=$compiler; fi
done

compile() { # the file to write in web/package/, features of the processor, the crate, and arguments of cargo
    local file=web/package/$1 features=$2 crate=$3
    shift 3
    # Both builds of the engine have the same name.
    rm -f "$built/$target/release/"{,deps/}"${crate//-/_}.wasm"
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-Ctarget-feature=$features" \
        cargo rustc --release --locked -p "$crate" --target $target ${options[@]+"${options[@]}"} "$@"
    cp "$built/$target/release/${crate//-/_}.wasm" "$file"
}
optimise() { # the file in web/package/, and options of wasm-opt
    local file=web/package/$1
    shift
    node "$wasm_opt" "$file.raw" -o "$file" --strip-debug --strip-producers \
        --enable-simd --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int --enable-mutable-globals --enable-threads \
        "$@"
    rm "$file.raw"
    echo "$file: $(wc -c <"$file") bytes"
}

single=+simd128,+bulk-memory,+nontrapping-fptoint,+sign-ext
threads=$single,+atomics
options=()
linker=
if [ -n "$source_compiler" ]; then
    echo "with $($source_compiler --version) and the standard library from its sources"
    export RUSTC=$source_compiler RUSTC_BOOTSTRAP=1
    options=(-Zbuild-std=std,panic_abort -Zbuild-std-features=)
    if [ "$source_compiler" = /usr/bin/rustc ]; then
        # It has no linker of its own: that of rustup, or lld's.
        linker=$(ls "$(rustc --print sysroot)"/lib/rustlib/*/bin/rust-lld 2>/dev/null || command -v rust-lld || command -v wasm-ld || true)
        if [ -z "$linker" ]; then
            echo "web/build.sh: no linker for WebAssembly; install lld ('apt-get install lld')" >&2
            exit 1
        fi
        export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
    fi
    # With the same features both builds share the standard library. They change nothing where there is one thread, except that lld 14
    # cannot link it.
    if [ "${linker##*/}" != wasm-ld ]; then single=$threads; fi
elif [ -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]; then
    echo "with $(rustc --version) and its target $target"
else
    cat >&2 <<END
web/build.sh: no compiler for $target. Install one of the two:
    rustup target add $target
    apt-get install --no-install-recommends rustc-web rust-web-src lld
END
    exit 1
fi

# The search is recursive: 8 MiB of stack are enough for the greatest depth.
compile tamarack.wasm.raw $single tamarack-web -- -Clink-arg=-zstack-size=$((8 << 20))
# asyncify lets the search pause (see web/package/tamarack.js). No function on its way calls another through a pointer. With -O3
# neither build is faster.
optimise tamarack.wasm --asyncify --pass-arg=asyncify-imports@tamarack.pause --pass-arg=asyncify-ignore-indirect -O1 &
optimising=$!

# The judge of positions for the page: small.
compile rules.wasm.raw $single tamarack-rules --features compact
optimise rules.wasm -Oz

rm -f web/package/tamarack-threads.wasm
if [ -n "$source_compiler" ]; then
    # The host makes the memory, and gives each thread its stack and its thread-local variables (see web/engine/src/threads.rs).
    compile tamarack-threads.wasm.raw $threads tamarack-web --features threads -- -Clink-arg=--shared-memory -Clink-arg=--import-memory \
        -Clink-arg=--initial-memory=$((32 << 20)) -Clink-arg=--max-memory=$((1 << 32)) -Clink-arg=-zstack-size=$((1 << 20)) \
        -Clink-arg=--export=__stack_pointer -Clink-arg=--export=__wasm_init_tls -Clink-arg=--export=__tls_size
    optimise tamarack-threads.wasm -O1
else
    echo "without tamarack-threads.wasm: it takes the sources of the standard library ('rustup component add rust-src') and their crates"
fi
wait $optimising
node web/pack.mjs "${EVALFILE:-nets/default.nnue}" web/package/tamarack.net
cp LICENSE web/package/
