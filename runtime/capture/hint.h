// What it takes to recognise the predicted call without a look at any table:
// the wrapper, where its return addresses lie on the stack, and the arguments
// as the program passed them last time.
//
// Invariant: a call that matches a hint has the values of its variant.
// Thread-safety: written by the recorder's owner only, under its lock.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "reduction/api/folder.h"
#include "runtime/capture/call_path.h"
#include "runtime/capture/comm_table.h"
#include "runtime/capture/request_table.h"

namespace ranksight::runtime {

// Handles and numbers as words that can be compared.
template <class T>
uint64_t Word(T value) {
  static_assert(sizeof(T) <= sizeof(uint64_t));
  uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  return word;
}
// Whether the word is this value's.
template <class T>
[[gnu::always_inline]] inline bool IsWord(const uint64_t& word, T value) {
  T its;
  std::memcpy(&its, &word, sizeof its);
  return its == value;
}

// What a call brings that is no part of its variant. Not initialised but for
// the numbers of values: they are few, and there is room for many.
struct OwnValues {
  // What it passed for open parameters, in their order.
  static constexpr size_t kMostOpen = 4;
  std::array<int64_t, kMostOpen> open;
  size_t open_count = 0;
  // Source and tag of each of its matches.
  static constexpr size_t kMostMatches = 64;
  std::array<int64_t, 2 * kMostMatches> matches;
  size_t match_count = 0;
  // References to what it completed, where it completes some.
  std::array<int64_t, kMostMatches> completed;
  size_t completed_count = 0;
  // REQUIRES: match_count < kMostMatches.
  void AddMatch(int64_t source, int64_t tag) {
    matches[2 * match_count] = source;
    matches[2 * match_count + 1] = tag;
    ++match_count;
  }
};

struct Hint {
  static constexpr size_t kMaxRaw = 12;

  void* caller = nullptr;  // nullptr: nothing matches
  void* frame = nullptr;
  const Slot* slots = nullptr;  // one at least
  const Slot* slots_end = nullptr;
  reduction::Call call{};
  uint64_t changes = 0;  // of what the raw arguments mean
  std::array<uint64_t, kMaxRaw> raw{};
  // References to the requests that it is passed, in the program's order; those
  // that name one in the order in which the event has them, by place.
  std::vector<int64_t> references;
  std::vector<size_t> order;
  int64_t reference = 0;  // of the only one
  // What stood behind the only one's handle, or that of the one made, last.
  mutable RequestTable::Live* live = &RequestTable::nothing;
  size_t done_count = 0;  // of those completed, where it completes some
  reduction::Variant* variant = nullptr;
  std::vector<Slot> own_slots;
  // Where each call brings values of its own, this stands for caller; which
  // bits of raw are compared, and the words that are values of open
  // parameters.
  void* open_caller = nullptr;
  std::array<uint64_t, kMaxRaw> compared{};
  std::array<uint8_t, OwnValues::kMostOpen> open_words{};
  size_t open_count = 0;
  // Whether the call itself asks for any source or tag, and the peers among
  // whom it finds one; how many matches it completes.
  bool chooses = false;
  WorldRanksOfPeers peers;
  size_t match_count = 0;

  // Inside the wrappers, where the arguments are in registers already.
  [[gnu::always_inline]] bool IsCall(reduction::Call made, void* from,
                                     void* at) const {
    return caller == from && call == made && frame == at &&
           StillThere(slots, slots_end);
  }
  bool IsOpenCall(reduction::Call made, void* from, void* at) const {
    return open_caller == from && call == made && frame == at &&
           StillThere(slots, slots_end);
  }
  template <class... Arguments>
  [[gnu::always_inline]] bool Passes(Arguments... arguments) const {
    static_assert(sizeof...(Arguments) <= kMaxRaw);
    size_t i = 0;
    return (IsWord(raw[i++], arguments) && ...);
  }
  // The same but for the open parameters, whose values it takes: numbers that
  // mean themselves, so not below zero.
  template <class... Arguments>
  bool PassesOpen(OwnValues* own, Arguments... arguments) const {
    static_assert(sizeof...(Arguments) <= kMaxRaw);
    const std::array<uint64_t, sizeof...(Arguments)> words = {
        Word(arguments)...};
    uint64_t differences = 0;
    for (size_t i = 0; i < words.size(); ++i) {
      differences |= (raw[i] ^ words[i]) & compared[i];
    }
    own->open_count = open_count;
    for (size_t i = 0; i < open_count; ++i) {
      const uint64_t value = words[open_words[i]];
      differences |= value >> 31;
      own->open[i] = int64_t(value);
    }
    return differences == 0;
  }
};

// Stand for an expectation where there is none: the thread records, but
// nothing is known; it writes calls that it knows to its log (call_log.h); the
// thread is inside a call already; the thread has not been seen, or nothing is
// recorded.
extern const Hint kNothing, kLogging, kInside, kOutside;

}  // namespace ranksight::runtime
