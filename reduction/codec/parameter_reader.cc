#include "reduction/codec/parameter_reader.h"

#include <algorithm>
#include <utility>

#include "reduction/api/pause.h"
#include "reduction/codec/column_code.h"
#include "reduction/codec/distribution_code.h"
#include "reduction/codec/int_list.h"
#include "reduction/codec/piece_check.h"
#include "reduction/codec/section_code.h"
#include "reduction/section/ascending.h"
#include "reduction/section/term.h"

namespace ranksight::reduction {
namespace {

constexpr uint64_t kMaxShape = uint64_t{1} << 31;
// Checking a rank set walks it. So many ranks count as one element made.
constexpr uint64_t kRanksPerElement = 4096;

uint64_t TermCount(std::span<const Term> terms) {
  uint64_t n = terms.size();
  for (const Term& t : terms) n += TermCount(t.body);
  return n;
}

uint64_t CopyWeightOf(std::span<const Column> columns) {
  uint64_t n = 2 * columns.size();
  for (const Column& c : columns) {
    const std::span<const Term> terms = c.values.terms();
    const bool is_run = terms.size() == 1 && terms[0].body.empty();
    if (!is_run) n += TermCount(terms) - 1;
  }
  return n;
}

uint64_t CopyWeightOf(const Parameter& p) {
  uint64_t n = 0;
  for (const ParameterPiece& piece : p.pieces()) {
    n += TermCount(piece.ranks.terms()) + CopyWeightOf(piece.columns);
  }
  return n;
}

}  // namespace

void ParameterReader::Columns::AppendTo(size_t i, uint64_t ranks,
                                        ShortList<Column, 3>* columns) const {
  if (numbers.empty()) return columns->push_back(mixed[i]);
  Column& c = columns->emplace_back();
  c.relative = numbers[i].relative;
  c.values.AppendRun(numbers[i].value, ranks);
}

uint64_t ParameterReader::Columns::CopyWeight() const {
  return 2 * numbers.size() + CopyWeightOf(mixed);
}

void ParameterReader::ReadTables(ByteReader* in) {
  sections_ = ReadSections(in->Varint(), in);
  const uint64_t n = in->Varint();
  if (!in->Spend(n)) return;
  for (uint64_t i = 0; i < n && in->ok(); ++i) {
    layouts_.push_back(ReadLayout(in));
  }
}

Section ParameterReader::FromTable(uint64_t index, ByteReader* in) {
  if (index >= sections_.size()) {
    in->Fail("no such section in the table");
    return Section();
  }
  const Section& s = sections_[index];
  return in->Spend(TermCount(s.terms())) ? s : Section();
}

RankSet ParameterReader::ReadRanks(ByteReader* in) {
  RankSet ranks = FromTable(in->Varint(), in);
  if (!in->ok()) return ranks;
  if (ranks.empty() || !IsAscending(ranks) || ranks.Min() < 0 ||
      ranks.Max() >= ranks_) {
    in->Fail("not a set of ranks of this trace");
  } else {
    in->Spend(ranks.size() / kRanksPerElement);
  }
  return ranks;
}

ParameterReader::Layout ParameterReader::ReadLayout(ByteReader* in) {
  Layout layout;
  const uint64_t n = in->Varint();
  if (n == 0) in->Fail("a layout without pieces");
  if (!in->Spend(n)) return layout;
  for (uint64_t i = 0; i < n && in->ok(); ++i) {
    Pause();
    PieceLayout piece;
    piece.ranks = ReadRanks(in);
    const uint64_t terms = in->Varint(kMaxShape, "a shape");
    if (terms == 0) in->Fail("a piece without terms");
    if (terms == 1) piece.shape.push_back(0);
    if (terms > 1) {
      const auto shape = ReadList(terms, in);
      for (const uint64_t s : shape) {
        if (s >= terms) in->Fail("terms of a piece do not nest");
        piece.shape.push_back(static_cast<uint32_t>(s));
      }
    }
    piece.strides = ReadColumns(terms, piece.ranks.size(), in);
    piece.counts = ReadColumns(terms, piece.ranks.size(), in);
    // What a copy of it costs: whoever refers to it again pays that.
    layout.weight += TermCount(piece.ranks.terms()) + piece.shape.size() +
                     piece.strides.CopyWeight() + piece.counts.CopyWeight() +
                     piece.ranks.size() / kRanksPerElement;
    layout.pieces.push_back(std::move(piece));
  }
  return layout;
}

Parameter ParameterReader::Read(ByteReader* in) {
  const uint64_t head = in->Varint();
  if (!in->ok() || head == kEmptyParameter) return Parameter();
  if (head == kRepeatedParameter) {
    const uint64_t index = in->Varint();
    if (index >= repeatable_.size()) {
      in->Fail("no such parameter before");
      return Parameter();
    }
    const Parameter& p = repeatable_[index];
    return in->Spend(CopyWeightOf(p)) ? p : Parameter();
  }
  const uint64_t first = FirstLayout(version_);
  if (head < first) return Parameter::Of(ReadDistribution(in));
  if (head - first >= layouts_.size()) {
    in->Fail("no such layout");
    return Parameter();
  }
  Parameter p = Build(head - first, in);
  // Plain ones are shorter to write again than to refer to.
  if (in->ok() && !IsPlain(p) && in->Spend(CopyWeightOf(p))) {
    repeatable_.push_back(p);
  }
  return p;
}

Parameter ParameterReader::CopyOf(const Parameter& other, ByteReader* in) {
  if (!in->Spend(CopyWeightOf(other))) return {};
  return other;
}

void ParameterReader::Discard() {
  const auto empty = [](auto* list) {
    while (!list->empty()) {
      Pause();
      list->pop_back();
    }
  };
  while (!plain_.empty()) {
    Pause();
    plain_.erase(plain_.begin());
  }
  empty(&repeatable_);
  empty(&layouts_);
  empty(&sections_);
}

Parameter ParameterReader::Build(uint64_t index, ByteReader* in) {
  const Layout& layout = layouts_[index];
  if (!in->Spend(layout.weight)) return Parameter();
  ParameterPieces pieces;
  if (layout.pieces.size() == 1 && layout.pieces[0].shape.size() == 1) {
    const PieceLayout& from = layout.pieces[0];
    const uint64_t head = in->Varint();
    // One value for all ranks: by far the most frequent, and made once for
    // each.
    const bool is_plain = (head & 3) < 2;
    if (is_plain) {
      const auto known = plain_.find({index, head});
      if (known != plain_.end()) return known->second;
    }
    if (!in->Spend(1)) return Parameter();
    Columns value;
    value.mixed.push_back(ColumnOf(head, from.ranks.size(), in));
    if (!AddPiece(from, std::move(value), in, &pieces)) return Parameter();
    Parameter p = Checked(std::move(pieces), in);
    if (is_plain && in->ok()) plain_.try_emplace({index, head}, p);
    return p;
  }
  for (const PieceLayout& from : layout.pieces) {
    Pause();
    auto values = ReadColumns(from.shape.size(), from.ranks.size(), in);
    if (!AddPiece(from, std::move(values), in, &pieces)) return Parameter();
  }
  return Checked(std::move(pieces), in);
}

bool ParameterReader::AddPiece(const PieceLayout& from, Columns values,
                               ByteReader* in, ParameterPieces* pieces) const {
  if (!in->ok()) return false;
  ParameterPiece piece{from.ranks, from.shape, {}};
  const uint64_t ranks = from.ranks.size();
  piece.columns.reserve(3 * values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (i % kTermsAPause == 0) Pause();
    // Columns that are all single numbers come without a head each.
    if (values.numbers.empty()) {
      piece.columns.push_back(std::move(values.mixed[i]));
    } else {
      values.AppendTo(i, ranks, &piece.columns);
    }
    from.strides.AppendTo(i, ranks, &piece.columns);
    from.counts.AppendTo(i, ranks, &piece.columns);
  }
  if (!IsInRange(piece)) in->Fail("values of a parameter are out of range");
  pieces->push_back(std::move(piece));
  return true;
}

Parameter ParameterReader::Checked(ParameterPieces pieces,
                                   ByteReader* in) const {
  Parameter p;
  uint64_t ranks = 0;
  for (const ParameterPiece& piece : pieces) ranks += piece.ranks.size();
  if (ranks > static_cast<uint64_t>(ranks_)) {
    in->Fail("a parameter has a rank twice");
  }
  if (in->ok() && !Parameter::FromPieces(std::move(pieces), &p)) {
    in->Fail("a parameter breaks its rules");
  }
  return p;
}

Column ParameterReader::ReadColumn(uint64_t size, ByteReader* in) {
  return ColumnOf(in->Varint(), size, in);
}

Column ParameterReader::ColumnOf(uint64_t head, uint64_t size, ByteReader* in) {
  // Two bits say how the values come: 0 and 1 are one number for all ranks,
  // absolute or relative; 2 is a section of its own, 3 one of the table.
  const uint64_t x = head >> 2;
  Column c;
  int64_t v = 0;
  switch (head & 3) {
    case 0:
    case 1:
      c.relative = (head & 1) != 0;
      if (!SignedOfCode(x, &v)) in->Fail("a number is out of range");
      c.values = Section::Constant(v, size);
      break;
    case 2:
      if (x > 1) in->Fail("unknown form of a column");
      c.relative = x == 1;
      c.values = ReadSection(in);
      break;
    default:
      c.relative = (x & 1) != 0;
      c.values = FromTable(x >> 1, in);
  }
  if (c.values.size() != size) in->Fail("a column does not match its ranks");
  return c;
}

ParameterReader::Columns ParameterReader::ReadColumns(uint64_t n, uint64_t size,
                                                      ByteReader* in) {
  Columns columns;
  if (!in->Spend(n)) return columns;
  if (n == 1) {
    columns.mixed.push_back(ReadColumn(size, in));
    return columns;
  }
  const std::vector<uint64_t> kinds = ReadList(n, in);
  for (const uint64_t kind : kinds) {
    if (kind > static_cast<uint64_t>(ColumnKind::kRelativeTable)) {
      in->Fail("unknown kind of column");
    }
  }
  const auto number = [&](ColumnKind kind) {
    return static_cast<uint64_t>(std::count_if(
        kinds.begin(), kinds.end(),
        [&](uint64_t k) { return k / 2 * 2 == static_cast<uint64_t>(kind); }));
  };
  const auto constants = ReadSignedList(number(ColumnKind::kConstant), in);
  const auto table = ReadList(number(ColumnKind::kTable), in);
  auto sections = ReadSections(number(ColumnKind::kInline), in);
  // The usual case, a term per column and one value over all ranks, makes no
  // sections at all.
  if (constants.size() == n) {
    columns.numbers.reserve(n);
    for (size_t i = 0; i < n; ++i) {
      if (i % kTermsAPause == 0) Pause();
      columns.numbers.push_back({constants[i], (kinds[i] & 1) != 0});
    }
    return columns;
  }
  size_t constant = 0, indexed = 0, section = 0;
  columns.mixed.reserve(kinds.size());
  for (const uint64_t kind : kinds) {
    if (!in->ok()) break;
    if (columns.size() % kTermsAPause == 0) Pause();
    Column& c = columns.mixed.emplace_back();
    c.relative = (kind & 1) != 0;
    switch (static_cast<ColumnKind>(kind / 2 * 2)) {
      case ColumnKind::kConstant:
        c.values.AppendRun(constants[constant++], size);
        break;
      case ColumnKind::kTable:
        c.values = FromTable(table[indexed++], in);
        break;
      default:
        c.values = std::move(sections[section++]);
    }
    if (c.values.size() != size) in->Fail("a column does not match its ranks");
  }
  return columns;
}

}  // namespace ranksight::reduction
