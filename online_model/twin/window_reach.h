// How far transfers reach into what ranks have in windows. A window of which no
// law says how large it is, or into which drawn transfers reach, is at least
// that large.
//
// Windows of one collective call are the k-th ones that its members make at one
// call site.
// Thread-safety: ranks may add at once, each what is its own; Settle() once,
// then ask. Complexity: O(log) a transfer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "online_model/twin/input_run.h"
#include "reduction/api/event.h"

namespace ranksight::online_model {

struct TwinTree;

// Puts, gets and their like: nobody waits for them.
bool IsTransfer(const reduction::CallInfo& info);
// Whether the call makes a window of memory.
bool MakesWindow(reduction::Call call);
// Whether the parameter says how large such a window is.
bool IsWindowSize(reduction::Call call, reduction::Param p);
// Of a transfer of which something is drawn: the target's side, and what the
// result is put into, get as many bytes as the origin gives.
void MeetEnds(reduction::Event* e);
// Whether windows may have to be larger than laws or like ranks say.
bool HasOpenWindows(const TwinTree& tree);

class WindowReach {
 public:
  // The windows of one rank, in the order in which it makes them.
  class OfRank {
   public:
    using Key = std::pair<SiteKey, int64_t>;
    // The one that a call at this site makes, of memory or not; nothing where
    // the call makes none.
    std::optional<Key> Make(const SiteKey& site);
    // By number; nullptr: none that is known.
    const Key* Find(int64_t number) const;

   private:
    std::map<SiteKey, int64_t> made_;
    std::vector<Key> windows_;
  };

  explicit WindowReach(int64_t ranks) : by_origin_(size_t(ranks)) {}
  // A call of `rank`; of others than windows and transfers nothing.
  void Add(int64_t rank, const SiteKey& site, const reduction::Event& e,
           OfRank* own);
  void Settle();
  // Bytes that a rank's window needs, whose displacements count by `unit`.
  int64_t BytesOf(int64_t rank, const OfRank::Key& window, int64_t unit) const;

 private:
  // In units, and the bytes behind. The first grow, the second fall: a transfer
  // that one of them covers in both tells nothing.
  using Front = std::map<int64_t, int64_t>;
  using Target = std::pair<int64_t, OfRank::Key>;
  static void Put(int64_t units, int64_t bytes, Front* front);

  std::vector<std::map<Target, Front>> by_origin_;
  std::map<Target, Front> reach_;
};

}  // namespace ranksight::online_model
