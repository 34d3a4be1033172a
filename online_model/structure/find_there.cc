#include "online_model/structure/find_there.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ranksight::online_model {

std::optional<ScalarLaw> FindThere(std::span<const Sample> samples,
                                   const SearchSpace& space) {
  std::map<std::pair<const Grid*, int64_t>, Sample> others;
  for (const Sample& s : samples) {
    const auto there = s.where.There();
    if (!there) return std::nullopt;
    const auto [it, added] =
        others.try_emplace({there->grid, there->rank}, Sample{*there, s.value});
    if (!added && it->second.value != s.value) return std::nullopt;
  }
  std::vector<Sample> of_ranks;
  for (const auto& [rank, sample] : others) of_ranks.push_back(sample);
  SearchSpace plain = space;
  plain.array = false;
  const auto law_there = FindScalarLaw(of_ranks, plain);
  if (!law_there) return std::nullopt;
  ScalarLaw law;
  law.kind = ScalarLaw::Kind::kThere;
  law.otherwise = std::make_shared<const ScalarLaw>(*law_there);
  return law;
}

}  // namespace ranksight::online_model
