// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/units/unit.h"

// A report before it has a form: headings, paragraphs, tables, notes and bars. The writers turn
// it into text, Markdown, HTML, CSV and JSON; they add no words and compute nothing of the plan.

namespace cw::report {

/// A cell of a table: what a reader sees, and the number behind it where there is one.
struct Cell
{
    std::string text;
    std::optional<double> value = {}; ///< SI
    units::Unit unit = units::Unit::None;

    Cell() = default;
    Cell(std::string t) : text(std::move(t)) {} // NOLINT: a text is a cell
    Cell(std::string_view t) : text(t) {}       // NOLINT
    Cell(const char* t) : text(t) {}            // NOLINT
    Cell(std::string t, double v, units::Unit u) : text(std::move(t)), value(v), unit(u) {}
};

/// A number with its unit as a reader expects it.
Cell cell(double value, units::Unit unit, int digits = 4);

struct Heading
{
    int level = 1; ///< 1 the title, 2 a plan or chapter, 3 a section
    std::string text;
};

struct Paragraph
{
    std::string text;
};

/// Rows have as many cells as there are columns; the first cell names the row.
struct Table
{
    std::string caption;
    std::vector<std::string> columns;
    std::vector<std::vector<Cell>> rows;
    bool lastIsSum = false; ///< the last row sums the others
    bool beside = false;    ///< in a terminal it may stand right of the table before it
};

struct Note
{
    enum class Kind : std::uint8_t
    {
        Good,
        Advice,
        Warning,
        Fault,
    };
    Kind kind = Kind::Advice;
    std::string text;
};

/// Bars, one to a row. Stacked: the parts of each row stand beside each other from zero. Waterfall:
/// one part to a row, each begins where the one before ends, and the last row is their sum.
struct Bars
{
    enum class Kind : std::uint8_t
    {
        Stacked,
        Waterfall,
    };
    struct Row
    {
        std::string label;
        std::vector<double> values; ///< one for each part
    };
    Kind kind = Kind::Stacked;
    std::string caption;
    std::vector<std::string> parts;
    std::vector<Row> rows;
    units::Unit unit = units::Unit::None;
    std::optional<double> limit = {}; ///< drawn as a line across all rows
    std::string limitLabel;
};

using Block = std::variant<Heading, Paragraph, Table, Note, Bars>;

struct Document
{
    std::string title;
    std::string language; ///< "en", "zh_CN"
    std::vector<Block> blocks;

    void heading(int level, std::string text)
    {
        blocks.emplace_back(Heading{level, std::move(text)});
    }
    void paragraph(std::string text) { blocks.emplace_back(Paragraph{std::move(text)}); }
    void note(Note::Kind kind, std::string text)
    {
        blocks.emplace_back(Note{kind, std::move(text)});
    }
    void add(Block block) { blocks.push_back(std::move(block)); }
};

/// Columns that a text takes in a terminal: East Asian letters take two.
std::size_t displayWidth(std::string_view text);

std::string_view nameOf(Note::Kind kind); ///< "good", "advice", "warning", "fault"

} // namespace cw::report
