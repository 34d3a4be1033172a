// A law at every value of a setting, from those found at some values.
//
// Most often these are of one kind, and each amount in them follows a law over
// the setting (amount_law.h). At some value a whole may come out even by
// chance, or a law of another kind say the same: then a kind is taken which
// says at all values what is known there. Thread-safety: value types, pure
// functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "online_model/api/own_laws.h"
#include "online_model/structure/amount_law.h"
#include "online_model/structure/sequence_law.h"
#include "online_model/synthesize/law_code.h"

namespace ranksight::online_model {

// A law found at one value, and the grids of the runs that it was found on.
struct LawAt {
  int64_t value = 0;
  const SequenceLaw* law = nullptr;
  std::span<const Grid> grids;
};

class LawOverSetting {
 public:
  // Nothing where an amount is no whole number, or none that a law can have.
  std::optional<SequenceLaw> At(int64_t value) const;

 private:
  friend class LawOverSettingSearch;
  friend std::optional<LawOverSetting> PlaceByPlace(std::span<const LawAt>,
                                                    int64_t, int,
                                                    const OwnLaws&);
  std::optional<SequenceLaw> ListAt(int64_t value) const;

  // Of a list, what its places have in turn, each so often; nothing else counts
  // then.
  struct Places;
  std::vector<Places> places_;
  size_t in_prefix_ = 0;  // of them
  SequenceLaw list_;

  NumberedLaw like_;
  std::vector<AmountLaw> amounts_;  // of like_.amounts, in turn
  int ndims_ = 1;
  OwnLaws own_;
};

struct LawOverSetting::Places {
  LawOverSetting law;
  AmountLaw count;
};

// known: ascending by value. wanted, most_free: see FindAmountLaw.
std::optional<LawOverSetting> FindLawOverSetting(std::span<const LawAt> known,
                                                 int64_t wanted, int most_free,
                                                 const OwnLaws& own);

}  // namespace ranksight::online_model
