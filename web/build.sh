#!/usr/bin/env bash
# Builds the engine as WebAssembly into web/package/, from anywhere: tamarack.wasm, which has one thread, and tamarack-threads.wasm,
# for which the standard library has to be built, too. Takes rustup's compiler where it has what is needed, else Debian's rustc-web.
set -euo pipefail
cd "$(dirname "$0")/.."
target=wasm32-unknown-unknown
built=${CARGO_TARGET_DIR:-target}

wasm_opt=web/node_modules/binaryen/bin/wasm-opt
if [ ! -e "$wasm_opt" ]; then
    echo "web/build.sh: binaryen is missing; run 'npm ci' in web/" >&2
    exit 1
fi

sysroot=$(rustc --print sysroot)
has_sources() { # a compiler
    [ -d "$("$1" --print sysroot 2>/dev/null)/lib/rustlib/src/rust/library/std" ]
}
source_compiler= # one that can build the standard library
for compiler in rustc /usr/bin/rustc; do
    if [ -z "$source_compiler" ] && has_sources "$compiler"; then source_compiler=$compiler; fi
done
# Debian's compiler has no linker of its own: lld's, or that of rustup.
linker=$(command -v wasm-ld || command -v rust-lld || ls ~/.rustup/toolchains/*/lib/rustlib/*/bin/rust-lld 2>/dev/null | head -1)

compile() { # whether the standard library is built, too, and flags of the compiler
    local with_std=$1 options=()
    shift
    (
        if [ "$with_std" = yes ]; then
            export RUSTC=$source_compiler RUSTC_BOOTSTRAP=1
            options=(-Zbuild-std=std,panic_abort -Zbuild-std-features=)
            if [ "$source_compiler" != rustc ]; then export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker; fi
        fi
        export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="$*"
        cargo build --release --locked -p tamarack-web --target $target ${options[@]+"${options[@]}"}
    )
}
optimise() { # the file in web/package/, and options of wasm-opt
    local file=web/package/$1
    shift
    node "$wasm_opt" "$file.raw" -o "$file" --strip-debug --strip-producers \
        --enable-simd --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int --enable-mutable-globals "$@"
    rm "$file.raw"
    echo "$file: $(wc -c <"$file") bytes"
}

if [ -d "$sysroot/lib/rustlib/$target/lib" ]; then
    with_std=no
    echo "with $(rustc --version) and its target $target"
elif [ -n "$source_compiler" ]; then
    with_std=yes
    echo "with $($source_compiler --version) and the standard library from its sources"
else
    cat >&2 <<END
web/build.sh: no compiler for $target. Install one of the two:
    rustup target add $target
    apt-get install --no-install-recommends rustc-web rust-web-src lld
END
    exit 1
fi
if [ "$source_compiler" = /usr/bin/rustc ] && [ -z "$linker" ]; then
    echo "web/build.sh: no linker for WebAssembly; install lld ('apt-get install lld')" >&2
    exit 1
fi

features=-Ctarget-feature=+simd128,+bulk-memory,+nontrapping-fptoint,+sign-ext
# The search is recursive: 8 MiB of stack are enough for the greatest depth.
compile $with_std $features -Clink-arg=-zstack-size=8388608
cp "$built/$target/release/tamarack_web.wasm" web/package/tamarack.wasm.raw
# asyncify lets the search pause (see web/package/tamarack.js). No function on its way calls another through a pointer.
optimise tamarack.wasm --asyncify --pass-arg=asyncify-imports@tamarack.pause --pass-arg=asyncify-ignore-indirect -O1 &
optimising=$!

rm -f web/package/tamarack-threads.wasm
if [ -n "$source_compiler" ]; then
    # The host makes the memory, and gives each thread its stack and its thread-local variables (see web/engine/src/threads.rs).
    compile yes $features,+atomics -Clink-arg=--shared-memory -Clink-arg=--import-memory \
        -Clink-arg=--initial-memory=$((32 << 20)) -Clink-arg=--max-memory=$((1 << 32)) -Clink-arg=-zstack-size=$((1 << 20)) \
        -Clink-arg=--export=__stack_pointer -Clink-arg=--export=__wasm_init_tls -Clink-arg=--export=__tls_size
    cp "$built/$target/release/tamarack_web.wasm" web/package/tamarack-threads.wasm.raw
    optimise tamarack-threads.wasm --enable-threads -O1
else
    echo "without tamarack-threads.wasm: install the sources of the standard library ('rustup component add rust-src')"
fi
wait $optimising
cp LICENSE web/package/
