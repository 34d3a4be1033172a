// Answers of the side-car's page that need the commands' own tools, as JSON.
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/base/machine_options.h"
#include "cli/look/load_report.h"
#include "online_model/api/extrapolate.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::cli {

// {"ranks", "side", "block", "cells": [[from, to, bytes, messages], ...],
// "others": [[call, times], ...]}: who sends how much to whom, ranks taken
// together in blocks so that at most 128 blocks stand on a side. Only cells
// with messages. others: calls that give data to other ranks without a message
// of their own, which the cells leave out. kNo above 65,536 ranks.
reduction::Result<std::string> MatrixJson(const reduction::Trace& trace);

// The same at a rank count that none of the traces has, of the trace that their
// laws make; kNo also where they make none. how: they are searched.
reduction::Result<std::string> MatrixJsonAt(
    const std::vector<reduction::Trace>& traces, int64_t ranks,
    online_model::ExtrapolationRequest how = {});

// What TimelineJson and LoadJson say (timeline_report.h, load_report.h), the
// latter in blocks of ranks where there are more than 4,096. kNo as above.
reduction::Result<std::string> TimelinePageJson(const reduction::Trace& trace);
reduction::Result<std::string> LoadPageJson(
    const reduction::Trace& trace,
    const std::optional<RankLayout>& on = std::nullopt);

// Where the ranks of a run sit on the network that the options name, if they do
// and it has a place for each. Of ranks that shared cores nothing: they were
// not there.
std::optional<RankLayout> LayoutOn(const PlaceOptions& places,
                                   const reduction::Trace& trace);

// {"laws": [TEXT, ...], "exact", "held_out_ranks", "estimates": []}: the laws
// that hold over traces of different sizes. Where they do not give all, also
// "refused": REASON, "ranks": the largest size; laws and estimates, as of
// WriteEstimates (extrapolation_report.h), are then those of a twin of that
// size. Where none can be made they are left out, and "not_estimated" says why.
// how: they are searched, of any rank count.
reduction::Result<std::string> LawsJson(
    const std::vector<reduction::Trace>& traces,
    online_model::ExtrapolationRequest how = {});

}  // namespace ranksight::cli
