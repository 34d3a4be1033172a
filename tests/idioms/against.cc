#include "tests/idioms/against.h"

#include <algorithm>
#include <vector>

#include "reduction/api/canonical.h"
#include "reduction/api/cursor.h"

namespace ranksight::idioms {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;

// Several sends that are complete may have one handle: which of them a wait is
// about nobody knows then, only which a wait for all is about.
bool IsTold(Param param, Call call) {
  if (param == Param::kRequests) {
    return call == Call::MPI_Waitall_ || call == Call::MPI_Start_ ||
           call == Call::MPI_Startall_ || call == Call::MPI_Request_free_;
  }
  return param != Param::kDone && param != Param::kMatched &&
         param != Param::kMatchedTags;
}

std::string LineOf(const Event& e) {
  std::string line = reduction::CanonicalText(e);
  const auto params = reduction::Info(e.call()).params;
  for (size_t i = 0; i < params.size(); ++i) {
    if (!IsTold(params[i], e.call())) continue;
    line += " " + std::string(reduction::ParamName(params[i])) + "=";
    for (const int64_t v : e.ValuesAt(int(i))) line += std::to_string(v) + ",";
  }
  return line;
}

std::vector<std::string> LinesOf(const reduction::Trace& trace, int64_t rank,
                                 bool in_order) {
  std::vector<std::string> lines;
  auto cursor = reduction::Cursor::Open(trace, rank);
  while (cursor.ok() && cursor->Next()) {
    if (cursor->event().call() == Call::MPI_Waitsome_) continue;
    lines.push_back(LineOf(cursor->event()));
  }
  if (!in_order) std::sort(lines.begin(), lines.end());
  return lines;
}

bool IsInOrder(const Program& p) {
  return std::none_of(p.phases.begin(), p.phases.end(), [](const Phase& phase) {
    return std::string(phase.idiom->name) == "consensus";
  });
}

}  // namespace

std::string FirstDifference(const Program& program,
                            const reduction::Trace& real,
                            const reduction::Trace& ours) {
  if (real.meta.ranks != ours.meta.ranks) return "another number of ranks";
  const bool in_order = IsInOrder(program);
  for (int64_t r = 0; r < real.meta.ranks; ++r) {
    auto a = LinesOf(real, r, in_order), b = LinesOf(ours, r, in_order);
    a.resize(std::max(a.size(), b.size()), "no more calls");
    b.resize(a.size(), "no more calls");
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin());
    if (x == a.end()) continue;
    return "rank " + std::to_string(r) + " call " +
           std::to_string(x - a.begin() + 1) + "\nreal: " + *x +
           "\nours: " + *y;
  }
  return "";
}

}  // namespace ranksight::idioms
