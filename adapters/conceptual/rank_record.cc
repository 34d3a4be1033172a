#include "adapters/conceptual/rank_record.h"

#include <cmath>
#include <utility>

#include "reduction/api/call.h"

namespace ranksight::adapters::conceptual {
namespace {

using reduction::kPeerNull;

// A message that is not there repeats the tag and size of the one before it.
constexpr int64_t kUnused = 0;

// Of all occurrences behind this call site, where they are told apart.
double MeanBehind(const reduction::EventTimes& times,
                  reduction::Predecessor after) {
  const auto of = [&](const reduction::ComputeParts& parts) {
    return parts.sole() == after ? &times.compute : parts.Find(after);
  };
  double sum = 0, count = 0;
  if (const reduction::TimeSummary* first = of(times.first_after)) {
    sum += first->first.sum;
    count += double(first->first.count);
  }
  if (const reduction::TimeSummary* rest = of(times.rest_after)) {
    sum += rest->rest.moments().sum;
    count += double(rest->rest.moments().count);
  }
  if (count > 0) return sum / count;
  count = double(times.compute.Occurrences());
  return count > 0 ? times.TotalCompute() / count : 0;
}

}  // namespace

size_t Record::HalfOf(bool sends, bool waits) {
  auto& halves = item_->halves;
  for (size_t i = 0; i < halves.size(); ++i) {
    if (i == halves_.size()) halves_.emplace_back();
    const bool fits = halves[i].sends == sends && halves[i].waits == waits;
    if (fits && !halves_[i].used) return i;
  }
  Half half;
  half.sends = sends;
  half.waits = waits;
  halves.push_back(std::move(half));
  if (halves_.size() < halves.size()) halves_.emplace_back();
  return halves.size() - 1;
}

void Record::Push(Values* v, int64_t peer, int64_t tag, int64_t bytes) {
  // Values for nobody do not matter: they repeat those before, and follow the
  // same rule.
  if (peer == kPeerNull) {
    tag = v->last_tag;
    bytes = v->last_bytes;
  }
  const bool known = peer != reduction::kPeerAny && tag != reduction::kTagAny;
  if (known && v->later.empty()) {
    v->peer.Append(peer);
    v->tag.Append(tag);
  } else {
    v->later.push_back({peer, tag});
  }
  v->bytes.Append(bytes);
  v->last_tag = tag == reduction::kTagAny ? v->last_tag : tag;
  v->last_bytes = bytes;
  v->ever |= peer != kPeerNull;
}

void Record::Begin(reduction::Predecessor after) {
  compute_.Append(std::llround(MeanBehind(item_->node->times, after)));
  for (Values& v : halves_) v.used = false;
  awaits_now_ = false;
}

Record::HalfIndex Record::AddHalf(bool sends, bool waits, int64_t peer,
                                  int64_t tag, int64_t bytes) {
  const size_t half = HalfOf(sends, waits);
  Values& v = halves_[half];
  v.used = true;
  // Occurrences before the first one that has it.
  const uint64_t missing = occurrences_ - v.bytes.size();
  if (missing > 0) {
    v.peer.AppendRun(kPeerNull, missing);
    v.tag.AppendRun(kUnused, missing);
    v.bytes.AppendRun(kUnused, missing);
  }
  Push(&v, peer, tag, bytes);
  return {half, v.later.empty() ? 0 : v.later.size() - 1};
}

void Record::SetPeer(const HalfIndex& place, int64_t peer, int64_t tag) {
  halves_[place.half].later[place.at] = {peer, tag};
}

void Record::SetCollective(int64_t comm, int64_t root, int64_t amount) {
  comm_.Append(comm);
  root_.Append(root);
  amount_.Append(amount);
}

void Record::End() {
  ++occurrences_;
  for (Values& v : halves_) {
    if (!v.used && !v.bytes.empty()) Push(&v, kPeerNull, 0, 0);
  }
  awaits_.Append(awaits_now_ ? 1 : 0);
  awaits_ever_ |= awaits_now_;
}

void Record::Flush(int64_t rank) {
  for (size_t i = 0; i < halves_.size(); ++i) {
    Values& v = halves_[i];
    for (const Matched& m : v.later) {
      v.peer.Append(m.peer);
      v.tag.Append(m.tag);
    }
    if (v.ever) {
      item_->halves[i].peer.Add(rank, v.peer, true);
      item_->halves[i].tag.Add(rank, v.tag, false);
      item_->halves[i].bytes.Add(rank, v.bytes, false);
    }
    v = Values();
  }
  if (awaits_ever_) item_->awaits.Add(rank, awaits_, false);
  item_->comm.Add(rank, comm_, false);
  item_->root.Add(rank, root_, true);
  // An amount that the trace does not know at any occurrence is none at all.
  const bool known = !amount_.empty() && amount_.Max() != reduction::kNone;
  if (known) item_->amount.Add(rank, amount_, false);
  item_->compute.Add(rank, compute_, false);
  compute_ = awaits_ = comm_ = root_ = amount_ = reduction::Section();
  occurrences_ = 0;
  awaits_now_ = awaits_ever_ = false;
}

}  // namespace ranksight::adapters::conceptual
