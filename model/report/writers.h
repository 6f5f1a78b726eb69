// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "model/report/document.h"

// The forms of a document. Each writer is a pure function; all text is UTF-8.

namespace cw::report {

/// For a terminal: columns aligned, bars left to the tables beside them.
std::string toText(const Document& document);

/// GitHub's Markdown; a bar chart becomes a table.
std::string toMarkdown(const Document& document);

/// One file with its style and drawings in it; no script, nothing fetched.
std::string toHtml(const Document& document);

/// All tables and bars as rows `section,table,row,column,value,unit`; numbers in SI and in full,
/// texts as they stand. [RFC 4180]
std::string toCsv(const Document& document);

/// The blocks in order: {"kind": "table", ...}.
nlohmann::ordered_json toJson(const Document& document);

/// A bar chart as SVG, drawn with classes that the document's style colours.
std::string toSvg(const Bars& bars);

std::string escapedXml(std::string_view text);
std::string escapedCsv(std::string_view text);

/// A bar chart as a table with a column for each part: what Markdown and CSV show of it.
Table tableOf(const Bars& bars);

} // namespace cw::report
