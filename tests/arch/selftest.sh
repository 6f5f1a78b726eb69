#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Shows that a check can fail: selftest.sh layers|text WORKDIR
# Builds a clean tree on which the check passes, then plants one fault at a time, which it must find.
set -euo pipefail

which=${1:?usage: selftest.sh layers|text WORKDIR}
tree=${2:?usage: selftest.sh layers|text WORKDIR}/$which
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
spdx='// SPDX-License-Identifier: GPL-3.0-or-later'
failed=0
planted=0

put() { # FILE LINE...
    mkdir -p "$tree/$(dirname "$1")"
    printf '%s\n' "${@:2}" >"$tree/$1"
}

source_file() { # FILE LINE...: a source with its licence line
    put "$1" "$spdx" "${@:2}"
}

clean() {
    rm -rf "$tree"
    source_file model/units/quantity.h '#pragma once' '#include <cmath>'
    source_file resources/embedded.h '#include <string_view>'
    source_file resources/embedded.cpp '#include "resources/embedded.h"' '#include "table.inc"'
    source_file model/units/catalogue.cpp '#include "resources/embedded.h"'
    source_file model/units/quantity.cpp '#include "model/units/quantity.h"'
    source_file model/scenario/plan.h '#include "model/units/quantity.h"' '#include <nlohmann/json.hpp>'
    source_file model/step/step.h '#include "model/scenario/plan.h"' '#include <Eigen/Dense>'
    source_file views/common/row.h '#include "model/step/step.h"' '#include <QWidget>'
    source_file views/charts/bars.h '#include <QChartView>' '#include <QtCharts/QBarSet>'
    source_file app/main.cpp '#include "views/common/row.h"' '#include <QApplication>'
    source_file tests/views/charts/tst_bars.cpp '#include "views/charts/bars.h"' '#include <QTest>' \
        '#include "tst_bars.moc"'
    put model/CMakeLists.txt '# SPDX-License-Identifier: GPL-3.0-or-later' 'add_library(m)' ''
    put README.md 'Read https://example.org/work/paper and homework/1.'
}

run() {
    case $which in
    layers) "$here/check_layers.sh" "$tree" ;;
    text) "$here/check_text.sh" "$tree" ;;
    esac
}

expect() { # RULE: the tree, with its planted fault, must be refused by this rule and no other
    local out code=0
    planted=$((planted + 1))
    out=$(run 2>&1) || code=$?
    if [ $code -ne 1 ] || ! grep -q ": $1: " <<<"$out" || grep -qv ": $1: " <<<"$out"; then
        printf 'planted "%s" (%s), got status %d and:\n%s\n' "$1" "${2:-}" "$code" "$out"
        failed=1
    fi
    clean
}

plant() { # RULE FILE LINE...
    source_file "$2" "${@:3}"
    expect "$1" "$2"
}

layers() {
    plant no-qt model/units/bad.h '#include <QString>'
    plant no-qt model/units/bad.h '#  include <QtCore/qglobal.h>'
    plant no-qt model/units/bad.h '#include <qstring.h>'
    put model/CMakeLists.txt '# SPDX-License-Identifier: GPL-3.0-or-later' 'add_library(m)' \
        'target_link_libraries(m Qt6::Core)'
    expect no-qt CMakeLists.txt
    plant no-qt resources/bad.h '#include <QFile>'
    plant layers resources/bad.h '#include "model/units/quantity.h"'
    plant layers model/step/bad.h '#include "views/common/row.h"'
    plant layers model/step/bad.h '#include "app/main.cpp"'
    plant layers views/common/bad.h '#include "app/main.cpp"'
    plant layers app/bad.h '#include "tests/views/charts/tst_bars.cpp"'
    plant floors model/units/bad.h '#include "model/scenario/plan.h"'
    plant floors model/explain/bad.h '#include "model/scenario/plan.h"'
    source_file model/network/topology.h
    plant floors model/schedule/bad.h '#include "model/network/topology.h"'
    plant floors model/misc/bad.h
    plant floors model/bad.h
    plant charts views/common/bad.h '#include <QChart>'
    plant charts app/bad.cpp '#include <QtCharts/QLineSeries>'
    plant charts app/bad.cpp '#include <QValueAxis>'
    plant umbrella app/bad.cpp '#include <QtWidgets>'
    plant umbrella app/bad.cpp '#include <QtWidgets/QtWidgets>'
    plant from-root model/step/bad.h '#include "step.h"'
    plant from-root model/step/bad.h '#include "../scenario/plan.h"'
    plant from-root model/step/bad.h '#include "model/step/gone.h"'
    plant from-root model/step/bad.h '#include <model/scenario/plan.h>'
    plant from-root model/step/bad.h '#include "table.inc"'
    plant plain model/step/bad.h '#include HEADER'
    put model/step/bad.h '#pragma once'
    expect licence bad.h
    put app/CMakeLists.txt 'add_executable(a)' 'b()' 'c()'
    expect licence CMakeLists.txt
}

# The words are put together here, so that this file does not hold them itself.
text() {
    local word
    for word in ../sha"red/DESIGN.md" /wo"rk/main" =/wo"rk" /tmp/c"w/common" /ho"me/jane/plan" \
        =/ro"ot/.cache"; do
        put docs/bad.md "first line" "see $word"
        expect machine-path "$word"
    done
    for word in pyp"i.org" registry.npm"js.org" crate"s.io" proxy.gol"ang.org" deb.deb"ian.org" \
        repo.ma"ven.apache.org" gh"cr.io" mirrors.ali"yun.com"; do
        put packaging/bad "# https://$word/x"
        expect registry-host "$word"
    done
}

clean
if ! run; then
    echo "the clean tree was refused"
    exit 1
fi
case $which in
layers) layers ;;
text) text ;;
esac
rm -rf "$tree"
mkdir -p "$tree"
code=0
run >/dev/null 2>&1 || code=$?
if [ $code -ne 2 ]; then
    echo "an empty tree was accepted"
    failed=1
fi
rm -rf "$tree"
echo "$planted faults planted"
exit $failed
