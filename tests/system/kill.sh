#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A file that is being written when the program is killed is the old one or the new one, whole.
# kill.sh PROGRAM
set -euo pipefail

program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

"$program" report superpod-8192 -o new.html >/dev/null
printf 'the old one\n' >old.html
[ "$(wc -c <new.html)" -gt 10000 ] || { echo "FAULT: no report to compare with"; exit 1; }

# The whole time of one writing, in milliseconds: kills are spread over it.
begin=$(date +%s%N)
"$program" report superpod-8192 -o timed.html >/dev/null
whole=$((($(date +%s%N) - begin) / 1000000 + 1))
rm timed.html

old=0 new=0
for i in $(seq 1 60); do
    cp old.html out.html
    "$program" report superpod-8192 -o out.html >/dev/null 2>&1 &
    pid=$!
    sleep "$(awk -v t="$whole" -v i="$i" 'BEGIN { printf "%.4f", t * (0.5 + i / 60) / 1000 }')"
    kill -9 $pid 2>/dev/null || true
    wait $pid 2>/dev/null || true
    if cmp -s out.html old.html; then
        old=$((old + 1))
    elif cmp -s out.html new.html; then
        new=$((new + 1))
    else
        echo "FAULT: kill $i left neither the old nor the new file: $(wc -c <out.html) bytes"
        exit 1
    fi
done
# What a killed program left beside it is never the file itself, and the next run goes on.
"$program" report superpod-8192 -o out.html >/dev/null
cmp out.html new.html
echo "60 kills: $old left the old file, $new the new one"
