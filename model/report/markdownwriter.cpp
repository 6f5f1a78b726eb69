// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/report/writers.h"

namespace cw::report {

namespace {

/// Letters that Markdown would read as marks stand for themselves.
std::string escaped(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (std::string_view("\\`*_{}[]<>#|~").find(c) != std::string_view::npos)
            out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out;
}

struct MarkdownWriter
{
    std::string out;

    void operator()(const Heading& h)
    {
        out += std::string(static_cast<std::size_t>(h.level), '#') + " " + escaped(h.text) + "\n\n";
    }
    void operator()(const Paragraph& p) { out += escaped(p.text) + "\n\n"; }
    void operator()(const Note& n)
    {
        const char* mark = n.kind == Note::Kind::Good      ? "✓ "
                           : n.kind == Note::Kind::Fault   ? "✗ "
                           : n.kind == Note::Kind::Warning ? "▲ "
                                                           : "ℹ ";
        out += "> " + (mark + escaped(n.text)) + "\n\n";
    }
    void operator()(const Bars& bars) { (*this)(tableOf(bars)); }
    void operator()(const Table& t)
    {
        if (!t.caption.empty())
            out += "**" + escaped(t.caption) + "**\n\n";
        out += "|";
        for (const std::string& c : t.columns)
            out += " " + escaped(c) + " |";
        out += "\n|";
        for (std::size_t c = 0; c < t.columns.size(); ++c)
            out += isNumeric(t, c) ? " ---: |" : " --- |";
        out += "\n";
        for (std::size_t r = 0; r < t.rows.size(); ++r) {
            const bool strong = t.lastIsSum && r + 1 == t.rows.size();
            out += "|";
            for (const Cell& c : t.rows[r])
                out += strong && !c.text.empty() ? " **" + escaped(c.text) + "** |"
                                                 : " " + escaped(c.text) + " |";
            out += "\n";
        }
        out += "\n";
    }

    static bool isNumeric(const Table& t, std::size_t column)
    {
        for (const auto& row : t.rows)
            if (row[column].value)
                return true;
        return false;
    }
};

} // namespace

std::string toMarkdown(const Document& document)
{
    MarkdownWriter writer;
    for (const Block& block : document.blocks)
        std::visit(writer, block);
    while (writer.out.size() > 1 && writer.out[writer.out.size() - 2] == '\n')
        writer.out.pop_back();
    return std::move(writer.out);
}

Table tableOf(const Bars& bars)
{
    Table t;
    t.caption = bars.caption;
    t.columns.emplace_back();
    t.columns.insert(t.columns.end(), bars.parts.begin(), bars.parts.end());
    for (const Bars::Row& row : bars.rows) {
        std::vector<Cell> cells{Cell(row.label)};
        for (const double v : row.values)
            cells.push_back(cell(v, bars.unit));
        t.rows.push_back(std::move(cells));
    }
    t.lastIsSum = bars.kind == Bars::Kind::Waterfall;
    return t;
}

} // namespace cw::report
