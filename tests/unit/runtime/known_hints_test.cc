// Hints held against a list that is looked through from its end.
#include "runtime/capture/known_hints.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

namespace ranksight::runtime {
namespace {

using HintWords = std::array<uint64_t, Hint::kMaxRaw>;

struct MadeCall {
  reduction::Call call;
  const void* caller;
  const void* frame;
  HintWords words;
};

CallKey KeyOfCall(const MadeCall& made) {
  CallKey key(made.call, made.caller, made.frame);
  key.AddAll(made.words);
  return key;
}

std::unique_ptr<Hint> HintOf(const MadeCall& made) {
  auto hint = std::make_unique<Hint>();
  hint->call = made.call;
  hint->caller = const_cast<void*>(made.caller);
  hint->frame = const_cast<void*>(made.frame);
  hint->raw = made.words;
  return hint;
}

TEST(KnownHints, ACallFindsItsOwnOrOneThatTookItsPlace) {
  std::mt19937_64 random(1);
  const auto known = std::make_unique<KnownHints>();
  std::vector<MadeCall> calls;
  std::vector<std::unique_ptr<Hint>> hints;
  for (int i = 0; i < 200; ++i) {
    HintWords words{};
    for (size_t k = 0; k < 1 + random() % words.size(); ++k) {
      words[k] = random() % 4;
    }
    calls.push_back({reduction::Call(1 + random() % 3),
                     reinterpret_cast<void*>(16 + 8 * (random() % 4)),
                     reinterpret_cast<void*>(4096 + 64 * (random() % 4)),
                     words});
    hints.push_back(HintOf(calls.back()));
    known->Add(hints.back().get());
    EXPECT_EQ(known->Find(KeyOfCall(calls.back())), hints.back().get());
  }
  // Of 200 in 1024 places most are alone.
  size_t own = 0;
  for (size_t i = 0; i < calls.size(); ++i) {
    const Hint* found = known->Find(KeyOfCall(calls[i]));
    ASSERT_NE(found, nullptr);
    own += size_t(
        found->call == calls[i].call && found->caller == calls[i].caller &&
        found->frame == calls[i].frame && found->raw == calls[i].words);
  }
  EXPECT_GT(own, calls.size() * 3 / 4);
}

TEST(CallKey, ZerosAddNothingAndTheOrderOfOthersCounts) {
  const auto sum = [](const std::vector<uint64_t>& words) {
    CallKey key(reduction::Call::MPI_Send_, nullptr, nullptr);
    key.AddAll(words);
    return key.sum();
  };
  EXPECT_EQ(sum({1, 2}), sum({1, 2, 0, 0}));
  EXPECT_NE(sum({1, 2}), sum({2, 1}));
  EXPECT_NE(sum({0, 1}), sum({1, 0}));
  CallKey some(reduction::Call::MPI_Waitsome_, nullptr, nullptr);
  CallKey two = some;
  two.AddDone(2);
  CallKey three = some;
  three.AddDone(3);
  EXPECT_NE(two.sum(), three.sum());
  some.AddDone(0);
  EXPECT_EQ(some.sum(),
            CallKey(reduction::Call::MPI_Waitsome_, nullptr, nullptr).sum());
}

TEST(KnownHints, ACallWithAValueOfItsOwnIsFoundWhateverTheValue) {
  const auto known = std::make_unique<KnownHints>();
  int caller = 0, frame = 0;
  Hint open;
  open.call = reduction::Call::MPI_Send_;
  open.open_caller = &caller;
  open.frame = &frame;
  open.open_count = 1;
  open.open_words[0] = 1;
  open.raw = {7, 100, 9};
  open.compared.fill(UINT64_MAX);
  open.compared[1] = 0;
  known->Add(&open);
  const CallKey key(open.call, &caller, &frame);
  for (const uint64_t value : {0u, 100u, 55u}) {
    EXPECT_EQ(known->FindOpen(key, HintWords{7, value, 9}), &open);
  }
  EXPECT_NE(known->FindOpen(key, HintWords{8, 100, 9}), &open);
  EXPECT_EQ(
      known->FindOpen(CallKey(open.call, &frame, &frame), HintWords{7, 100, 9}),
      nullptr);
}

}  // namespace
}  // namespace ranksight::runtime
