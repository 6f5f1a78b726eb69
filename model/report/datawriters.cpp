// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/report/writers.h"
#include "model/units/text.h"

namespace cw::report {

using Json = nlohmann::ordered_json;

namespace {

struct CsvWriter
{
    std::string out = "section,table,row,column,value,unit\r\n";
    std::string plan;
    std::string section;

    void operator()(const Heading& h)
    {
        if (h.level < 3)
            plan = h.text;
        section = h.level < 3 ? h.text : plan + ": " + h.text;
    }
    void operator()(const Paragraph&) {}
    void operator()(const Note& n) { line("", nameOf(n.kind), "", Cell(n.text)); }
    void operator()(const Bars& b)
    {
        if (b.kind == Bars::Kind::Stacked) // a waterfall draws the table beside it
            (*this)(tableOf(b));
    }
    void operator()(const Table& t)
    {
        for (const auto& row : t.rows)
            for (std::size_t c = 1; c < row.size(); ++c)
                if (!row[c].text.empty())
                    line(t.caption, row[0].text, t.columns[c], row[c]);
    }
    void line(std::string_view table, std::string_view row, std::string_view column,
              const Cell& cell)
    {
        out += escapedCsv(section) + "," + escapedCsv(table) + "," + escapedCsv(row) + "," +
               escapedCsv(column) + ",";
        out += cell.value ? units::exact(*cell.value) : escapedCsv(cell.text);
        out += "," + (cell.value ? escapedCsv(units::symbol(cell.unit)) : std::string()) + "\r\n";
    }
};

Json jsonOf(const Cell& cell)
{
    Json j{{"text", cell.text}};
    if (cell.value) {
        j["value"] = *cell.value;
        j["unit"] = units::symbol(cell.unit);
    }
    return j;
}

struct JsonWriter
{
    Json blocks = Json::array();

    void operator()(const Heading& h)
    {
        blocks.push_back({{"kind", "heading"}, {"level", h.level}, {"text", h.text}});
    }
    void operator()(const Paragraph& p)
    {
        blocks.push_back({{"kind", "paragraph"}, {"text", p.text}});
    }
    void operator()(const Note& n)
    {
        blocks.push_back({{"kind", "note"}, {"severity", nameOf(n.kind)}, {"text", n.text}});
    }
    void operator()(const Table& t)
    {
        Json rows = Json::array();
        for (const auto& row : t.rows) {
            Json cells = Json::array();
            for (const Cell& c : row)
                cells.push_back(jsonOf(c));
            rows.push_back(std::move(cells));
        }
        blocks.push_back({{"kind", "table"},
                          {"caption", t.caption},
                          {"columns", t.columns},
                          {"rows", std::move(rows)}});
    }
    void operator()(const Bars& b)
    {
        Json rows = Json::array();
        for (const Bars::Row& row : b.rows)
            rows.push_back({{"label", row.label}, {"values", row.values}});
        Json j{{"kind", b.kind == Bars::Kind::Stacked ? "stacked-bars" : "waterfall"},
               {"caption", b.caption},
               {"unit", units::symbol(b.unit)},
               {"parts", b.parts},
               {"rows", std::move(rows)}};
        if (b.limit)
            j["limit"] = {{"label", b.limitLabel}, {"value", *b.limit}};
        blocks.push_back(std::move(j));
    }
};

} // namespace

std::string escapedCsv(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"')
            out += '"';
        out += c;
    }
    return out + "\"";
}

std::string toCsv(const Document& document)
{
    CsvWriter writer;
    for (const Block& block : document.blocks)
        std::visit(writer, block);
    return std::move(writer.out);
}

Json toJson(const Document& document)
{
    JsonWriter writer;
    for (const Block& block : document.blocks)
        std::visit(writer, block);
    return std::move(writer.blocks);
}

} // namespace cw::report
