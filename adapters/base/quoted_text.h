// Names of a trace in the languages that adapters write. A name may hold any
// bytes; what comes out is one line of valid UTF-8 (reduction/api/shown_text.h)
// that cannot end the comment or the quotes around it.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace ranksight::adapters {

// Within a comment of C, also where trigraphs are read.
std::string CCommentText(std::string_view name);
// With its quotes.
std::string JsonText(std::string_view name);
// With its quotes. No spreadsheet takes it for a formula.
std::string CsvText(std::string_view name);

}  // namespace ranksight::adapters
