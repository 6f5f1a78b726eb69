// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/report/writers.h"
#include "resources/embedded.h"

namespace cw::report {

namespace {

struct HtmlWriter
{
    std::string out;

    void operator()(const Heading& h)
    {
        const std::string tag = "h" + std::to_string(h.level);
        out += "<" + tag + ">" + escapedXml(h.text) + "</" + tag + ">\n";
    }
    void operator()(const Paragraph& p) { out += "<p>" + escapedXml(p.text) + "</p>\n"; }
    void operator()(const Note& n)
    {
        out += "<p class=\"note " + std::string(nameOf(n.kind)) + "\">" + escapedXml(n.text) +
               "</p>\n";
    }
    void operator()(const Bars& b)
    {
        out += "<figure>\n<figcaption>" + escapedXml(b.caption) + "</figcaption>\n" + toSvg(b) +
               "</figure>\n";
    }
    void operator()(const Table& t)
    {
        out += "<div class=\"wide\"><table>\n";
        if (!t.caption.empty())
            out += "<caption>" + escapedXml(t.caption) + "</caption>\n";
        out += "<thead><tr>";
        for (const std::string& c : t.columns)
            out += "<th scope=\"col\">" + escapedXml(c) + "</th>";
        out += "</tr></thead>\n<tbody>\n";
        for (std::size_t r = 0; r < t.rows.size(); ++r)
            row(t.rows[r], t.lastIsSum && r + 1 == t.rows.size());
        out += "</tbody></table></div>\n";
    }
    void row(const std::vector<Cell>& cells, bool sum)
    {
        out += sum ? "<tr class=\"sum\">" : "<tr>";
        for (std::size_t c = 0; c < cells.size(); ++c) {
            const std::string text = escapedXml(cells[c].text);
            if (c == 0)
                out += "<th scope=\"row\">" + text + "</th>";
            else
                out += (cells[c].value ? "<td class=\"number\">" : "<td>") + text + "</td>";
        }
        out += "</tr>\n";
    }
};

} // namespace

std::string escapedXml(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        default:
            // Control characters are no XML.
            if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t')
                out += c;
        }
    }
    return out;
}

std::string toHtml(const Document& document)
{
    HtmlWriter writer;
    for (const Block& block : document.blocks)
        std::visit(writer, block);
    const std::string language = document.language == "zh_CN" ? "zh-Hans" : document.language;
    std::string out = "<!DOCTYPE html>\n<html lang=\"" + escapedXml(language) +
                      "\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                      "<title>" +
                      escapedXml(document.title) + "</title>\n<style>\n";
    out += resources::file("report/style.css");
    out += "</style>\n</head>\n<body>\n<main>\n" + writer.out + "</main>\n</body>\n</html>\n";
    return out;
}

} // namespace cw::report
