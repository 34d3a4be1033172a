#include "adapters/base/received_sizes.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "adapters/base/each_rank.h"
#include "reduction/api/message_kind.h"

namespace ranksight::adapters {
namespace {

using reduction::Param;
using reduction::Result;
using reduction::Section;
using reduction::Status;

// Sizes that one rank sends, by receiver and tag.
class SentSizes : public OperationSink {
 public:
  void Add(const Operation& o, std::span<const Dependency>) override {
    if (o.kind != Operation::Kind::kSend) return;
    sizes_[{o.peer, o.tag}].Append(o.amount);
  }
  // Messages of collectives are as long at both ends.
  std::optional<int64_t> Whole(const reduction::Event&,
                               int64_t) const override {
    return 0;
  }
  std::map<ReceivedSizes::Channel, Section>& sizes() { return sizes_; }

 private:
  std::map<ReceivedSizes::Channel, Section> sizes_;
};

// The least and the greatest value that the parameter has, whoever makes the
// call and when.
std::optional<std::pair<int64_t, int64_t>> RangeOf(const reduction::Node& node,
                                                   Param p) {
  const auto params = reduction::Info(node.call).params;
  const auto at = std::ranges::find(params, p);
  if (at == params.end()) return std::nullopt;
  std::optional<std::pair<int64_t, int64_t>> range;
  for (const auto& [rank, values] :
       node.params[size_t(at - params.begin())].ByRank()) {
    if (values.empty()) continue;
    const int64_t low = values.Min(), high = values.Max();
    if (!range) range.emplace(low, high);
    range->first = std::min(range->first, low);
    range->second = std::max(range->second, high);
  }
  return range;
}

std::optional<int64_t> OnlyValue(const reduction::Node& node, Param p) {
  const auto range = RangeOf(node, p);
  if (!range || range->first != range->second) return std::nullopt;
  return range->first;
}

bool Has(reduction::Call call, Param p) {
  return std::ranges::count(reduction::Info(call).params, p) > 0;
}

// One size for each tag, as far as the calls seen say.
class TagSizes {
 public:
  // False where the call has several tags or sizes, or other ones than those
  // before.
  bool Add(const reduction::Node& node) {
    if (!Take(node, Param::kTag, Param::kCount, Param::kTypeSize)) return false;
    if (!Has(node.call, Param::kRecvTag)) return true;
    return Has(node.call, Param::kRecvCount)
               ? Take(node, Param::kRecvTag, Param::kRecvCount,
                      Param::kRecvTypeSize)
               : Take(node, Param::kRecvTag, Param::kCount, Param::kTypeSize);
  }

 private:
  bool Take(const reduction::Node& node, Param tag, Param count, Param size) {
    // All tags between count as the call's, which is more than it may have.
    constexpr int64_t kMostTags = 64;
    const auto tags = RangeOf(node, tag);
    const auto items = OnlyValue(node, count), each = OnlyValue(node, size);
    if (!tags || tags->first < 0 || tags->second - tags->first >= kMostTags ||
        !items || !each || *items < 0 || *each < 0) {
      return false;
    }
    for (int64_t t = tags->first; t <= tags->second; ++t) {
      const auto [known, fresh] =
          sizes_.try_emplace(t, std::pair{*items, *each});
      if (known->second != std::pair{*items, *each}) return false;
    }
    return true;
  }
  std::map<int64_t, std::pair<int64_t, int64_t>> sizes_;
};

bool KnowsItsReceives(const Conversion& of_rank) {
  for (const char* unknown :
       {"receives from any source", "receives with any tag", "matched receives",
        "cancelled receives"}) {
    if (of_rank.not_expressed.contains(unknown)) return false;
  }
  return true;
}

}  // namespace

bool ReceivesMayDiffer(const reduction::Trace& trace) {
  TagSizes sizes;
  bool differ = false;
  ForEachEvent(trace.root, [&](const reduction::Node& node) {
    if (differ ||
        reduction::MessageKindOf(node.call) == reduction::MessageKind::kNone) {
      return;
    }
    // Matched receives and partitioned messages have no tag or size like this.
    differ = !sizes.Add(node);
  });
  return differ;
}

Result<ReceivedSizes> ReceivedSizes::Find(int64_t ranks, const Write& write) {
  ReceivedSizes found(ranks);
  std::vector<char> known(size_t(ranks), 1);
  // Receivers share locks: as many are enough for all cores.
  std::array<std::mutex, 64> locks;
  Conversion ignored;
  const Status status =
      ForEachRank(ranks, &ignored, [&](int64_t rank, Conversion* own) {
        SentSizes sent;
        const Status walked = write(rank, &sent, own);
        known[size_t(rank)] = char(KnowsItsReceives(*own));
        for (auto& [to, sizes] : sent.sizes()) {
          const auto receiver = size_t(to.first);
          const std::lock_guard lock(locks[receiver % locks.size()]);
          found.of_[receiver].emplace(Channel{rank, to.second},
                                      std::move(sizes));
        }
        return walked;
      });
  if (!status.ok()) return status;
  for (size_t rank = 0; rank < known.size(); ++rank) {
    if (known[rank] == 0) found.of_[rank].clear();
  }
  return found;
}

int64_t ReceivedSizes::Reader::Next(int64_t from, int64_t tag, int64_t asked) {
  const auto [at, fresh] = at_.try_emplace({from, tag});
  if (fresh) {
    const auto sizes = of_rank_.find({from, tag});
    if (sizes == of_rank_.end()) return asked;
    at->second = reduction::SectionCursor(&sizes->second);
  }
  const int64_t size = at->second.done() ? asked : at->second.Next();
  return size < 0 ? asked : size;  // of some sends nobody knows it
}

}  // namespace ranksight::adapters
