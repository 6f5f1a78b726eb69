#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Holds the directions of the #include lines: check_layers.sh ROOT
# Prints "file:line: rule: what is wrong" for each fault and ends with 1 where there is one.
set -euo pipefail
export LC_ALL=C

root=${1:?usage: check_layers.sh ROOT}
cd "$root"

folders=()
for folder in app views model resources tests; do
    [ -d "$folder" ] && folders+=("$folder")
done
if [ ${#folders[@]} -eq 0 ]; then
    echo "$root: holds none of app, views, model, resources, tests" >&2
    exit 2
fi

mapfile -d '' sources < <(find "${folders[@]}" -type f \
    \( -name '*.h' -o -name '*.hpp' -o -name '*.hh' -o -name '*.inl' \
       -o -name '*.cpp' -o -name '*.cc' -o -name '*.cxx' -o -name '*.c' \) -print0 | sort -z)
mapfile -d '' builds < <(find "${folders[@]}" -type f \
    \( -name 'CMakeLists.txt' -o -name '*.cmake' \) -print0 | sort -z)
if [ ${#sources[@]} -eq 0 ]; then
    echo "$root: no C++ source found, so nothing was checked" >&2
    exit 2
fi

# What is written in quotes must be there; "NAME.in" stands for a file that CMake configures.
exists() { [ -f "$1" ] || [ -f "$1.in" ]; }

status=0
fault() {
    printf '%s\n' "$1"
    status=1
}

while IFS=$'\t' read -r place path; do
    exists "$path" || fault "$place: from-root: \"$path\" is no file, seen from the root of the project"
done < <(awk '
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        path = $0
        sub(/^[^"]*"/, "", path); sub(/".*$/, "", path)
        if (path !~ /\.moc$/ && !(FILENAME ~ /^resources\// && path ~ /^[a-z]+\.inc$/))
            printf "%s:%d\t%s\n", FILENAME, FNR, path
    }' "${sources[@]}")

while IFS= read -r line; do
    fault "$line"
done < <(awk '
    BEGIN {
        # The floors inside model/: a folder uses itself and those on lower floors.
        floor["units"] = 0; split("text explain", f1); split("scenario", f2)
        split("transformer network schedule exchange", f3); split("chip memory", f4)
        for (i in f1) floor[f1[i]] = 1
        for (i in f2) floor[f2[i]] = 2
        for (i in f3) floor[f3[i]] = 3
        for (i in f4) floor[f4[i]] = 4
        floor["step"] = 5; floor["run"] = 6; floor["facility"] = 7; floor["cost"] = 8
        floor["evaluation"] = 9
        floor["explore"] = 10; floor["calibrate"] = 10; floor["report"] = 10
        # An include points down: app, views, model, resources. Tests may look at all of it.
        layer["resources"] = 0; layer["model"] = 1; layer["views"] = 2; layer["app"] = 3
        layer["tests"] = 4
        charts = "^(QtCharts(/.*)?|Q[A-Za-z]*(Series|Axis|LegendMarker|ModelMapper)|QLegend" \
                 "|Q(Polar)?Chart(View|Global)?|QBarSet|QBoxSet|QCandlestickSet|QPieSlice)$"
        umbrella = "^Qt(Core|Gui|Widgets|Charts|Test|Svg|SvgWidgets|PrintSupport|Concurrent" \
                   "|Network|Xml|DBus|OpenGL)$"
    }
    function fault(rule, what) { printf "%s:%d: %s: %s\n", FILENAME, FNR, rule, what }
    FNR == 1 {
        parts = split(FILENAME, at, "/")
        top = at[1]
        folder = (parts > 2) ? at[2] : ""
        if ($0 != "// SPDX-License-Identifier: GPL-3.0-or-later")
            fault("licence", "the first line is not the SPDX line")
        if (top == "model" && !(folder in floor))
            fault("floors", "model/" folder " stands on no floor of the design")
    }
    /^[ \t]*#[ \t]*include/ {
        if (!match($0, /["<][^">]+[">]/)) {
            fault("plain", "an include without a plain name cannot be checked")
            next
        }
        path = substr($0, RSTART + 1, RLENGTH - 2)
        quoted = substr($0, RSTART, 1) == "\""
        if (path ~ /(^|\/)\.\.?\//)
            fault("from-root", "includes are written from the root: " path)
        base = path
        sub(/^.*\//, "", base)
        if ((top == "model" || top == "resources") && (path ~ /^Q/ || base ~ /^Q/ \
            || (!quoted && base ~ /^q[a-z]+\.h$/)))
            fault("no-qt", top "/ knows no Qt: " path)
        if ((path ~ charts || base ~ charts \
             || (!quoted && base ~ /^q[a-z]*(chart|series|axis)[a-z]*\.h$/)) && FILENAME !~ /^(tests\/)?views\/charts\//)
            fault("charts", "only views/charts/ includes Qt Charts: " path)
        if (path ~ umbrella || path ~ /^Qt[A-Za-z]+\/Qt[A-Z][a-z]+$/)
            fault("umbrella", "name the class wanted, not the whole module: " path)
        target = path
        sub(/\/.*$/, "", target)
        if (!quoted) {
            if (target in layer && path ~ /\//)
                fault("from-root", "own headers stand in quotes: " path)
            next
        }
        if (path ~ /\.moc$/) next
        # The embedded files, as CMake lists them.
        if (top == "resources" && path ~ /^[a-z]+\.inc$/) next
        if (!(target in layer)) {
            fault("from-root", "includes are written from the root: " path)
            next
        }
        if (layer[target] > layer[top])
            fault("layers", top "/ never includes " target "/: " path)
        if (top == "model" && target == "model") {
            split(path, to, "/")
            if (to[2] != folder && floor[to[2]] >= floor[folder])
                fault("floors", "model/" folder " (floor " floor[folder] ") uses model/" to[2] \
                      " (floor " floor[to[2]] ")")
        }
    }' "${sources[@]}")

if [ ${#builds[@]} -gt 0 ]; then
    while IFS= read -r line; do
        fault "$line"
    done < <(awk '
        FNR == 1 { spdx = 0 }
        FNR <= 3 && /^# SPDX-License-Identifier: GPL-3\.0-or-later$/ { spdx = 1 }
        FNR == 3 && !spdx { printf "%s:1: licence: no SPDX line at the top\n", FILENAME }
        FILENAME ~ /^(model|resources)\// && /Qt6?::|find_package\([ \t]*Qt|qt_add_/ {
            printf "%s:%d: no-qt: what the core is made of links no Qt\n", FILENAME, FNR
        }
        FILENAME ~ /^views\// && /(^|[^A-Za-z_])clusterwright_app([^A-Za-z_]|$)/ {
            printf "%s:%d: layers: views/ never links app/\n", FILENAME, FNR
        }' "${builds[@]}")
fi

if [ $status -eq 0 ]; then
    echo "${#sources[@]} sources: every include points down"
fi
exit $status
