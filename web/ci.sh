#!/usr/bin/env bash
# Builds web/ for the gate (`build`), and tests what was built (`test`). What is missing it installs where it can (rustup, apt-get as
# root, npm); where it cannot, it says so in one line and leaves out what needs it.
set -euo pipefail
cd "$(dirname "$0")"

skip() {
    echo "web: skipped: $1"
    exit 0
}
apt_install() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null &&
        timeout 120 apt-get install -y --no-install-recommends "$@" >/dev/null 2>&1
}
has_sources() { # of the standard library
    for compiler in rustc /usr/bin/rustc; do
        [ ! -d "$("$compiler" --print sysroot 2>/dev/null)/lib/rustlib/src/rust/library/std" ] || return 0
    done
    return 1
}
has_compiler() {
    [ -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown/lib" ] || has_sources
}

browser() {
    if [ -n "${CHROMIUM:-}" ]; then echo "$CHROMIUM"; else command -v chromium || command -v google-chrome; fi
}

build() {
    rm -rf dist
    node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || a === 22 && b >= 12 || a === 20 && b >= 19 ? 0 : 1)' \
        2>/dev/null || skip "Node 20.19 or 22.12 or newer is missing"
    has_compiler || timeout 60 rustup target add wasm32-unknown-unknown >/dev/null 2>&1 ||
        apt_install rustc-web rust-web-src lld || skip "no compiler for wasm32-unknown-unknown (see web/build.sh)"
    has_sources || timeout 60 rustup component add rust-src >/dev/null 2>&1 || apt_install rustc-web rust-web-src lld ||
        echo "web: the build with threads is left out: no sources of the standard library (see web/build.sh)"
    timeout 120 npm ci --no-audit --no-fund >/dev/null 2>&1 || skip "npm cannot install the packages of web/package-lock.json"

    npm run --silent build
    browser >/dev/null || apt_install chromium || true
}

run_tests() {
    # What was left out has been said.
    [ -d dist ] || exit 0
    if chromium=$(browser); then
        CHROMIUM=$chromium npm run --silent test
    else
        grep -L browser.mjs test/*.test.mjs | xargs node --test
        echo "web: the tests of the page are skipped: Chromium is missing"
    fi
}

case "${1:-}" in
build) build ;;
test) run_tests ;;
*) echo "usage: web/ci.sh build|test" >&2 && exit 2 ;;
esac
