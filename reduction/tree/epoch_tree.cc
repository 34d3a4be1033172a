#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "reduction/api/codec.h"
#include "reduction/api/contract.h"
#include "reduction/api/epoch.h"
#include "reduction/api/merge.h"
#include "reduction/api/pause.h"
#include "reduction/base/bytes.h"
#include "reduction/section/discard.h"
#include "reduction/tree/shape.h"

namespace ranksight::reduction {
namespace {

// A message: the cut's number in 8 bytes, then the trace.
constexpr size_t kCutBytes = 8;

void DiscardBelow(Node* node) {
  Discard(std::move(node->trips));
  while (!node->params.empty()) {
    Pause();
    Discard(std::move(node->params.back()));
    node->params.pop_back();
  }
  while (!node->children.empty()) {
    DiscardBelow(&node->children.back());
    node->children.pop_back();
  }
}

}  // namespace

EpochTree::EpochTree(Channel* channel, int radix) : channel_(channel) {
  RANKSIGHT_REQUIRE(channel != nullptr);
  RANKSIGHT_REQUIRE(radix >= 2);
  const TreePlace place =
      PlaceOf(channel->rank(), channel->size(), radix, channel->order());
  parent_ = int(place.parent);
  height_ = place.height;
  tree_height_ = place.tree_height;
  for (const TreeChild& c : place.children) {
    children_.push_back({int(c.rank), c.ranks, false, false, 0, {}});
  }
}

void EpochTree::Poll() {
  for (Child& child : children_) {
    while (auto bytes = channel_->Poll(child.rank)) {
      child.ended = child.ended || bytes->empty();
      ByteReader in(*bytes, 0, 0);
      const uint64_t cut = in.U64();
      if (!in.ok()) continue;
      child.cut = cut;
      child.newest = std::move(*bytes);
      child.late = false;
    }
  }
}

bool EpochTree::HasAll(uint64_t cut) const {
  return std::all_of(children_.begin(), children_.end(), [cut](const Child& c) {
    return c.late || c.ended || c.cut >= cut;
  });
}

void EpochTree::GiveUpOn(uint64_t cut) {
  for (Child& child : children_) child.late = child.cut < cut;
}

Trace EpochTree::Unite(Trace mine) const {
  mine.meta.complete = false;
  for (const Child& child : children_) {
    if (child.newest.empty()) {
      mine.meta.losses["rank_not_heard"] += uint64_t(child.ranks);
      continue;
    }
    Result<Trace> theirs = Decode(std::span(child.newest).subspan(kCutBytes));
    if (!theirs.ok() || !MergeInto(&mine, std::move(*theirs)).ok()) {
      mine.meta.losses["rank_lost"] += uint64_t(child.ranks);
    }
  }
  return mine;
}

bool EpochTree::SendUp(const Trace& united, uint64_t cut) {
  if (parent_ < 0 || channel_->Sending()) return false;
  ByteWriter out;
  out.U64(cut);
  out.Raw(Encode(united, SketchForm::kFull, Packing::kNone));
  return channel_->Send(parent_, out.Take()).ok();
}

// The last message of every rank is an empty one.
void EpochTree::Close(void (*idle)()) {
  bool told = parent_ < 0;
  const auto all_ended = [this] {
    return std::all_of(children_.begin(), children_.end(),
                       [](const Child& c) { return c.ended; });
  };
  while (!told || !all_ended() || channel_->Sending()) {
    if (!told && !channel_->Sending()) {
      told = true;
      if (!channel_->Send(parent_, {}).ok()) return;
    }
    Poll();
    idle();
  }
}

void Discard(Trace trace) { DiscardBelow(&trace.root); }

}  // namespace ranksight::reduction
