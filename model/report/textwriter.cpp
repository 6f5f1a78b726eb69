// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "model/report/writers.h"

namespace cw::report {

namespace {

std::string padded(const std::string& text, std::size_t width, bool right)
{
    const std::size_t taken = displayWidth(text);
    const std::string blank(width > taken ? width - taken : 0, ' ');
    return right ? blank + text : text + blank;
}

class TextWriter
{
public:
    std::string out;

    void operator()(const Heading& h)
    {
        separate();
        out += h.text + "\n";
        if (h.level < 3)
            out += std::string(displayWidth(h.text), h.level == 1 ? '=' : '-') + "\n";
    }
    void operator()(const Paragraph& p) { out += p.text + "\n"; }
    void operator()(const Note& n)
    {
        const char* mark = n.kind == Note::Kind::Good      ? "+ "
                           : n.kind == Note::Kind::Fault   ? "x "
                           : n.kind == Note::Kind::Warning ? "! "
                                                           : "i ";
        out += mark + n.text + "\n";
    }
    void operator()(const Bars&) {}
    void operator()(const Table& t)
    {
        if (!t.caption.empty()) {
            separate();
            out += t.caption + "\n";
        }
        std::vector<std::size_t> widths(t.columns.size(), 0);
        std::vector<bool> right(t.columns.size(), false);
        for (std::size_t c = 0; c < t.columns.size(); ++c) {
            widths[c] = displayWidth(t.columns[c]);
            for (const auto& row : t.rows) {
                widths[c] = std::max(widths[c], displayWidth(row[c].text));
                right[c] = right[c] || row[c].value.has_value();
            }
        }
        const bool headed = std::any_of(t.columns.begin(), t.columns.end(),
                                        [](const std::string& c) { return !c.empty(); });
        if (headed)
            line(widths, right, [&](std::size_t c) { return t.columns[c]; });
        for (const auto& row : t.rows)
            line(widths, right, [&](std::size_t c) { return row[c].text; });
    }

private:
    void separate()
    {
        if (!out.empty())
            out += "\n";
    }
    template <class TextOf>
    void line(const std::vector<std::size_t>& widths, const std::vector<bool>& right,
              const TextOf& textOf)
    {
        std::string line = " ";
        for (std::size_t c = 0; c < widths.size(); ++c)
            line += " " + padded(textOf(c), widths[c], right[c]) + " ";
        while (line.back() == ' ')
            line.pop_back();
        out += line + "\n";
    }
};

} // namespace

std::string toText(const Document& document)
{
    TextWriter writer;
    for (const Block& block : document.blocks)
        std::visit(writer, block);
    return std::move(writer.out);
}

} // namespace cw::report
