#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# No file of the project names a place on somebody's machine or the host of a package registry:
# check_text.sh ROOT. Prints "file:line: rule: text" for each fault and ends with 1.
set -euo pipefail
export LC_ALL=C

root=${1:?usage: check_text.sh ROOT}
cd "$root"

# In a checkout: what git would keep; else (an unpacked archive) all but build folders.
list() {
    if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
        git ls-files -z --cached --others --exclude-standard
    else
        find . -name .git -prune -o -name 'build*' -type d -prune -o -type f -printf '%P\0'
    fi
}

files=()
while IFS= read -r -d '' file; do
    [ -f "$file" ] && files+=("$file")
done < <(list)
if [ ${#files[@]} -eq 0 ]; then
    echo "$root: no file found, so nothing was checked" >&2
    exit 2
fi

# Written so that this file does not match its own patterns.
places='\.\./shared|(^|[^A-Za-z0-9_.:/-])[/](work|tmp[/]cw|root|home[/][a-z]+)([/]|[^A-Za-z0-9_./-]|$)'
hosts='pypi\.org|pythonhosted\.org|npmjs\.(org|com)|crates\.io|rubygems\.org|nuget\.org'
hosts+='|maven\.(org|apache\.org)|repo1?\.maven|proxy\.golang\.org|sum\.golang\.org|anaconda\.org'
hosts+='|docker\.(io|com)|ghcr\.io|quay\.io|packagist\.org|conan\.io|deb\.debian\.org'
hosts+='|(security|ftp|archive)\.(debian|ubuntu)\.(org|com)|mirrors?\.[a-z0-9-]+\.(com|org|cn|edu)'

status=0
search() { # RULE PATTERN
    local found
    if found=$(grep -InHE -e "$2" -- "${files[@]}"); then
        printf '%s\n' "$found" | cut -c1-200 | sed "s#^\([^:]*:[0-9]*\):#\1: $1: #"
        status=1
    fi
}
search machine-path "$places"
search registry-host "$hosts"

if [ $status -eq 0 ]; then
    echo "${#files[@]} files: no machine path, no registry host"
fi
exit $status
