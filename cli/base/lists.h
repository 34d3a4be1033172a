// Lists of rank counts, shapes and command lines given as text.
//
// All return kUsage with a message that quotes the text when it is wrong.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reduction/api/status.h"

namespace ranksight::cli {

// "4,9,16" -> {4, 9, 16}. At least one entry, each in [1, 2^40].
reduction::Result<std::vector<int64_t>> ParseRankList(std::string_view text);
// "32x32" -> {32, 32}. At least one side, each in [1, 2^40].
reduction::Result<std::vector<int64_t>> ParseShape(std::string_view text);
// "size=2048" -> {"size", 2048}. A name, and a whole number in [1, 2^40].
reduction::Result<std::pair<std::string, int64_t>> ParseSetting(
    std::string_view text);
// Leaves of numbers that are equal the first.
void DropRepeated(std::vector<int64_t>* numbers);
std::string JoinNumbers(const std::vector<int64_t>& numbers,
                        std::string_view separator);

// Splits as a shell does: blanks separate, single quotes keep everything,
// double quotes everything but \" and \\, a backslash the next character.
reduction::Result<std::vector<std::string>> SplitWords(std::string_view text);

// The word as a shell reads it again: in quotes where it must be.
std::string ShellWord(const std::string& word);

// Replaces every `mark` in the words; how many there were.
int ReplaceInWords(std::string_view mark, std::string_view text,
                   std::vector<std::string>* words);

// The words of a launcher template with every "{ranks}" replaced; where it
// has none, "-n RANKS" is added. kUsage when the template is empty.
reduction::Result<std::vector<std::string>> ExpandLauncher(
    std::string_view launcher, int64_t ranks);

}  // namespace ranksight::cli
