#include "online_model/synthesize/like_others.h"

#include <utility>
#include <vector>

#include "online_model/structure/evidence.h"

namespace ranksight::online_model {
namespace {

using Patterns = std::span<const RankPattern>;

// None where any rank has more than one number.
std::vector<Sample> OneNumberEach(Patterns patterns) {
  std::vector<Sample> samples;
  for (const RankPattern& p : patterns) {
    if (!p.pattern.prefix.empty() || p.pattern.period.size() != 1) return {};
    samples.push_back({p.where, p.pattern.period[0]});
  }
  return samples;
}

bool IsOneNumber(const SequenceLaw& law) {
  return law.form == SequenceLaw::Form::kPositional && law.prefix.empty() &&
         law.values.size() == 1;
}

}  // namespace

void LikeOthers::Look(Patterns patterns, const SearchSpace& space,
                      std::optional<SequenceLaw>* found) {
  const std::vector<Sample> samples = OneNumberEach(patterns);
  if (samples.empty() || (*found && !IsOneNumber(**found))) return;
  if (*found && SaysEnough(samples, (*found)->values[0], space.said.get())) {
    laws_.Add((*found)->values[0], space.ndims);
    return;
  }
  unsure_ = true;
  if (!taken_) return;
  ExpressionPtr like = laws_.Find(samples);
  if (like == nullptr) return;
  SequenceLaw law;
  law.values = {OfExpression(std::move(like))};
  law.support = SupportOf(patterns);
  *found = std::move(law);
}

}  // namespace ranksight::online_model
