// What may stand at a place of the command line, for the shells' completion.
// Thread-safety: pure function.
#pragma once

#include <span>
#include <string>

namespace CLI {
class App;
}

namespace ranksight::cli {

// A line for each word that may stand in the place of the last one (which may
// be begun, or empty): the word, a tab, and what --help says of it in one line.
// Commands and options of `app`, or of the command that stands before, that
// begin so. "" where a file belongs, or what is to run. words: what stands
// behind the program's name.
std::string Completions(const CLI::App& app,
                        std::span<const std::string> words);

}  // namespace ranksight::cli
