#include "online_model/synthesize/box_terms.h"

#include <algorithm>
#include <string>
#include <utility>

#include "reduction/api/status.h"

namespace ranksight::online_model {
namespace {

using reduction::Status;

// Longest list laid out place by place.
constexpr size_t kMostTerms = 1 << 16;

void Raise(int64_t by, const Box& box, BoxTerm* term) {
  if (term->body.empty()) term->value = Add(term->value, box.Constant(by));
  for (BoxTerm& t : term->body) Raise(by, box, &t);
}

}  // namespace

BoxTerm One(const Affine& value, const Box& box) {
  return {value, 0, box.Constant(1), {}};
}

void AppendTerm(BoxTerm term, BoxTerms* out) {
  if (!out->empty() && term.body.empty() && out->back().body.empty() &&
      term.stride == 0 && out->back().stride == 0 &&
      out->back().value == term.value) {
    out->back().count = Add(out->back().count, term.count);
    return;
  }
  if (out->size() >= kMostTerms) {
    throw Status::No("a law gives a list of more than " +
                     std::to_string(kMostTerms) + " different places");
  }
  out->push_back(std::move(term));
}

Affine Length(const BoxTerms& terms, const Box& box) {
  Affine n = box.Constant(0);
  for (const BoxTerm& t : terms) {
    n = Add(n, t.body.empty() ? t.count
                              : Multiply(t.count, Length(t.body, box), box));
  }
  return n;
}

Affine Sum(const BoxTerms& terms, const Box& box) {
  Affine sum = box.Constant(0);
  for (const BoxTerm& t : terms) {
    const Affine one = t.body.empty() ? t.value : Sum(t.body, box);
    sum = Add(sum, Multiply(one, t.count, box));
    if (t.stride == 0) continue;
    const int64_t n = ConstantOf(t.count, box);
    const int64_t inner =
        t.body.empty() ? 1 : ConstantOf(Length(t.body, box), box);
    sum = Add(sum, box.Constant(n * (n - 1) / 2 * inner), t.stride);
  }
  return sum;
}

BoxTerms Head(const BoxTerms& terms, int64_t n, const Box& box) {
  BoxTerms head;
  for (const BoxTerm& t : terms) {
    if (n == 0) break;
    const int64_t count = ConstantOf(t.count, box);
    if (!t.body.empty()) {
      const int64_t inner = ConstantOf(Length(t.body, box), box);
      const int64_t whole = std::min(count, n / inner);
      if (whole == 1) {
        head.insert(head.end(), t.body.begin(), t.body.end());
      } else if (whole > 1) {
        head.push_back(t);
        head.back().count = box.Constant(whole);
      }
      n -= inner * whole;
      if (whole == count || n == 0) continue;
      // The list ends within the repetition behind the whole ones.
      for (BoxTerm part : Head(t.body, n, box)) {
        Raise(whole * t.stride, box, &part);
        head.push_back(std::move(part));
      }
      return head;
    }
    BoxTerm part = t;
    part.count = box.Constant(std::min(count, n));
    if (part.count.Is(1)) part.stride = 0;
    n -= part.count.constant;
    head.push_back(std::move(part));
  }
  return head;
}

std::vector<int64_t> NumbersOf(const BoxTerms& terms, const Box& box) {
  std::vector<int64_t> numbers;
  for (const BoxTerm& t : terms) {
    const int64_t n = ConstantOf(t.count, box);
    const std::vector<int64_t> body =
        t.body.empty() ? std::vector<int64_t>{ConstantOf(t.value, box)}
                       : NumbersOf(t.body, box);
    for (int64_t i = 0; i < n; ++i) {
      for (const int64_t v : body) numbers.push_back(v + i * t.stride);
      if (numbers.size() > kMostTerms) {
        throw Status::No("a law gives too long a list");
      }
    }
  }
  return numbers;
}

}  // namespace ranksight::online_model
