#include "cli/look/collective_flows.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "reduction/api/amounts.h"

namespace ranksight::cli {

using reduction::kTooMany;
using reduction::Plus;
using reduction::Times;

CollectiveFlows::CollectiveFlows(const std::vector<int64_t>& members,
                                 bgq_support::Traffic* traffic)
    : members_(members), traffic_(traffic), flows_(&traffic->flows) {}

void CollectiveFlows::Send(int64_t from, int64_t to, uint64_t bytes) {
  ++messages_;
  if (bytes == 0) return;
  flows_.Add(members_[static_cast<size_t>(from)],
             members_[static_cast<size_t>(to)], bytes);
}

// bytes_of(n): along an edge with n members behind it.
template <class BytesOf>
void CollectiveFlows::TreeEdges(int64_t root, Way way, BytesOf bytes_of) {
  const int64_t n = size();
  for (int64_t span = 1; span < n; span *= 2) {
    for (int64_t near = 0; near + span < n; near += 2 * span) {
      const int64_t behind = std::min(span, n - near - span);
      const int64_t a = (near + root) % n, b = (near + span + root) % n;
      if (way == Way::kFromRoot) {
        Send(a, b, bytes_of(behind));
      } else {
        Send(b, a, bytes_of(behind));
      }
    }
  }
}

void CollectiveFlows::Tree(int64_t root, uint64_t bytes, Way way) {
  TreeEdges(root, way, [&](int64_t) { return bytes; });
}

void CollectiveFlows::TreeOfBlocks(int64_t root, uint64_t block, Way way) {
  TreeEdges(root, way,
            [&](int64_t behind) { return Times(block, uint64_t(behind)); });
}

void CollectiveFlows::Straight(int64_t root, std::span<const uint64_t> bytes,
                               Way way) {
  for (int64_t i = 0; i < size(); ++i) {
    if (i == root) continue;
    const uint64_t own = bytes[static_cast<size_t>(i)];
    way == Way::kFromRoot ? Send(root, i, own) : Send(i, root, own);
  }
}

void CollectiveFlows::Doubling(uint64_t bytes) {
  const auto power = static_cast<int64_t>(std::bit_floor(uint64_t(size())));
  const int64_t rest = size() - power;
  // The first 2 x rest members in pairs, of which the odd ones go on.
  for (int64_t i = 0; i < rest; ++i) Send(2 * i, 2 * i + 1, bytes);
  const auto place = [&](int64_t i) { return i < rest ? 2 * i + 1 : i + rest; };
  for (int64_t mask = 1; mask < power; mask *= 2) {
    for (int64_t i = 0; i < power; ++i) Send(place(i), place(i ^ mask), bytes);
  }
  for (int64_t i = 0; i < rest; ++i) Send(2 * i + 1, 2 * i, bytes);
}

void CollectiveFlows::ScanDoubling(uint64_t bytes) {
  for (int64_t mask = 1; mask < size(); mask *= 2) {
    for (int64_t i = 0; i < size(); ++i) {
      if ((i ^ mask) < size()) Send(i, i ^ mask, bytes);
    }
  }
}

void CollectiveFlows::Ring(std::span<const uint64_t> blocks) {
  const uint64_t all =
      std::accumulate(blocks.begin(), blocks.end(), uint64_t{0}, Plus);
  for (int64_t i = 0; i < size() && size() > 1; ++i) {
    const int64_t next = (i + 1) % size();
    const uint64_t own = blocks[static_cast<size_t>(next)];
    Send(i, next, all == kTooMany ? kTooMany : all - own);
    messages_ += static_cast<uint64_t>(size()) - 2;
  }
}

void CollectiveFlows::Pairwise(std::span<const uint64_t> blocks) {
  const bool equal = std::all_of(blocks.begin(), blocks.end(),
                                 [&](uint64_t b) { return b == blocks[0]; });
  if (equal) {
    traffic_->exchanges.push_back({members_, blocks[0]});
    messages_ += uint64_t(size()) * uint64_t(size() - 1);
    return;
  }
  for (int64_t to = 0; to < size(); ++to) {
    for (int64_t from = 0; from < size(); ++from) {
      if (from != to) Send(from, to, blocks[static_cast<size_t>(to)]);
    }
  }
}

}  // namespace ranksight::cli
