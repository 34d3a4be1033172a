#include "online_model/synthesize/box_piece.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/call.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {
namespace {

using reduction::Column;
using reduction::ParameterPiece;
using reduction::Section;
using reduction::Status;
using reduction::Term;

// Rows of a triangle of ranks: some hundred bytes each.
constexpr size_t kMostRows = 1 << 20;

// The values of v, which digits from i on move, at `y` of those before: a nest
// of runs, in which a digit that sizes depend on is one run for each value.
class ColumnMaker {
 public:
  ColumnMaker(const Affine& v, const Box& box)
      : v_(v), box_(box), y_(box.digits.size()) {}

  Section Make() {
    Section section;
    (void)Section::FromTerms(From(0, v_.constant), &section);
    return section;
  }

 private:
  std::vector<Term> From(size_t i, int64_t first) {
    if (i == y_.size()) return {Term{first, 0, 1, {}}};
    const int64_t n = SizeOf(i);
    std::vector<Term> terms;
    if (!IsUsed(i)) {
      Repeat(uint64_t(n), v_.by[i], From(i + 1, first), &terms);
      return terms;
    }
    for (y_[i] = 0; y_[i] < n; ++y_[i]) {
      for (Term& t : From(i + 1, first + v_.by[i] * y_[i])) {
        Append(std::move(t), &terms);
      }
    }
    return terms;
  }

  int64_t SizeOf(size_t i) const {
    const Affine& size = box_.digits[i].size;
    int64_t n = size.constant;
    for (size_t j = 0; j < i; ++j) n += size.by[j] * y_[j];
    return n;
  }

  bool IsUsed(size_t i) const {
    return std::any_of(box_.digits.begin() + long(i) + 1, box_.digits.end(),
                       [i](const Digit& d) { return d.size.by[i] != 0; });
  }

  // The terms n times, moved by `by` each time.
  static void Repeat(uint64_t n, int64_t by, std::vector<Term> terms,
                     std::vector<Term>* out) {
    Term& t = terms[0];
    const bool run = terms.size() == 1 && t.body.empty();
    if (n > 1 && run && t.count == 1) {
      t.stride = by;
      t.count = n;
    } else if (n > 1 && run && by == t.stride * int64_t(t.count)) {
      t.count *= n;
    } else if (n > 1) {
      Term nest{0, by, n, {}};
      for (Term& inner : terms) nest.body.push_back(std::move(inner));
      terms = {std::move(nest)};
    }
    *out = std::move(terms);
  }

  static void Append(Term t, std::vector<Term>* terms) {
    if (!terms->empty() && terms->back().body.empty() && t.body.empty() &&
        t.stride == 0 && terms->back().stride == 0 &&
        t.value == terms->back().value) {
      terms->back().count += t.count;
      return;
    }
    if (terms->size() >= kMostRows) {
      throw Status::No("a law gives more than " + std::to_string(kMostRows) +
                       " classes of ranks");
    }
    terms->push_back(std::move(t));
  }

  const Affine& v_;
  const Box& box_;
  std::vector<int64_t> y_;
};

Section ColumnOf(const Affine& v, const Box& box) {
  if (v.IsConstant()) return Section::Constant(v.constant, RanksOf(box));
  return ColumnMaker(v, box).Make();
}

void AddColumns(const BoxTerms& terms, const Box& box, bool ranked,
                ParameterPiece* piece) {
  for (const BoxTerm& t : terms) {
    const size_t at = piece->shape.size();
    piece->shape.push_back(0);
    Column value;
    value.relative = ranked && t.body.empty();
    const bool moves =
        value.relative && !reduction::IsSpecial(t.value.constant);
    value.values =
        ColumnOf(moves ? Add(t.value, box.Rank(), -1) : t.value, box);
    piece->columns.push_back(std::move(value));
    piece->columns.push_back({false, ColumnOf(box.Constant(t.stride), box)});
    piece->columns.push_back({false, ColumnOf(t.count, box)});
    AddColumns(t.body, box, ranked, piece);
    piece->shape[at] = uint32_t(piece->shape.size() - at - 1);
  }
}

}  // namespace

uint64_t RanksOf(const Box& box) {
  const bool rectangle =
      std::all_of(box.digits.begin(), box.digits.end(),
                  [](const Digit& d) { return d.size.IsConstant(); });
  uint64_t n = 1;
  for (const Digit& d : box.digits) n *= uint64_t(d.size.constant);
  return rectangle ? n : ColumnMaker(box.Constant(0), box).Make().size();
}

ParameterPiece PieceOf(const BoxTerms& terms, const Box& box, bool ranked) {
  ParameterPiece piece;
  piece.ranks = ColumnOf(box.Rank(), box);
  AddColumns(terms, box, ranked, &piece);
  return piece;
}

}  // namespace ranksight::online_model
