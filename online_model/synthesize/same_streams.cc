#include "online_model/synthesize/same_streams.h"

#include <algorithm>
#include <span>
#include <string>

#include "online_model/synthesize/list_text.h"
#include "reduction/api/canonical.h"
#include "reduction/api/cursor.h"

namespace ranksight::online_model {
namespace {

using reduction::Cursor;
using reduction::Event;
using reduction::Status;

std::string ValuesText(std::span<const int64_t> values) {
  return values.size() == 1 ? reduction::ValueText(values[0])
                            : ListText(values);
}

bool SameEvent(const Event& a, const Event& b) {
  if (a.call() != b.call() || a.site != b.site) return false;
  for (int i = 0; i < a.param_count(); ++i) {
    const auto x = a.ValuesAt(i), y = b.ValuesAt(i);
    if (!std::equal(x.begin(), x.end(), y.begin(), y.end())) return false;
  }
  return true;
}

// What of an event the canonical text does not say and is not the same in the
// other: where it was called, or a parameter.
std::string Beyond(const Event& e, const Event& other,
                   const reduction::Sites& sites) {
  if (e.site != other.site) {
    return " at " + reduction::ToString(sites, e.site, 1);
  }
  const auto params = reduction::Info(e.call()).params;
  for (int i = 0; i < e.param_count(); ++i) {
    const auto x = e.ValuesAt(i), y = other.ValuesAt(i);
    if (std::equal(x.begin(), x.end(), y.begin(), y.end())) continue;
    return " with " + std::string(reduction::ParamWords(params[size_t(i)])) +
           " " + ValuesText(x);
  }
  return "";
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
    std::string expected = more_b ? CanonicalText(b->event()) : "no event";
    std::string got = more_a ? CanonicalText(a->event()) : "no event";
    if (expected == got) {
      expected += Beyond(b->event(), a->event(), recorded.sites);
      got += Beyond(a->event(), b->event(), predicted.sites);
    }
    return Different(rank, at, expected, got, sides);
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
