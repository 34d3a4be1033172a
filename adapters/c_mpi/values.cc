#include "adapters/c_mpi/values.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "adapters/base/rank_formula.h"
#include "reduction/api/call.h"

namespace ranksight::adapters::c_mpi {
namespace {

using reduction::Column;
using reduction::Parameter;
using reduction::ParameterPiece;
using reduction::RankSet;
using reduction::Section;
using reduction::SectionCursor;
using reduction::Term;

// Cases beyond these read worse than a table.
constexpr size_t kMaxCases = 3;

bool PieceStays(const ParameterPiece& piece) {
  if (piece.shape != reduction::Shape{0}) return false;
  const Section& strides = piece.columns[1].values;
  return strides.IsConstant() && !strides.empty() && strides.At(0) == 0;
}

std::string Plus(std::string text, int64_t c) {
  if (c == 0) return text;
  return fmt::format("{} {} {}", text, c < 0 ? '-' : '+', c < 0 ? -c : c);
}

// The true value of each rank.
std::vector<std::pair<int64_t, int64_t>> ByRank(const ParameterPiece& piece) {
  std::vector<std::pair<int64_t, int64_t>> all;
  SectionCursor ranks(&piece.ranks);
  SectionCursor values(&piece.columns[0].values);
  while (!ranks.done() && !values.done()) {
    const int64_t rank = ranks.Next(), value = values.Next();
    const bool shift =
        piece.columns[0].relative && !reduction::IsSpecial(value);
    all.push_back({rank, shift ? value + rank : value});
  }
  return all;
}

int64_t FirstValue(const ParameterPiece& piece) {
  const Column& column = piece.columns[0];
  const int64_t v = column.values.At(0);
  const bool shift = column.relative && !reduction::IsSpecial(v);
  return shift ? v + piece.ranks.At(0) : v;
}

void AppendTerms(std::span<const Term> terms, std::string* out) {
  for (const Term& t : terms) {
    fmt::format_to(std::back_inserter(*out), "{}, {}, {}, {}, ", t.value,
                   t.stride, t.count, t.body.size());
    AppendTerms(t.body, out);
  }
}

void AppendSection(const Section& s, std::string* out) {
  fmt::format_to(std::back_inserter(*out), "{}, ", s.terms().size());
  AppendTerms(s.terms(), out);
}

std::string DataText(const Parameter& p) {
  std::string text = fmt::format("{}, ", p.pieces().size());
  for (const ParameterPiece& piece : p.pieces()) {
    AppendSection(piece.ranks, &text);
    fmt::format_to(std::back_inserter(text), "{}, ", piece.shape.size());
    for (size_t i = 0; i < piece.shape.size(); ++i) {
      fmt::format_to(std::back_inserter(text), "{}, ", piece.shape[i]);
      for (size_t c = 3 * i; c < 3 * i + 3; ++c) {
        text += piece.columns[c].relative ? "1, " : "0, ";
        AppendSection(piece.columns[c].values, &text);
      }
    }
  }
  return text;
}

// Breaks at blanks, at most 80 columns.
std::string Wrapped(const std::string& text) {
  std::string out;
  size_t at = 0;
  while (at < text.size()) {
    size_t end = std::min(text.size(), at + 75);
    if (end < text.size()) {
      const size_t blank = text.rfind(' ', end);
      if (blank != std::string::npos && blank > at) end = blank + 1;
    }
    size_t last = end;
    while (last > at && text[last - 1] == ' ') --last;
    out += "    " + text.substr(at, last - at) + "\n";
    at = end;
  }
  return out;
}

double ColumnBound(const Column& column, int64_t ranks) {
  const double most = double(column.values.Max());
  return column.relative && most > double(reduction::kSpecialMax)
             ? most + double(ranks)
             : most;
}

// The bound of the entries of the shape from `at` up to `end`.
double ShapeBound(const ParameterPiece& piece, size_t at, size_t end,
                  int64_t ranks) {
  double most = 0;
  while (at < end) {
    const size_t behind = at + 1 + piece.shape[at];
    const double rounds = ColumnBound(piece.columns[3 * at + 2], 0) - 1;
    const double stride = ColumnBound(piece.columns[3 * at + 1], 0);
    const double inner = piece.shape[at] > 0
                             ? ShapeBound(piece, at + 1, behind, ranks)
                             : ColumnBound(piece.columns[3 * at], ranks);
    most = std::max(most, inner + std::max(0.0, stride * rounds));
    at = behind;
  }
  return most;
}

}  // namespace

std::string NumberText(int64_t value) {
  switch (value) {
    case reduction::kPeerAny:
      return "ANY_PEER";
    case reduction::kPeerNull:
      return "NULL_PEER";
    case reduction::kPeerRoot:
      return "ROOT_PEER";
    case reduction::kTagAny:
      return "TAG_ANY";
    case reduction::kColorUndefined:
      return "NO_COLOR";
    default:
      return std::to_string(value);
  }
}

bool Stays(const Parameter& p) {
  return std::all_of(p.pieces().begin(), p.pieces().end(), PieceStays);
}

bool IsNumber(const Parameter& p, int64_t* value) {
  bool first = true;
  for (const ParameterPiece& piece : p.pieces()) {
    if (!PieceStays(piece) || !piece.columns[0].values.IsConstant()) {
      return false;
    }
    const int64_t v = piece.columns[0].values.At(0);
    if (piece.columns[0].relative && !reduction::IsSpecial(v)) {
      if (piece.ranks.size() > 1) return false;
    }
    const int64_t shown = FirstValue(piece);
    if (!first && shown != *value) return false;
    *value = shown;
    first = false;
  }
  return !first;
}

double Bound(const Parameter& p, int64_t ranks) {
  double most = 0;
  for (const ParameterPiece& piece : p.pieces()) {
    most = std::max(most, ShapeBound(piece, 0, piece.shape.size(), ranks));
  }
  return most;
}

bool HasSpecial(const Parameter& p) {
  for (const ParameterPiece& piece : p.pieces()) {
    for (size_t i = 0; i < piece.shape.size(); ++i) {
      const Section& values = piece.columns[3 * i].values;
      if (reduction::IsSpecial(values.Min())) return true;
    }
  }
  return false;
}

std::string Values::Formula(const ParameterPiece& piece) const {
  const RankFormula f = FindRankFormula(ByRank(piece), ranks_);
  switch (f.form) {
    case RankFormula::Form::kNone:
      return "";
    case RankFormula::Form::kNumber:
      return NumberText(f.b);
    case RankFormula::Form::kShifted:
      return Plus("rank", f.b);
    case RankFormula::Form::kLinear:
      return Plus(fmt::format("{} * rank", f.a), f.b);
    case RankFormula::Form::kXor:
      return fmt::format("(rank ^ {})", f.b);
    case RankFormula::Form::kModulo:
      return fmt::format("rank % {}", f.a);
    case RankFormula::Form::kQuotient:
      return fmt::format("rank / {}", f.a);
    case RankFormula::Form::kRing:
      break;
  }
  // The shorter way round, so that a neighbour below reads as one.
  return 2 * f.b <= ranks_
             ? fmt::format("(rank + {}) % ranks", f.b)
             : fmt::format("(rank + ranks - {}) % ranks", ranks_ - f.b);
}

std::string Values::Condition(const RankSet& set) const {
  if (set.empty()) return "0";
  if (set.terms().size() != 1 || !set.terms()[0].body.empty()) return "";
  const Term& t = set.terms()[0];
  const int64_t last = t.value + t.stride * int64_t(t.count - 1);
  if (t.count == 1) return fmt::format("rank == {}", t.value);
  std::string text;
  if (t.stride != 1) {
    text = fmt::format("rank % {} == {}", t.stride, t.value % t.stride);
  }
  const auto add = [&](const std::string& more) {
    text += (text.empty() ? "" : " && ") + more;
  };
  if (t.value >= t.stride) add(fmt::format("rank >= {}", t.value));
  if (last + t.stride < ranks_) add(fmt::format("rank <= {}", last));
  return text.empty() ? "1" : text;
}

std::string Values::Cases(const Parameter& p) const {
  const auto& pieces = p.pieces();
  if (pieces.size() > kMaxCases) return "";
  std::string text;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const std::string formula = Formula(pieces[i]);
    if (formula.empty()) return "";
    // Whoever is in no other piece is in the last, or never asks.
    if (i + 1 == pieces.size()) {
      text += formula;
      break;
    }
    const std::string condition = Condition(pieces[i].ranks);
    if (condition.empty()) return "";
    text += condition + " ? " + formula + " : ";
  }
  return pieces.size() > 1 ? "(" + text + ")" : text;
}

