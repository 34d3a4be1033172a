// same_values A.trace B.trace: whether both make the same calls at the same
// call sites on every rank, with the same value of each parameter. More than
// `ranksight diff` asks, which compares the canonical text: there an array of
// counts is one number of bytes. What receives from any source matched is left
// out. Exit 0 the same, 1 with the first difference, 3 unreadable.

#include <algorithm>
#include <cstdio>
#include <string>

#include "reduction/api/canonical.h"
#include "reduction/api/codec.h"
#include "reduction/api/cursor.h"

namespace {

using namespace ranksight::reduction;

bool Same(const Event& a, const Event& b) {
  if (a.call() != b.call() || a.site != b.site) return false;
  for (int i = 0; i < a.param_count(); ++i) {
    const auto x = a.ValuesAt(i), y = b.ValuesAt(i);
    if (!std::equal(x.begin(), x.end(), y.begin(), y.end())) return false;
  }
  return true;
}

std::string Values(const Event& e) {
  std::string text = CanonicalText(e) + " with values";
  for (const int64_t v : e.values()) text += " " + std::to_string(v);
  return text;
}

// 0, or 1 with the difference printed.
int CompareRank(const Trace& a, const Trace& b, int64_t rank) {
  auto x = Cursor::Open(a, rank), y = Cursor::Open(b, rank);
  while (x.ok() && y.ok()) {
    const bool more_x = x->Next(), more_y = y->Next();
    if (more_x && more_y && Same(x->event(), y->event())) continue;
    if (!more_x && !more_y && x->status().ok() && y->status().ok()) return 0;
    std::printf("rank %lld\nA: %s\nB: %s\n", static_cast<long long>(rank),
                more_x ? Values(x->event()).c_str() : "no more",
                more_y ? Values(y->event()).c_str() : "no more");
    return 1;
  }
  std::printf("values are missing\n");
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  auto a = ReadTraceFile(argv[1]), b = ReadTraceFile(argv[2]);
  if (!a.ok() || !b.ok()) return 3;
  ForgetMatched(&*a);
  ForgetMatched(&*b);
  if (a->meta.ranks != b->meta.ranks) return 1;
  for (int64_t r = 0; r < a->meta.ranks; ++r) {
    if (CompareRank(*a, *b, r) != 0) return 1;
  }
  return 0;
}
