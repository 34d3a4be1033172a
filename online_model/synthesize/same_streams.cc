#include "online_model/synthesize/same_streams.h"

#include <algorithm>
#include <string>

#include "reduction/api/canonical.h"
#include "reduction/api/cursor.h"

namespace ranksight::online_model {
namespace {

using reduction::Cursor;
using reduction::Event;
using reduction::Status;

bool SameEvent(const Event& a, const Event& b) {
  if (a.call() != b.call() || a.site != b.site) return false;
  for (int i = 0; i < a.param_count(); ++i) {
    const auto x = a.ValuesAt(i), y = b.ValuesAt(i);
    // An estimate stands for any values.
    if (!x.empty() && x[0] == reduction::kNotKept) continue;
    if (!std::equal(x.begin(), x.end(), y.begin(), y.end())) return false;
  }
  return true;
}

Status Different(int64_t rank, uint64_t at, const std::string& expected,
                 const std::string& got, Sides sides) {
  return Status::No("rank " + std::to_string(rank) + ", event " +
                    std::to_string(at) + " " + std::string(sides.one) + " \"" +
                    expected + "\", " + std::string(sides.other) + " \"" + got +
                    "\"");
}

reduction::Result<uint64_t> CompareRank(const reduction::Trace& predicted,
                                        const reduction::Trace& recorded,
                                        int64_t rank, Sides sides) {
  auto a = Cursor::Open(predicted, rank, reduction::Missing::kAccepted);
  auto b = Cursor::Open(recorded, rank);
  if (!a.ok()) return a.status();
  if (!b.ok()) return b.status();
  for (uint64_t at = 1;; ++at) {
    const bool more_a = a->Next(), more_b = b->Next();
    if (!more_a && !more_b) {
      if (!a->status().ok()) return Status::No(a->status().message());
      if (!b->status().ok()) return b->status();
      return at - 1;
    }
    if (more_a && more_b && SameEvent(a->event(), b->event())) continue;
    return Different(rank, at, more_b ? CanonicalText(b->event()) : "no event",
                     more_a ? CanonicalText(a->event()) : "no event", sides);
  }
}

}  // namespace

reduction::Result<uint64_t> CompareStreams(const reduction::Trace& predicted,
                                           const reduction::Trace& recorded,
                                           Sides sides) {
  uint64_t events = 0;
  for (int64_t rank = 0; rank < recorded.meta.ranks; ++rank) {
    const auto same = CompareRank(predicted, recorded, rank, sides);
    if (!same.ok()) return same.status();
    events += *same;
  }
  return events;
}

}  // namespace ranksight::online_model
