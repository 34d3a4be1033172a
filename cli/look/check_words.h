// Sentences about what `check` found. No newline in any.
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "online_model/api/check.h"

namespace ranksight::cli {

std::string SecondsWords(double seconds);
std::string AmountWords(const online_model::Amount& amount);
// "MPI_Allreduce in Step < main"
std::string PlaceWords(const online_model::NamedSite& place);
// "calls 80 -> 160 at 4 ranks, 180 -> 360 at 9 ranks: worse"
std::string ChangeWords(const online_model::AmountChange& change);
std::string CommunicationWords(const online_model::CommunicationCheck& check);
std::string TimeWords(const online_model::TimeCheck& check);
// What takes the additional time; "" where it is not slower.
std::string GrownWords(const online_model::TimeCheck& check);
std::string BudgetWords(const online_model::BudgetCheck& check);
// As code in a cell of a table, whatever stands in it.
std::string MarkdownCode(std::string_view text);

}  // namespace ranksight::cli