std::string Values::AddVariable(const Parameter& p, std::string_view name,
                                bool stays) {
  const std::string text = DataText(p);
  const auto [data, added] = data_.try_emplace(text, int(data_.size()));
  std::string& known = staying_[text];
  if (stays && !known.empty()) return known;
  const std::string variable = fmt::format("{}_{}", name, variables_.size());
  if (stays) known = variable;
  places_[variable] = int64_t(variables_.size());
  variables_.push_back(variable);
  variable_data_.push_back(data->second);
  return variable;
}

std::string Values::Scalar(const Parameter& p, std::string_view name) {
  if (by_law()) return ByLaw(*laws_.at(&p), name);
  if (p.empty()) return "0";
  int64_t value;
  if (IsNumber(p, &value)) return NumberText(value);
  if (!Stays(p)) return "next(&" + AddVariable(p, name, false) + ")";
  const std::string cases = Cases(p);
  if (!cases.empty()) return cases;
  return AddVariable(p, name, true) + ".now";
}

std::string Values::Sequence(const Parameter& p, std::string_view name) {
  if (by_law()) return "&" + AddLaw(*laws_.at(&p), name);
  return "&" + AddVariable(p, name, false);
}

std::string Values::Times(const Parameter& p, bool all) {
  if (all) return Scalar(p, "times");
  if (!Stays(p)) return "times(&" + AddVariable(p, "times", false) + ")";
  return AddVariable(p, "times", true) + ".now";
}

int64_t Values::PlaceOf(std::string_view variable) const {
  const auto found = places_.find(variable);
  return found == places_.end() ? -1 : found->second;
}

std::string Values::TablesText() const {
  if (by_law()) {
    return functions_ + law_variables_ +
           "static struct value *all_values[] = {NULL};\n";
  }
  std::vector<const std::string*> tables(data_.size());
  for (const auto& [text, number] : data_) tables[size_t(number)] = &text;
  std::string out;
  for (size_t i = 0; i < tables.size(); ++i) {
    out += fmt::format("static const number data_{}[] = {{\n{}}};\n", i,
                       Wrapped(*tables[i]));
  }
  for (size_t i = 0; i < variables_.size(); ++i) {
    out += fmt::format("static struct value {} = {{.data = data_{}}};\n",
                       variables_[i], variable_data_[i]);
  }
  std::string list;
  for (const std::string& v : variables_) list += "&" + v + ", ";
  out += "static struct value *all_values[] = {\n" + Wrapped(list + "NULL") +
         "};\n";
  return out;
}

}  // namespace ranksight::adapters::c_mpi
