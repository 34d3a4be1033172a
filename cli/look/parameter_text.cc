#include "cli/look/parameter_text.h"

#include <fmt/core.h>

#include "reduction/api/call.h"
#include "reduction/api/distribution.h"

namespace ranksight::cli {
namespace {

using reduction::Column;
using reduction::Parameter;
using reduction::ParameterPiece;
using reduction::RankSet;
using reduction::Section;
using reduction::Term;

// Terms beyond these are cut with "..."; a line of the tree stays a line.
constexpr size_t kMaxTerms = 8;
constexpr size_t kMaxForms = 4;

std::string RunText(const Term& term) {
  if (term.count == 1) return ValueText(term.value);
  if (term.stride == 0)
    return fmt::format("{}x{}", ValueText(term.value), term.count);
  // Unsigned, so that no damaged file makes it overflow.
  const auto last = static_cast<int64_t>(static_cast<uint64_t>(term.value) +
                                         static_cast<uint64_t>(term.stride) *
                                             (term.count - 1));
  if (term.stride == 1) return fmt::format("{}..{}", term.value, last);
  return fmt::format("{}..{} by {}", term.value, last, term.stride);
}

std::string RepeatText(const std::string& body, const std::string& stride,
                       const std::string& count) {
  return "(" + body + ")x" + count + (stride == "0" ? "" : " step " + stride);
}

std::string TermsText(std::span<const Term> terms) {
  std::string out;
  for (size_t i = 0; i < terms.size(); ++i) {
    if (i > 0) out += ' ';
    if (i == kMaxTerms) return out + "...";
    const Term& term = terms[i];
    out += term.body.empty()
               ? RunText(term)
               : RepeatText(TermsText(term.body), std::to_string(term.stride),
                            std::to_string(term.count));
  }
  return out;
}

std::string RelativeText(int64_t offset) {
  if (reduction::IsSpecial(offset)) return ValueText(offset);
  if (offset == 0) return "r";
  return fmt::format("r{:+}", offset);
}

// k*r + b when the column is one run over a regular rank set; "" otherwise.
std::string LinearText(const Column& column, const RankSet& ranks) {
  if (column.values.terms().size() != 1 || ranks.terms().size() != 1) return "";
  const Term& values = column.values.terms()[0];
  const Term& set = ranks.terms()[0];
  if (!values.body.empty() || !set.body.empty() || set.stride <= 0) return "";
  if (values.stride % set.stride != 0) return "";
  // Checked, because the numbers of a damaged file may be anything.
  int64_t k = 0, first = 0, product = 0, base = 0;
  if (__builtin_add_overflow(values.stride / set.stride,
                             column.relative ? 1 : 0, &k) ||
      __builtin_add_overflow(values.value, column.relative ? set.value : 0,
                             &first) ||
      __builtin_mul_overflow(k, set.value, &product) ||
      __builtin_sub_overflow(first, product, &base)) {
    return "";
  }
  std::string out = k == 1 ? "r" : k == -1 ? "-r" : fmt::format("{}r", k);
  if (k == 0) return std::to_string(base);
  if (base != 0) out += fmt::format("{:+}", base);
  return out;
}

// One number of a shape for all ranks of the piece.
std::string ColumnText(const Column& column, const RankSet& ranks,
                       ValueNamer name) {
  if (column.values.empty()) return "?";
  if (column.values.IsConstant()) {
    const int64_t value = column.values.At(0);
    return column.relative ? RelativeText(value) : name(value);
  }
  const std::string linear = LinearText(column, ranks);
  if (!linear.empty()) return linear;
  return (column.relative ? "r+[" : "[") + SectionText(column.values) + "]";
}

// Writes the terms of a shape in preorder.
class ShapeWriter {
 public:
  ShapeWriter(const ParameterPiece& piece, ValueNamer name)
      : piece_(piece), name_(name) {}

  // The entries up to `end` of the shape.
  std::string Sequence(size_t end, bool outermost) {
    std::string out;
    const bool one = at_ + 1 + piece_.shape[at_] >= end;
    while (at_ < end) {
      if (!out.empty()) out += ' ';
      out += Entry(outermost && one);
    }
    return Cut(std::move(out));
  }
  std::string All() { return Sequence(piece_.shape.size(), true); }

 private:
  static std::string Cut(std::string text) {
    constexpr size_t kMaxText = 160;
    if (text.size() > kMaxText) text = text.substr(0, kMaxText) + "...";
    return text;
  }
  std::string ColumnAt(size_t term, size_t which, ValueNamer name) const {
    const size_t index = 3 * term + which;
    if (index >= piece_.columns.size()) return "?";
    return ColumnText(piece_.columns[index], piece_.ranks, name);
  }
  // A lone run of one value needs no count: how often it happens is known
  // from the trip counts.
  std::string Entry(bool lone) {
    const size_t term = at_++;
    const uint32_t body = piece_.shape[term];
    const std::string stride = ColumnAt(term, 1, ValueText);
    const std::string count = ColumnAt(term, 2, ValueText);
    if (body > 0) return RepeatText(Sequence(at_ + body, false), stride, count);
    const std::string value = ColumnAt(term, 0, name_);
    if (stride == "0" && (lone || count == "1")) return value;
    if (stride == "0") return value + "x" + count;
    return fmt::format("({} by {})x{}", value, stride, count);
  }

  const ParameterPiece& piece_;
  ValueNamer name_;
  size_t at_ = 0;
};

// A run whose numbers are the same on every rank reads best as first..last.
std::string PieceText(const ParameterPiece& piece, ValueNamer name) {
  bool same = true;
  for (const Column& column : piece.columns) {
    same = same && !column.relative && column.values.IsConstant() &&
           !column.values.empty();
  }
  if (same && piece.shape == reduction::Shape{0} && piece.columns.size() == 3) {
    const Term run{piece.columns[0].values.At(0),
                   piece.columns[1].values.At(0),
                   static_cast<uint64_t>(piece.columns[2].values.At(0)),
                   {}};
    return run.stride == 0 ? name(run.value) : RunText(run);
  }
  return ShapeWriter(piece, name).All();
}

}  // namespace

std::string SectionText(const Section& section) {
  return TermsText(section.terms());
}

std::string RankSetText(const RankSet& ranks) { return SectionText(ranks); }

std::string DistributionText(const reduction::Distribution& d) {
  return fmt::format("~[{} values {}..{}, sum {}, median {:.0f}]", d.count(),
                     d.min(), d.max(), d.sum(), d.Quantile(0.5));
}

std::vector<ParameterForm> Forms(const Parameter& parameter, size_t limit,
                                 ValueNamer name) {
  std::vector<ParameterForm> forms;
  if (parameter.distribution() != nullptr) {
    forms.push_back({{}, DistributionText(*parameter.distribution())});
  }
  for (const ParameterPiece& piece : parameter.pieces()) {
    if (forms.size() == limit) {
      const size_t more = parameter.pieces().size() - limit;
      forms.push_back({{}, fmt::format("{} more forms", more)});
      break;
    }
    forms.push_back({piece.ranks, PieceText(piece, name)});
  }
  return forms;
}

std::string ParameterText(const Parameter& parameter, ValueNamer name) {
  const std::vector<ParameterForm> forms = Forms(parameter, kMaxForms, name);
  if (forms.empty()) return "-";
  if (forms.size() == 1) return forms[0].text;
  std::string out = "{";
  for (const ParameterForm& form : forms) {
    if (out.size() > 1) out += "; ";
    if (!form.ranks.empty()) out += RankSetText(form.ranks) + ": ";
    out += form.text;
  }
  return out + "}";
}

}  // namespace ranksight::cli
