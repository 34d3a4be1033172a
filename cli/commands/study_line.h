// The options of `ranksight study`.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/study/study_options.h"

namespace ranksight::cli {

void AddStudyOptions(CLI::App* app, StudyOptions* options);

}  // namespace ranksight::cli
