#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The manual and the program's own help name the same commands and options:
# manual.sh PROGRAM PAGE.1
# In the page a command stands in a line ".SS NAME", an option as \-\-name.
set -euo pipefail
export LC_ALL=C QT_QPA_PLATFORM=offscreen

program=$1 page=$2
status=0
fault() {
    echo "$*"
    status=1
}

mapfile -t commands < <(sed -n 's/^\.SS \([a-z][a-z]*\)$/\1/p' "$page")
help=$("$program" --help)
for command in "${commands[@]}"; do
    if ! more=$("$program" "$command" --help); then
        fault "the manual names the command $command, which gives no help"
        continue
    fi
    help+=$'\n'$more
done

options() { grep -oE '(^|[^a-z-])--[a-z][a-z0-9-]*' | grep -oE -- '--[a-z0-9-]+' | sort -u; }
# The words that only Qt or CLI11 bring along are not ours to document.
theirs='^--(help-all|qmljsdebugger|style|stylesheet)$'
of_help=$(options <<<"$help" | grep -vE -- "$theirs" || true)
of_page=$(sed 's/\\-/-/g' "$page" | options || true)
while IFS= read -r option; do
    [ -n "$option" ] && fault "only in the help: $option"
done < <(comm -23 <(echo "$of_help") <(echo "$of_page"))
while IFS= read -r option; do
    [ -n "$option" ] && fault "only in the manual: $option"
done < <(comm -13 <(echo "$of_help") <(echo "$of_page"))

# CLI11 indents the commands under "Subcommands:".
while IFS= read -r command; do
    printf '%s\n' "${commands[@]}" | grep -qx -- "$command" || fault "not in the manual: $command"
done < <("$program" --help | sed -n '/^[Ss]ubcommands:/,$s/^  \([a-z][a-z]*\) .*/\1/p')

if command -v man >/dev/null; then
    complaints=$(MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null)
    [ -z "$complaints" ] || fault "$complaints"
fi
exit $status
