#include "online_model/fit/shapes.h"

namespace ranksight::online_model {
namespace {

// Times of MPI programs over rank counts: work that is divided, surfaces of
// blocks (1/3, 1/2, 2/3), stages of trees and distances on tori, all-to-all.
// Odds fall where a law is rare or runs away when extrapolated.
std::vector<Candidate> Weighed() {
  std::vector<Candidate> all = {{{0, 0, true}, 2}};
  struct Term {
    double power;
    int log_power;
    double prior;
  };
  constexpr Term kTerms[] = {
      {-2, 0, 0.5},       {-1.5, 0, 0.5},     {-1, 0, 1.5},
      {-1, 1, 0.5},       {-2.0 / 3, 0, 0.7}, {-0.5, 0, 0.7},
      {-1.0 / 3, 0, 0.7}, {0, 1, 1.5},        {0.25, 0, 0.5},
      {1.0 / 3, 0, 1},    {0.5, 0, 1},        {2.0 / 3, 0, 0.5},
      {1, 0, 1},          {1, 1, 0.3},        {1.5, 0, 0.1}};
  for (const Term& t : kTerms) {
    all.push_back({{t.power, t.log_power, true}, t.prior});
    all.push_back({{t.power, t.log_power, false}, t.prior});
  }
  return all;
}

std::vector<Candidate> Classic() {
  return {{{0, 0, true}, 1},
          {{1, 0, true}, 1},
          {{1, 0, false}, 1},
          {{-1, 0, false}, 1},
          {{-1, 0, true}, 1}};
}

std::vector<Candidate> NormalForm() {
  constexpr double kPowers[] = {0,       1.0 / 4, 1.0 / 3, 1.0 / 2, 2.0 / 3,
                                3.0 / 4, 1,       5.0 / 4, 4.0 / 3, 3.0 / 2,
                                5.0 / 3, 7.0 / 4, 2,       3};
  std::vector<Candidate> all;
  for (double power : kPowers) {
    for (int logs = 0; logs < 3; ++logs)
      all.push_back({{power, logs, true}, 1});
  }
  return all;
}

}  // namespace

std::span<const Candidate> CandidatesOf(ModelFamily family) {
  static const std::vector<Candidate> weighed = Weighed();
  static const std::vector<Candidate> classic = Classic();
  static const std::vector<Candidate> normal_form = NormalForm();
  switch (family) {
    case ModelFamily::kWeighed:
      return weighed;
    case ModelFamily::kClassic:
      return classic;
    case ModelFamily::kNormalForm:
      return normal_form;
  }
  return weighed;
}

BasisTable::BasisTable(ModelFamily family, std::span<const double> ranks)
    : width_(ranks.size()) {
  for (const Candidate& c : CandidatesOf(family)) {
    for (double n : ranks) values_.push_back(Basis(c.shape, n));
  }
}

}  // namespace ranksight::online_model
