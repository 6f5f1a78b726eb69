// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>

#include "model/report/writers.h"
#include "model/units/text.h"

namespace cw::report {

namespace {

constexpr double kLabelWidth = 190;
constexpr double kBarWidth = 560;
constexpr double kValueWidth = 110;
constexpr double kRowHeight = 22;
constexpr double kLegendHeight = 22;
constexpr std::size_t kColours = 8;

std::string number(double x)
{
    return units::rounded(x, 6);
}

std::string colour(std::size_t part)
{
    return "c" + std::to_string(part % kColours);
}

std::string rect(double x, double y, double width, double height, const std::string& style,
                 const std::string& title)
{
    return "<rect class=\"" + style + "\" x=\"" + number(x) + "\" y=\"" + number(y) +
           "\" width=\"" + number(width) + "\" height=\"" + number(height) + "\"><title>" +
           escapedXml(title) + "</title></rect>\n";
}

std::string text(double x, double y, const std::string& style, const std::string& words)
{
    return "<text class=\"" + style + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\">" +
           escapedXml(words) + "</text>\n";
}

/// What is drawn of a value: nothing of what is no length.
double length(double value)
{
    return std::isfinite(value) ? std::max(0.0, value) : 0.0;
}

double sumOf(const Bars::Row& row)
{
    double sum = 0;
    for (const double v : row.values)
        sum += length(v);
    return sum;
}

double largest(const Bars& bars)
{
    double most = bars.limit ? length(*bars.limit) : 0.0;
    for (const Bars::Row& row : bars.rows)
        most = std::max(most, sumOf(row));
    return most > 0 ? most : 1.0;
}

std::string legend(const Bars& bars, double y)
{
    std::string out;
    double x = kLabelWidth;
    for (std::size_t p = 0; p < bars.parts.size(); ++p) {
        out += rect(x, y + 4, 11, 11, colour(p), bars.parts[p]);
        out += text(x + 16, y + 14, "legend", bars.parts[p]);
        x += 30 + 7.2 * static_cast<double>(displayWidth(bars.parts[p]));
    }
    return out;
}

} // namespace

std::string toSvg(const Bars& bars)
{
    const bool stacked = bars.kind == Bars::Kind::Stacked;
    const double top = stacked ? kLegendHeight : 0;
    const double height =
        top + kRowHeight * static_cast<double>(bars.rows.size()) + (bars.limit ? 18 : 4);
    const double width = kLabelWidth + kBarWidth + kValueWidth;
    const double scale = kBarWidth / largest(bars);
    std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 " +
                      number(width) + " " + number(height) + "\" aria-label=\"" +
                      escapedXml(bars.caption) + "\">\n";
    if (stacked)
        out += legend(bars, 0);
    double start = 0;
    for (std::size_t r = 0; r < bars.rows.size(); ++r) {
        const Bars::Row& row = bars.rows[r];
        const bool total = !stacked && r + 1 == bars.rows.size();
        const double y = top + kRowHeight * static_cast<double>(r);
        double x = stacked || total ? 0 : start;
        out += text(kLabelWidth - 8, y + 15, "label", row.label);
        for (std::size_t p = 0; p < row.values.size(); ++p) {
            const double bar = length(row.values[p]);
            const std::string name = stacked ? bars.parts[p] : row.label;
            out += rect(kLabelWidth + x * scale, y + 3, bar * scale, kRowHeight - 6,
                        total ? "total" : colour(p),
                        name + ": " + units::human(row.values[p], bars.unit));
            x += bar;
        }
        start = x;
        out +=
            text(kLabelWidth + x * scale + 6, y + 15, "value", units::human(sumOf(row), bars.unit));
    }
    if (bars.limit) {
        const double x = kLabelWidth + length(*bars.limit) * scale;
        out += "<line class=\"limit\" x1=\"" + number(x) + "\" x2=\"" + number(x) + "\" y1=\"" +
               number(top) + "\" y2=\"" + number(height - 16) + "\"/>\n";
        out += text(x, height - 4, "limit", bars.limitLabel);
    }
    return out + "</svg>\n";
}

} // namespace cw::report
