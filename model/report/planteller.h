// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "model/report/document.h"
#include "model/report/evaluationjson.h"
#include "model/text/catalogue.h"

namespace cw::report {

/// Tells one plan into a document, section by section. What planreport.h puts together.
class PlanTeller
{
public:
    PlanTeller(Document& document, const Subject& subject, text::Language language);

    void what(); ///< name, model, machine and layout
    void verdict();
    void headline();
    void memory();
    void memoryBars();
    void step();
    void stepBars();
    void run();
    void phases();   ///< of the run, where the plan lists any
    void lostTime(); ///< by class
    void purchase(); ///< what the run buys: loss, and what the batch costs
    void outside();  ///< offloading and storage, where the plan has them
    void limits();   ///< that bind, each with the change that relaxes it
    void power();
    void cooling();
    void cost();
    void checks();
    void assumptionCount();
    void inputs();
    void assumptions();
    void presets();
    void formulas();

    std::string term(std::string_view key, const text::Arguments& arguments = {}) const;
    /// The label of a figure and its value.
    Cell labelOf(std::string_view figure) const;
    Cell cellOf(std::string_view figure) const;

private:
    double value(std::string_view figure) const;
    void table(std::string_view caption, const std::vector<std::string_view>& figures,
               bool beside = false);

    Document& m_document;
    const Subject& m_subject;
    const text::Catalogue& m_words;
    std::map<std::string, std::pair<double, units::Unit>, std::less<>> m_figures;
};

/// The figures a plan is judged by first.
const std::vector<std::string_view>& headlineFigures();

/// The exposed parts of a step; they sum to its time.
const std::vector<std::string_view>& stepParts();

} // namespace cw::report
