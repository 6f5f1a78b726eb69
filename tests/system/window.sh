#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The window as its user has it: pages by key, an input typed, undone, saved; killed with unsaved
# work, and what it offers afterwards. window.sh WINDOW PROGRAM
set -euo pipefail

window=$1
program=$2
folder=$(mktemp -d)
pids=()
finish() {
    for pid in "${pids[@]}"; do kill -9 "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap finish EXIT
cd "$folder"
fault() {
    echo "FAULT: $*"
    exit 1
}

Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp 3>display >xvfb.log 2>&1 &
pids+=($!)
for _ in $(seq 50); do [ -s display ] && break || sleep 0.1; done
[ -s display ] || fault "no display: $(cat xvfb.log)"
DISPLAY=:$(cat display)
mkdir -m 700 run
mkdir home
export DISPLAY HOME=$folder/home XDG_RUNTIME_DIR=$folder/run QT_QPA_PLATFORM=xcb LC_ALL=C.UTF-8
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME
if command -v openbox >/dev/null; then
    openbox >/dev/null 2>&1 &
    pids+=($!)
fi

# until WHAT COMMAND...: waits for it, ten seconds at most.
until_true() {
    local what=$1
    shift
    for _ in $(seq 100); do
        "$@" >/dev/null 2>&1 && return 0
        sleep 0.1
    done
    import -window root "$folder/last.png" || true
    fault "$what"
}
id() { xdotool search --onlyvisible --name 'Clusterwright$' | tail -n 1; }
title() { xdotool getwindowname "$(id)"; }
is_changed() { [[ $(title) == *\** ]]; }
is_unchanged() { ! is_changed; }
picture() { import -window "$(id)" png:- | identify -format '%# %k' -; }
start() {
    "$window" "$@" >window.log 2>&1 &
    running=$!
    pids+=($running)
    until_true "no window: $(cat window.log)" id
    [ -n "$(id)" ] || fault "no window"
    xdotool windowactivate --sync "$(id)" windowsize --sync "$(id)" 1500 950
}
press() { xdotool key --clearmodifiers "$@"; }
type_input() { # WORDS VALUE: found by the filter, typed into the first that is left
    press ctrl+f
    sleep 0.3
    xdotool type --delay 20 "$1"
    sleep 0.5
    press Return
    sleep 0.2
    press ctrl+a
    xdotool type --delay 20 "$2"
    press Return
}

start superpod-8192
seen=""
for page in 1 2 3 4 5 6 7; do
    press ctrl+$page
    sleep 1
    now=$(picture)
    [ "${now#* }" -gt 100 ] || fault "page $page is almost empty: ${now#* } colours"
    [[ $seen != *"${now% *}"* ]] || fault "page $page looks as one before"
    seen+=" ${now% *}"
done

is_unchanged || fault "changed before anything was typed: $(title)"
type_input vocabulary 65536
until_true "a typed input does not change the plan" is_changed
press ctrl+z
until_true "undo does not bring back the plan" is_unchanged
type_input vocabulary 65536
until_true "the input cannot be typed again" is_changed

press ctrl+shift+s
sleep 1
press ctrl+a
xdotool type --delay 20 "$folder/mine.clusterwright"
press Return
until_true "nothing is saved" test -s mine.clusterwright
until_true "saved work still counts as changed" is_unchanged
grep -q '"vocabulary": 65536' mine.clusterwright || fault "the file has not what was typed"
"$program" evaluate mine.clusterwright >/dev/null || fault "the saved file cannot be evaluated"

# A copy of unsaved work is written within half a minute; it outlives the program.
cp mine.clusterwright before
type_input vocabulary 32768
until_true "the input cannot be typed once more" is_changed
for _ in $(seq 45); do
    copy=$(find "$HOME" -name '*.clusterwright' | head -n 1)
    [ -n "$copy" ] && break || sleep 1
done
[ -n "$copy" ] || fault "no copy of unsaved work: $(find "$HOME" -type f)"
kill -9 "$running"
wait "$running" 2>/dev/null || true
cmp -s mine.clusterwright before || fault "the file was changed without saving"
grep -q '"vocabulary": 32768' "$copy" || fault "the copy has not what was typed"
start
until_true "the leftover is gone before it was answered" test -s "$copy"
echo "pages, typing, undo, saving and recovery work on a display"
