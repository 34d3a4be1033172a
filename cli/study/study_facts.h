// What the report of a study says of how it was made: who finds it in a year
// can make it again, and knows what it holds for.
// Thread-safety: pure functions, but for the name of this host.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/study/study.h"
#include "cli/study/study_options.h"
#include "online_model/api/forecast.h"
#include "online_model/api/page.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

// The command line that asks for the same, to be given to a shell.
std::string StudyCommand(const StudyOptions& options,
                         const std::vector<std::string>& program);

// traces: a run of each size; version: of this command.
std::vector<online_model::ReportFact> StudyFacts(
    const StudyOptions& options, const std::vector<std::string>& program,
    std::span<const reduction::Trace> traces,
    const online_model::Forecast& forecast, const std::string& version);

// That ranks shared cores, and what that means; empty where none did.
std::string SharedCoresText(std::span<const reduction::Trace> traces,
                            const online_model::Forecast& forecast);

}  // namespace ranksight::cli
