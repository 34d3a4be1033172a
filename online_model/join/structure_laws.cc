#include "online_model/join/structure_laws.h"

#include <iterator>
#include <utility>
#include <vector>

namespace ranksight::online_model {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

size_t StructureLaws::Ways() const {
  return first_.size() > kLeastSizes ? 1 + first_.size() - kLeastSizes : 1;
}

Result<Extrapolation> StructureLaws::At(int64_t ranks) {
  ExtrapolationRequest request = how_;
  request.ranks = ranks;
  Status why;
  for (size_t way = 0; way < Ways(); ++way) {
    const Laws& laws = LawsOfWay(way);
    Result<Extrapolation> made =
        laws.ok() ? FromLaws(laws->trace, request) : laws.status();
    if (made.ok()) return made;
    why = made.status();
  }
  return why;
}

const StructureLaws::Laws& StructureLaws::LawsOfWay(size_t way) {
  if (!laws_.contains(way)) {
    if (way == 0) {
      laws_[0] = std::make_shared<const Laws>(Search(0));
    } else {
      FindWeaker(way);
    }
  }
  return *laws_.at(way);
}

void StructureLaws::FindWeaker(size_t way) {
  const size_t weakest = Ways() - 1;
  auto& last = laws_[weakest];
  if (last == nullptr) {
    last = std::make_shared<const Laws>(Search(weakest));
  }
  // A law of more sizes would hold at fewer.
  laws_[way] = last->ok() && way < weakest
                   ? std::make_shared<const Laws>(Search(way))
                   : last;
}

StructureLaws::Laws StructureLaws::Search(size_t way) const {
  ExtrapolationRequest request = how_;
  request.ranks = first_.rbegin()->first;
  request.symbolic = true;
  request.hold_out = way == 0;
  request.strict = true;  // the ways without the smallest come later
  if (way < 2) return Extrapolate(inputs_, request);
  std::vector<Trace> larger;
  for (auto at = std::next(first_.begin(), long(way) - 1); at != first_.end();
       ++at) {
    larger.push_back(*at->second);
  }
  return Extrapolate(larger, request);
}

}  // namespace ranksight::online_model
