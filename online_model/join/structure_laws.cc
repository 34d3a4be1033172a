#include "online_model/join/structure_laws.h"

#include <iterator>
#include <utility>
#include <vector>

#include "online_model/api/averaged.h"

namespace ranksight::online_model {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

size_t StructureLaws::Exact() const {
  return first_.size() > kLeastSizes ? 1 + first_.size() - kLeastSizes : 1;
}

Result<Extrapolation> StructureLaws::At(int64_t ranks, bool* estimated) {
  ExtrapolationRequest request;
  request.ranks = ranks;
  request.own_laws = own_laws_;
  Status why;
  for (const bool rounded : {false, true}) {
    request.allow_estimates = rounded;
    for (size_t way = 0; way < Exact() + (rounded ? 1 : 0); ++way) {
      const Laws& laws = ByWay(way);
      Result<Extrapolation> made =
          laws.ok() ? FromLaws(laws->trace, request) : laws.status();
      if (made.ok()) {
        Average(&made->trace);
        *estimated = rounded;
        return made;
      }
      if (way < Exact()) why = made.status();
    }
  }
  return why;
}

const StructureLaws::Laws& StructureLaws::ByWay(size_t way) {
  if (!laws_.contains(way)) {
    way == 0 || way == Exact() ? FindChecked() : FindWeaker(way);
  }
  return *laws_.at(way);
}

// A search with estimates that needs none is the one without, and so is one
// that fails.
void StructureLaws::FindChecked() {
  const auto with = std::make_shared<const Laws>(Search(0, true));
  laws_[Exact()] = with;
  const bool same = !with->ok() || (*with)->report.estimated == 0;
  laws_[0] = same ? with : std::make_shared<const Laws>(Search(0, false));
}

void StructureLaws::FindWeaker(size_t way) {
  const size_t weakest = Exact() - 1;
  auto& last = laws_[weakest];
  if (last == nullptr) {
    last = std::make_shared<const Laws>(Search(weakest, false));
  }
  // A law of more sizes would hold at fewer.
  laws_[way] = last->ok() && way < weakest
                   ? std::make_shared<const Laws>(Search(way, false))
                   : last;
}

StructureLaws::Laws StructureLaws::Search(size_t way, bool estimates) const {
  ExtrapolationRequest request;
  request.ranks = first_.rbegin()->first;
  request.symbolic = true;
  request.allow_estimates = estimates;
  request.hold_out = way == 0;
  request.own_laws = own_laws_;
  if (way < 2) return Extrapolate(inputs_, request);
  std::vector<Trace> larger;
  for (auto at = std::next(first_.begin(), long(way) - 1); at != first_.end();
       ++at) {
    larger.push_back(*at->second);
  }
  return Extrapolate(larger, request);
}

}  // namespace ranksight::online_model
