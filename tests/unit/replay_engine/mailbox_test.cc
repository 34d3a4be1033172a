#include "replay_engine/progress/mailbox.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "reduction/api/call.h"

namespace ranksight::replay_engine {
namespace {

using reduction::kPeerAny;
using reduction::kTagAny;

// MPI's rule, word by word: two lists in the order in which things came.
class Lists {
 public:
  std::optional<uint64_t> Arrive(const Envelope& message, uint64_t send) {
    const auto at = std::ranges::find_if(receives_, [&](const Waiting& r) {
      return Takes(r.envelope, message);
    });
    if (at == receives_.end()) {
      messages_.push_back({message, send});
      return std::nullopt;
    }
    const uint64_t id = at->id;
    receives_.erase(at);
    return id;
  }
  std::optional<uint64_t> Post(const Envelope& receive, uint64_t id) {
    const auto first = First(receive);
    if (first) {
      messages_.remove_if([&](const Waiting& m) { return m.id == *first; });
    } else {
      receives_.push_back({receive, id});
    }
    return first;
  }
  std::optional<uint64_t> First(const Envelope& receive) const {
    for (const Waiting& m : messages_) {
      if (Takes(receive, m.envelope)) return m.id;
    }
    return std::nullopt;
  }
  bool Withdraw(uint64_t id) {
    return receives_.remove_if([&](const Waiting& r) { return r.id == id; }) ==
           1;
  }

 private:
  struct Waiting {
    Envelope envelope;
    uint64_t id;
  };
  static bool Takes(const Envelope& r, const Envelope& m) {
    return r.comm == m.comm && (r.source == kPeerAny || r.source == m.source) &&
           (r.tag == kTagAny || r.tag == m.tag);
  }
  std::list<Waiting> messages_, receives_;
};

TEST(Mailbox, MatchesAsTwoListsDo) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](int n) { return int64_t(random() % unsigned(n)); };
    const int sources = seed % 2 == 0 ? 3 : 200;
    Mailbox box;
    Lists lists;
    std::vector<std::pair<Envelope, uint64_t>> posted;
    for (uint64_t id = 0; id < 4000; ++id) {
      Envelope e = {below(2), below(sources), below(3)};
      // Now more messages and now more receives.
      const bool sends = below(10) < (id / 500 % 2 == 0 ? 7 : 3);
      if (sends) {
        ASSERT_EQ(box.Arrive(e, id), lists.Arrive(e, id));
        continue;
      }
      if (below(20) == 0) e.source = kPeerAny;
      if (below(20) == 0) e.tag = kTagAny;
      ASSERT_EQ(box.First(e), lists.First(e));
      if (below(8) == 0 && box.First(e)) {
        ASSERT_EQ(box.Take(e), lists.Post(e, id));
        continue;
      }
      ASSERT_EQ(box.Post(e, id), lists.Post(e, id));
      posted.emplace_back(e, id);
      if (below(12) != 0) continue;
      const auto& [envelope, receive] =
          posted[size_t(below(int(posted.size())))];
      if (lists.Withdraw(receive)) box.Withdraw(envelope, receive);
    }
  }
}

}  // namespace
}  // namespace ranksight::replay_engine
