#!/usr/bin/env bash
# Builds the engine as WebAssembly into web/package/tamarack.wasm, from anywhere. Takes rustup's target where it is, else Debian's
# rustc-web with its sources.
set -euo pipefail
cd "$(dirname "$0")/.."
target=wasm32-unknown-unknown
built=${CARGO_TARGET_DIR:-target}

wasm_opt=web/node_modules/binaryen/bin/wasm-opt
if [ ! -e "$wasm_opt" ]; then
    echo "web/build.sh: binaryen is missing; run 'npm ci' in web/" >&2
    exit 1
fi

options=()
linker=()
if [ -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]; then
    echo "with $(rustc --version) and its target $target"
elif [ -x /usr/bin/rustc ] && [ -d "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust/library/std" ]; then
    echo "with $(/usr/bin/rustc --version) of Debian's rustc-web, and the standard library from rust-web-src"
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1
    options=(-Zbuild-std=std,panic_abort)
    # Debian's compiler has no linker of its own: lld's, or that of rustup.
    linker=$(command -v wasm-ld || command -v rust-lld || ls ~/.rustup/toolchains/*/lib/rustlib/*/bin/rust-lld 2>/dev/null | head -1)
    if [ -z "$linker" ]; then
        echo "web/build.sh: no linker for WebAssembly; install lld ('apt-get install lld')" >&2
        exit 1
    fi
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
else
    cat >&2 <<END
web/build.sh: no compiler for $target. Install one of the two:
    rustup target add $target
    apt-get install --no-install-recommends rustc-web rust-web-src lld
END
    exit 1
fi

# The search is recursive: 8 MiB of stack are enough for the greatest depth.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-Ctarget-feature=+simd128,+bulk-memory,+nontrapping-fptoint,+sign-ext -Clink-arg=-zstack-size=8388608"
cargo build --release --locked -p tamarack-web --target $target ${options[@]+"${options[@]}"}

# asyncify lets the search pause (see web/package/tamarack.js). No function on its way calls another through a pointer.
node "$wasm_opt" "$built/$target/release/tamarack_web.wasm" -o web/package/tamarack.wasm \
    --enable-simd --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int --enable-mutable-globals \
    --strip-debug --strip-producers --asyncify \
    --pass-arg=asyncify-imports@tamarack.pause --pass-arg=asyncify-ignore-indirect -O1
cp LICENSE web/package/
ls -l web/package/tamarack.wasm | awk '{ print "web/package/tamarack.wasm: " $5 " bytes" }'
