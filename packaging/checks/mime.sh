#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The MIME type, as a desktop will read it: mime.sh FILE.xml WORKDIR
set -euo pipefail

if ! command -v update-mime-database >/dev/null; then
    echo "update-mime-database (shared-mime-info) is not installed"
    exit 1
fi
rm -rf "$2"
mkdir -p "$2/mime/packages"
cp "$1" "$2/mime/packages/"
# About a file it cannot read it only complains; and also where nobody would look for the folder.
complaints=$(XDG_DATA_DIRS=$2 update-mime-database "$2/mime" 2>&1 >/dev/null)
if [ -n "$complaints" ]; then
    echo "$complaints"
    exit 1
fi
for line in '50:application/x-clusterwright-plan+json:*.clusterwright' \
    'application/x-clusterwright-plan+json application/json'; do
    if ! grep -qFx -- "$line" "$2/mime/globs2" "$2/mime/subclasses"; then
        echo "the database lacks: $line"
        exit 1
    fi
done
