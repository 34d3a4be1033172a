// The hints of calls that are not expected but were made before, found by what
// the wrapper has at hand. Where the order of calls follows no rule, most of
// them are known all the same: then the prediction is set right, instead of
// looking at the call in full.
//
// Complexity: O(1); of two that meet in one place the later is kept.
// Thread-safety: the recorder's lock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/capture/hint.h"

namespace ranksight::runtime {

// What a call is looked up by. An unsigned sum, so that words of 0 add nothing.
class CallKey {
 public:
  CallKey(reduction::Call call, const void* caller, const void* frame) {
    Add(uint64_t(call));
    Add(Word(caller));
    Add(Word(frame));
  }
  void Add(uint64_t word) { sum_ += word * (factor_ += 2 * kFactor); }
  void AddAll(std::span<const uint64_t> words) {
    for (const uint64_t word : words) Add(word);
  }
  // What a call found: how many were completed of those that might have been.
  void AddDone(size_t count) {
    if (count != 0) sum_ = (sum_ + count) * kFactor;
  }
  uint64_t sum() const { return sum_; }

 private:
  static constexpr uint64_t kFactor = 0x9E3779B97F4A7C15u;  // odd
  uint64_t sum_ = 0;
  uint64_t factor_ = kFactor;
};

class KnownHints {
 public:
  // The hint tells all about its call.
  void Add(const Hint* hint);
  // The one that was added with the key, or another one, or nullptr.
  const Hint* Find(const CallKey& key) const { return hints_[IndexOf(key)]; }
  // The same for a call that may bring values of its own. any: without words.
  const Hint* FindOpen(const CallKey& any,
                       std::span<const uint64_t> words) const {
    const Hint* like = Find(any);
    if (like == nullptr || like->open_count == 0) return nullptr;
    return Find(OpenKeyOf(any, *like, words));
  }

 private:
  // A power of two. Doubling it helps programs with hundreds of calls that
  // follow one another without a rule.
  static constexpr size_t kHints = 1024;

  static size_t IndexOf(const CallKey& key) {
    return (key.sum() * 0x9E3779B97F4A7C15u) / (UINT64_MAX / kHints + 1);
  }
  const Hint** Place(const CallKey& key) { return &hints_[IndexOf(key)]; }
  // With the words that a call like this one is compared by.
  static CallKey OpenKeyOf(CallKey key, const Hint& like,
                           std::span<const uint64_t> words) {
    for (size_t i = 0; i < words.size(); ++i) {
      key.Add(words[i] & like.compared[i]);
    }
    return key;
  }

  std::array<const Hint*, kHints> hints_{};
};

}  // namespace ranksight::runtime
