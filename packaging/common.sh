# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# What the scripts beside it share. Source it; it moves to the root of the checkout.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit
logs=$root/build/log
mkdir -p "$logs"
jobs=$(nproc)

fail() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# step NAME COMMAND...: one line when it is done; its output only where it fails.
step() {
    local name=$1 log=$logs/${1//[^A-Za-z0-9]/-}.log begin=$SECONDS status=0
    shift
    printf '%-40s ' "$name"
    # Not "|| status=$?", which would make each function go on after its first failure.
    set +e
    (
        set -e
        "$@"
    ) >"$log" 2>&1 </dev/null
    status=$?
    set -e
    if [ $status -ne 0 ]; then
        printf 'FAILED\n'
        tail -n "${TAIL_LINES:-60}" "$log" >&2
        fail "$name ended with status $status; the whole log: $log"
    fi
    printf 'done in %d s\n' $((SECONDS - begin))
}

# build PRESET [TARGET...]: configures and builds build/PRESET.
build() {
    local preset=$1
    shift
    # Precompiled headers make a first build a third shorter, but hide a missing #include, and a
    # compiler cache gains nothing from them: a developer's build, straight from the presets, has
    # none.
    step "$preset configure" cmake --preset "$preset" -DCLUSTERWRIGHT_PRECOMPILE=ON
    step "$preset build" cmake --build "build/$preset" --parallel "$jobs" ${1:+--target "$@"}
}
