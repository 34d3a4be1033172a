// Sizes and extents of the datatypes that a program makes.
//
// They follow from what it gives the call that makes one: a subarray is as long
// as the product of its dimensions (MPI 4.1, 5.1). Calls that use or free a
// type show them again. No search finds such sums of products from a few
// numbers.
//
// Laws are looked for twice: a type may be made behind the first call that is
// seen to use it. Thread-safety: value type.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "online_model/structure/sequence_law.h"
#include "online_model/synthesize/node_law.h"
#include "reduction/api/call.h"

namespace ranksight::online_model {

// Whether it says how large a datatype is, or by how much its extent is more,
// or lists that of several.
bool IsTypeLength(reduction::Param p);

class MadeTypes {
 public:
  // The law of such a parameter of a call, of which law.params before it are
  // known: of what it makes by what it is given, of what it uses by the laws
  // kept of types that calls make. Keeps what is found of types that it makes.
  // Nothing where there is none.
  std::optional<SequenceLaw> Find(reduction::Call call, size_t param,
                                  const NodeLaw& law,
                                  std::span<const RankPattern> patterns);

  // Whether something had no law that may be that of a type, once all are
  // known; and whether there are any.
  bool IsWaiting() const { return waits_ && !taken_; }
  bool MayFollow() const {
    return IsWaiting() && !(laws_.empty() && lists_.empty());
  }
  void Take() { taken_ = true; }

 private:
  std::optional<SequenceLaw> Used(std::span<const RankPattern> patterns);

  std::vector<ScalarLaw> laws_;
  // Of types made for each rank in turn, or for each neighbour.
  std::vector<SequenceLaw> lists_;
  bool waits_ = false, taken_ = false;
};

}  // namespace ranksight::online_model
