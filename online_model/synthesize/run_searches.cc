#include "online_model/synthesize/run_searches.h"

#include <algorithm>

#include "reduction/api/codec.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Trace;

// What laws are searched in: the calls of all ranks, and nothing of the times.
std::vector<uint8_t> CallsOf(const Trace& run) {
  Trace calls;
  calls.meta.ranks = run.meta.ranks;
  calls.sites = run.sites;
  calls.root = run.root;
  ForEachEvent(calls.root, [](reduction::Node& n) { n.times = {}; });
  return reduction::Encode(calls, reduction::SketchForm::kFull,
                           reduction::Packing::kNone);
}

template <class Search>
std::shared_ptr<const LawAnswer> KnownOr(RunSearches* known,
                                         LawQuestion question,
                                         const Search& search) {
  if (known != nullptr) {
    if (auto answer = known->Find(question)) return answer;
  }
  auto answer = std::make_shared<const LawAnswer>(search());
  if (known != nullptr) known->Keep(std::move(question), answer);
  return answer;
}

}  // namespace

std::shared_ptr<RunSearches> LawSearches::Of(std::span<const Trace> runs) {
  Calls calls;
  for (const Trace& run : runs) {
    const std::vector<uint8_t> one = CallsOf(run);
    calls.insert(calls.end(), one.begin(), one.end());
  }
  const std::lock_guard lock(mutex_);
  auto at =
      std::ranges::find(known_, calls, &decltype(known_)::value_type::first);
  if (at == known_.end()) {
    if (known_.size() == kMost) known_.erase(known_.begin());
    known_.emplace_back(std::move(calls), std::make_shared<RunSearches>());
  } else {
    std::rotate(at, at + 1, known_.end());
  }
  return known_.back().second;
}

std::shared_ptr<const LawAnswer> RunSearches::Find(
    const LawQuestion& question) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [asked, answer] : known_) {
    if (asked == question) return answer;
  }
  return nullptr;
}

void RunSearches::Keep(LawQuestion question,
                       std::shared_ptr<const LawAnswer> answer) {
  const std::lock_guard lock(mutex_);
  known_.emplace_back(std::move(question), std::move(answer));
}

Result<NodeLaw> KnownOrFoundLaws(RunSearches* known,
                                 std::span<const Trace> traces,
                                 std::span<const Grid> grids,
                                 const ExtrapolationRequest& request, int parse,
                                 bool certain, uint64_t* found) {
  const auto answer = KnownOr(
      known,
      {{grids.begin(), grids.end()}, parse, certain, false, request.own_laws},
      [&]() -> LawAnswer {
        uint64_t before = 0;
        auto laws =
            FindLaws(traces, grids, request, parse != 0, certain, &before);
        return {std::move(laws), before};
      });
  *found = answer->found;
  return answer->laws;
}

NodeLaw KnownOrFoundLawsThatThereAre(RunSearches* known,
                                     std::span<const Trace> traces,
                                     std::span<const Grid> grids,
                                     const ExtrapolationRequest& request,
                                     const NodeLaw* without) {
  if (known != nullptr) {
    if (const auto all = FoundThroughout(*known, grids, request)) {
      return *all->laws;
    }
  }
  const auto answer = KnownOr(
      known, {{grids.begin(), grids.end()}, 0, true, true, request.own_laws},
      [&]() -> LawAnswer {
        return {FindLawsThatThereAre(traces, grids, request, without)};
      });
  return *answer->laws;
}

std::shared_ptr<const LawAnswer> FoundThroughout(
    const RunSearches& known, std::span<const Grid> grids,
    const ExtrapolationRequest& request) {
  auto answer = known.Find(
      {{grids.begin(), grids.end()}, 0, true, false, request.own_laws});
  return answer != nullptr && answer->laws.ok() ? answer : nullptr;
}

std::shared_ptr<RunSearches> SearchesOf(const ExtrapolationRequest& request,
                                        std::span<const Trace> runs) {
  return request.searches == nullptr ? nullptr : request.searches->Of(runs);
}

}  // namespace ranksight::online_model
