#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The program as a shell sees it: streams, exit codes, files. program.sh PROGRAM
set -euo pipefail

program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
failed=0
fault() {
    echo "FAULT: $*"
    failed=1
}
# expect CODE ARGUMENT...: runs, leaves the streams in out and err.
expect() {
    local wanted=$1 code=0
    shift
    "$program" "$@" >out 2>err </dev/null || code=$?
    [ "$code" = "$wanted" ] || fault "'$*' ended with $code, not $wanted: $(head -c 300 err)"
}

cat >plan.clusterwright <<'PLAN'
{"format": "clusterwright-plan", "version": 1, "model": {"preset": "llama3.1-8b"},
 "cluster": {"preset": "dgx-h100", "chips": 64}}
PLAN

expect 0 evaluate plan.clusterwright
[ -s out ] && [ ! -s err ] || fault "an answer goes to standard output alone"
cp out from_file
"$program" evaluate - <plan.clusterwright >out 2>err || fault "standard input is not read"
diff <(tail -n +3 out) <(tail -n +3 from_file) >/dev/null || fault "a file and standard input differ"

expect 2 evaluate plan.clusterwright --set nonsense=1
[ ! -s out ] && [ "$(wc -l <err)" = 1 ] || fault "a wrong command line is told in one line"
expect 3 evaluate missing.clusterwright
[ ! -s out ] && grep -q '^missing.clusterwright: /: ' err || fault "a missing file is not named"

# What is there stays where nothing can be written in its place.
echo before >kept.md
cp plan.clusterwright bad.clusterwright
echo '{' >>bad.clusterwright
expect 3 report bad.clusterwright -o kept.md
[ "$(cat kept.md)" = before ] || fault "a failed report touched its file"
expect 3 report plan.clusterwright bad.clusterwright -o new.md
[ ! -e new.md ] || fault "a failed report left a file"
expect 2 report plan.clusterwright -o no/such/folder.md
expect 2 report plan.clusterwright -o new.pdf
[ ! -e new.pdf ] || fault "a form that cannot be written left a file"

# A file that is replaced keeps its rights and its links; nothing is left beside it.
chmod 640 kept.md
ln -s kept.md link.md
expect 0 report plan.clusterwright -o link.md
[ -L link.md ] && [ "$(stat -c %a kept.md)" = 640 ] || fault "the link or the rights were lost"
[ "$(head -c 2 kept.md)" = "# " ] || fault "the report was not written through the link"
[ -z "$(find . -name '.*.??????')" ] || fault "a temporary file is left"
mkfifo pipe.md
timeout 20 cat pipe.md >through &
expect 0 report plan.clusterwright -o pipe.md
wait
[ -p pipe.md ] && cmp -s through kept.md || fault "a pipe was replaced, or not written to"

# A full disk leaves what was there.
if [ -w /dev/full ]; then
    code=0
    "$program" evaluate plan.clusterwright >/dev/full 2>err || code=$?
    [ "$code" = 1 ] || fault "a full standard output ended with $code"
fi

# The printed sum is the file's.
expect 0 export plan.clusterwright --as plan -o again.clusterwright
sha256sum --check --status out || fault "the printed SHA-256 is not that of the file"
expect 0 evaluate again.clusterwright --format csv
cp out again.csv
expect 0 evaluate plan.clusterwright --format csv
cmp -s out again.csv || fault "an exported plan evaluates differently"

exit $failed
