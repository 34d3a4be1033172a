#include "cli/look/compare.h"

#include <algorithm>

#include "reduction/api/canonical.h"
#include "reduction/api/cursor.h"
#include "reduction/api/distribution.h"

namespace ranksight::cli {
namespace {

using reduction::Cursor;
using reduction::Event;
using reduction::Node;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

// Equal trees make equal streams; sites and times are not part of the text.
bool SameTree(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.call != b.call || !(a.trips == b.trips) ||
      !(a.params == b.params) || a.children.size() != b.children.size()) {
    return false;
  }
  for (size_t i = 0; i < a.children.size(); ++i) {
    if (!SameTree(a.children[i], b.children[i])) return false;
  }
  return true;
}

bool SameValues(const Event& a, const Event& b) {
  if (a.call() != b.call() || a.param_count() != b.param_count()) return false;
  for (int i = 0; i < a.param_count(); ++i) {
    if (!std::ranges::equal(a.ValuesAt(i), b.ValuesAt(i))) return false;
  }
  return true;
}

class RankComparer {
 public:
  RankComparer(Cursor a, Cursor b) : a_(std::move(a)), b_(std::move(b)) {}

  // True when both streams are the same; otherwise *out says where not.
  bool Same(Comparison* out) {
    uint64_t position = 0;
    while (true) {
      ++position;
      const bool has_a = a_.Next(), has_b = b_.Next();
      if (!has_a && !has_b) break;
      if (has_a && has_b && SameValues(a_.event(), b_.event())) continue;
      Text(has_a, a_, &line_a_);
      Text(has_b, b_, &line_b_);
      if (line_a_ == line_b_) continue;
      out->identical = false;
      out->position = position;
      out->line_a = line_a_;
      out->line_b = line_b_;
      return false;
    }
    out->events += position - 1;
    return true;
  }
  const Status& a_status() const { return a_.status(); }
  const Status& b_status() const { return b_.status(); }

 private:
  static void Text(bool there, const Cursor& at, std::string* line) {
    line->clear();
    if (there) AppendCanonicalText(at.event(), line);
  }

  Cursor a_, b_;
  std::string line_a_, line_b_;
};

Status Named(const std::string& name, const Status& status) {
  return {status.code(), name + ":" + status.message()};
}

}  // namespace

Result<Comparison> Compare(const Trace& a, const Trace& b,
                           const std::string& a_name,
                           const std::string& b_name) {
  Comparison result;
  if (SameTree(a.root, b.root)) {
    result.events = CountEvents(a);
    const auto kept = a.meta.losses.find(reduction::kLossOfValues);
    if (kept != a.meta.losses.end()) result.not_kept = kept->second;
    return result;
  }
  for (int64_t rank = 0; rank < a.meta.ranks; ++rank) {
    auto at_a = Cursor::Open(a, rank, reduction::Missing::kAccepted);
    auto at_b = Cursor::Open(b, rank, reduction::Missing::kAccepted);
    if (!at_a.ok()) return Named(a_name, at_a.status());
    if (!at_b.ok()) return Named(b_name, at_b.status());
    RankComparer comparer(std::move(*at_a), std::move(*at_b));
    const bool same = comparer.Same(&result);
    if (!comparer.a_status().ok()) return Named(a_name, comparer.a_status());
    if (!comparer.b_status().ok()) return Named(b_name, comparer.b_status());
    if (same) continue;
    result.rank = rank;
    return result;
  }
  // A value that one of them lacks prints as "?" there, so equal lines mean
  // that both lack it.
  for (const Trace* t : {&a, &b}) {
    const Status complete = RequireValues(*t);
    if (!complete.ok()) {
      return Status::No(
          "all calls agree, but what is left of values does "
          "not: " +
          complete.message());
    }
  }
  return result;
}

}  // namespace ranksight::cli
