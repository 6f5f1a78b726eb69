#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs into an empty place and runs the terminal program from there, far from the checkout:
# install.sh CMAKE BUILD STAGING
set -euo pipefail

cmake=$1 build=$2 staging=$3
rm -rf "$staging"
DESTDIR=$staging "$cmake" --install "$build" --prefix /usr >/dev/null

shared=(
    share/mime/packages/org.clusterwright.Clusterwright.xml
    share/icons/hicolor/scalable/apps/org.clusterwright.Clusterwright.svg
    share/doc/clusterwright/copyright
    bin/clusterwright-cli
    share/man/man1/clusterwright-cli.1.gz
)
window=(
    bin/clusterwright
    share/man/man1/clusterwright.1.gz
    share/applications/org.clusterwright.Clusterwright.desktop
    share/metainfo/org.clusterwright.Clusterwright.metainfo.xml
)
wanted=("${shared[@]}")
if grep -qx 'CLUSTERWRIGHT_GUI:BOOL=ON' "$build/CMakeCache.txt"; then
    wanted+=("${window[@]}")
fi
for file in "${wanted[@]}"; do
    if ! [ -s "$staging/usr/$file" ]; then
        echo "not installed: $file"
        exit 1
    fi
done

# What the desktop entry starts has to be among what is installed.
if [ -f "$staging/usr/${window[2]}" ]; then
    program=$(sed -n 's/^Exec=\([^ ]*\).*/\1/p' "$staging/usr/${window[2]}")
    icon=$(sed -n 's/^Icon=//p' "$staging/usr/${window[2]}")
    [ -x "$staging/usr/bin/$program" ]
    [ -f "$staging/usr/share/icons/hicolor/scalable/apps/$icon.svg" ]
fi

cd /
"$staging/usr/bin/clusterwright-cli" evaluate superpod-8192 --format json | grep '"feasible"' >/dev/null
