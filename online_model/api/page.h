// The side-car's page from the outside: asking a running one, and writing the
// same as one self-contained file.
// Thread-safety: pure functions but for the network and the file read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reduction/api/status.h"

namespace ranksight::online_model {

struct PageAddress {
  std::string address;  // "http://127.0.0.1:PORT"
  std::string token;
};

// What `ranksight serve --http` left in its store. kIo when no page of that
// store is shown, kBadInput when the file is no such note.
reduction::Result<PageAddress> ReadPageAddress(
    const std::string& store_directory);

// The answer to a path of the page ("/api/state"); empty when it says that
// nothing is new. kIo when nobody answers, kNo with the reason when the
// answer is no.
reduction::Result<std::string> AskPage(const PageAddress& page,
                                       const std::string& path,
                                       int patience_s = 30);

// Rank counts for a smooth curve: those measured, and steps from the smallest
// to 64 times the largest of them, where these have a pattern (powers, squares,
// cubes, multiples) at sizes that go on with it. Ascending. Empty when nothing
// is measured.
std::vector<int64_t> CurveRanks(const std::vector<int64_t>& measured);

// One of the things that a report says of how it was made.
struct ReportFact {
  std::string name, text;
};

// What a report shows; JSON texts as the page's answers have them, empty for
// what there is none of.
struct ReportContent {
  std::string title;
  std::string forecast;  // ToJson of a Forecast over a curve of rank counts
  std::string matrix, timeline, load, laws;
  std::vector<ReportFact> facts;
  std::string warning;  // beside the verdict; empty: none
};
// One HTML file without anything outside itself.
std::string ReportHtml(const ReportContent& content);

}  // namespace ranksight::online_model
