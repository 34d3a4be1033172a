#include "online_model/synthesize/known_laws.h"

#include <algorithm>
#include <set>

namespace ranksight::online_model {

// The innermost frame is where MPI is called.
KnownLaws::Line KnownLaws::LineOf(const reduction::Node& event,
                                  const reduction::Sites& sites, size_t param) {
  const auto& frames = sites.sites[event.site].frames;
  const auto frame =
      frames.empty() ? reduction::Frame{0, event.site} : frames.back();
  return {event.call, frame, param};
}

void KnownLaws::Add(const reduction::Node& event, const reduction::Sites& sites,
                    size_t param, const SequenceLaw& law) {
  if (law.form != SequenceLaw::Form::kPositional) return;
  laws_[LineOf(event, sites, param)].push_back(law);
}

std::optional<SequenceLaw> KnownLaws::Find(
    const reduction::Node& event, const reduction::Sites& sites, size_t param,
    std::span<const RankPattern> patterns) const {
  const auto it = laws_.find(LineOf(event, sites, param));
  if (it == laws_.end()) return std::nullopt;
  std::set<const Grid*> runs;
  for (const RankPattern& p : patterns) runs.insert(p.where.grid);
  for (const SequenceLaw& law : it->second) {
    const bool gives =
        law.support.runs > runs.size() &&
        std::all_of(patterns.begin(), patterns.end(),
                    [&law](const RankPattern& p) {
                      return law.At(p.where, p.rounds) == p.pattern;
                    });
    if (gives) return law;
  }
  return std::nullopt;
}

}  // namespace ranksight::online_model
