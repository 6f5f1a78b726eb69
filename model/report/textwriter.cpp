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
        const std::vector<std::string> lines = linesOf(t);
        if (t.beside && m_tableAt < out.size() && m_tableEnd == out.size()) {
            placeBeside(lines);
        } else {
            if (!t.caption.empty())
                separate();
            m_tableAt = out.size();
            for (const std::string& line : lines)
                out += line + "\n";
        }
        m_tableEnd = out.size();
    }

private:
    void separate()
    {
        if (!out.empty())
            out += "\n";
    }

    /// Joins lines to those of the table that the text ends with.
    void placeBeside(const std::vector<std::string>& right)
    {
        std::vector<std::string> left;
        std::size_t width = 0;
        for (std::size_t at = m_tableAt; at < out.size();) {
            const std::size_t end = out.find('\n', at);
            left.push_back(out.substr(at, end - at));
            width = std::max(width, displayWidth(left.back()));
            at = end + 1;
        }
        out.resize(m_tableAt);
        left.resize(std::max(left.size(), right.size()));
        for (std::size_t i = 0; i < left.size(); ++i) {
            const std::string other = i < right.size() ? right[i] : std::string();
            out += (other.empty() ? left[i] : padded(left[i], width + 4, false) + other) + "\n";
        }
    }

    static std::vector<std::string> linesOf(const Table& t)
    {
        std::vector<std::string> lines;
        if (!t.caption.empty())
            lines.push_back(t.caption);
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
            lines.push_back(line(widths, right, [&](std::size_t c) { return t.columns[c]; }));
        for (const auto& row : t.rows)
            lines.push_back(line(widths, right, [&](std::size_t c) { return row[c].text; }));
        return lines;
    }

    template <class TextOf>
    static std::string line(const std::vector<std::size_t>& widths, const std::vector<bool>& right,
                            const TextOf& textOf)
    {
        std::string line = " ";
        for (std::size_t c = 0; c < widths.size(); ++c)
            line += " " + padded(textOf(c), widths[c], right[c]) + " ";
        line.erase(line.find_last_not_of(' ') + 1);
        return line;
    }

    std::size_t m_tableAt = 0;
    std::size_t m_tableEnd = static_cast<std::size_t>(-1);
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
