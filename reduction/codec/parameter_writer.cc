#include "reduction/codec/parameter_writer.h"

#include <algorithm>
#include <utility>

#include "reduction/api/codec.h"
#include "reduction/api/pause.h"
#include "reduction/codec/column_code.h"
#include "reduction/codec/distribution_code.h"
#include "reduction/codec/int_list.h"
#include "reduction/codec/section_code.h"
#include "reduction/section/term.h"

namespace ranksight::reduction {
namespace {

// Columns come in threes: value, stride, count.
bool IsValueColumn(size_t i) { return i % 3 == 0; }

// Irregular parameters have tens of thousands of columns of one number each.
void PauseAtTimes(size_t column) {
  if (column % kTermsAPause == 0) Pause();
}

// The one run of a section that is nothing else; nullptr for all others.
const Term* OnlyValue(const Section& s) {
  if (s.terms().size() != 1) return nullptr;
  const Term& t = s.terms()[0];
  return t.body.empty() && t.stride == 0 ? &t : nullptr;
}

size_t HashColumn(const Column& c, size_t seed) {
  const size_t relative = c.relative ? 1 : 0;
  if (const Term* only = OnlyValue(c.values)) {
    const size_t v = static_cast<size_t>(only->value) * 2 + relative;
    return (seed ^ v) * 0x9e3779b97f4a7c15u + (seed >> 29);
  }
  return HashSection(c.values, seed + relative);
}

size_t HashPieces(const Parameter& p, bool with_values) {
  size_t seed = p.pieces().size();
  for (const ParameterPiece& piece : p.pieces()) {
    Pause();
    seed = HashSection(piece.ranks, seed);
    for (const uint32_t s : piece.shape) seed = seed * 31 + s;
    for (size_t i = 0; i < piece.columns.size(); ++i) {
      PauseAtTimes(i);
      if (!with_values && IsValueColumn(i)) continue;
      seed = HashColumn(piece.columns[i], seed);
    }
  }
  return seed;
}

bool SameLayout(const ParameterPiece& a, const ParameterPiece& b) {
  if (a.shape != b.shape || a.columns.size() != b.columns.size() ||
      !(a.ranks == b.ranks)) {
    return false;
  }
  for (size_t i = 0; i < a.columns.size(); ++i) {
    PauseAtTimes(i);
    if (!IsValueColumn(i) && !(a.columns[i] == b.columns[i])) return false;
  }
  return true;
}

// Keys of a map by use, most used first: their numbers are shortest.
template <class Map>
auto NumberByUse(Map* map, uint64_t least_uses) {
  std::vector<typename Map::value_type*> order;
  for (auto& item : *map) {
    Pause();
    if (item.second.uses >= least_uses) order.push_back(&item);
  }
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    Pause();
    // Small numbers take fewer bytes and go to what is used most. Those used
    // alike come in the order in which they were met, so that a trace is
    // encoded the same each time.
    if (a->second.uses != b->second.uses) {
      return a->second.uses > b->second.uses;
    }
    return a->second.order < b->second.order;
  });
  std::vector<typename Map::key_type> keys;
  for (size_t i = 0; i < order.size(); ++i) {
    Pause();
    order[i]->second.index = i;
    keys.push_back(order[i]->first);
  }
  return keys;
}

}  // namespace

bool ConstantOf(const Section& s, int64_t* v) {
  const Term* const only = OnlyValue(s);
  if (only == nullptr) return false;
  *v = only->value;
  // Codes are below twice the magnitude and the few special ones.
  constexpr int64_t kSurely = kMaxColumnCode / 4;
  return (-kSurely < *v && *v < kSurely) || CodeOfSigned(*v) < kMaxColumnCode;
}

size_t ParameterWriter::SectionHash::operator()(const Section* s) const {
  return HashSection(*s);
}
bool ParameterWriter::SectionEqual::operator()(const Section* a,
                                               const Section* b) const {
  return *a == *b;
}
size_t ParameterWriter::LayoutHash::operator()(const Parameter* p) const {
  return HashPieces(*p, false);
}
bool ParameterWriter::LayoutEqual::operator()(const Parameter* a,
                                              const Parameter* b) const {
  return std::equal(a->pieces().begin(), a->pieces().end(), b->pieces().begin(),
                    b->pieces().end(), SameLayout);
}
size_t ParameterWriter::ParameterHash::operator()(const Parameter* p) const {
  return HashPieces(*p, true);
}
bool ParameterWriter::ParameterEqual::operator()(const Parameter* a,
                                                 const Parameter* b) const {
  return *a == *b;
}

void ParameterWriter::NoteSection(const Section& s, uint64_t uses) {
  const size_t order = sections_.size();
  Entry& e = sections_.try_emplace(&s, Entry{0, order, 0}).first->second;
  e.uses += uses;
}

void ParameterWriter::NoteColumn(const Column& c) {
  int64_t v = 0;
  if (!ConstantOf(c.values, &v)) NoteSection(c.values, 1);
}

void ParameterWriter::Collect(const Parameter& p) {
  if (p.empty()) return;
  if (p.distribution() != nullptr) return;
  WrittenEntries& place = places_[p.identity()];
  if (place.layout != nullptr && place.parameter == nullptr) {
    ++place.layout->uses;
    return;
  }
  if (place.parameter == nullptr && !IsPlain(p)) {
    place.parameter = &parameters_.try_emplace(&p).first->second;
  }
  if (place.parameter != nullptr && ++place.parameter->uses > 1) {
    return FindLayout(p, &place);
  }
  FindLayout(p, &place);
  const bool known = ++place.layout->uses > 1;
  for (const ParameterPiece& piece : p.pieces()) {
    Pause();
    // Rank sets are always in the table.
    if (!known) NoteSection(piece.ranks, 2);
    for (size_t i = 0; i < piece.columns.size(); ++i) {
      PauseAtTimes(i);
      if (!known || IsValueColumn(i)) NoteColumn(piece.columns[i]);
    }
  }
}

void ParameterWriter::FindLayout(const Parameter& p, WrittenEntries* place) {
  if (place->layout != nullptr) return;
  const size_t order = layouts_.size();
  place->layout = &layouts_.try_emplace(&p, Entry{0, order, 0}).first->second;
}

const ParameterWriter::Entry* ParameterWriter::TableEntry(
    const Section& s) const {
  const auto it = sections_.find(&s);
  return it != sections_.end() && it->second.uses >= 2 ? &it->second : nullptr;
}

void ParameterWriter::WriteTables(ByteWriter* out) {
  const auto sections = NumberByUse(&sections_, 2);
  out->Varint(sections.size());
  WriteSections(sections, out);
  const auto layouts = NumberByUse(&layouts_, 1);
  out->Varint(layouts.size());
  for (const Parameter* p : layouts) WriteLayout(*p, out);
}

void ParameterWriter::WriteLayout(const Parameter& p, ByteWriter* out) const {
  out->Varint(p.pieces().size());
  for (const ParameterPiece& piece : p.pieces()) {
    Pause();
    out->Varint(TableEntry(piece.ranks)->index);
    out->Varint(piece.shape.size());
    if (piece.shape.size() > 1) {
      WriteList(std::vector<uint64_t>(piece.shape.begin(), piece.shape.end()),
                out);
    }
    WriteEveryThird(piece, 1, out);
    WriteEveryThird(piece, 2, out);
  }
}

void ParameterWriter::Write(const Parameter& p, ByteWriter* out) {
  if (p.empty()) return out->Varint(kEmptyParameter);
  if (p.distribution() != nullptr) {
    out->Varint(kDistribution);
    return WriteDistribution(*p.distribution(), small_, out);
  }
  const WrittenEntries& place = places_.find(p.identity())->second;
  // A parameter that comes several times is written once; afterwards its number
  // is enough.
  if (place.parameter != nullptr) {
    if (place.parameter->index > 0) {
      out->Varint(kRepeatedParameter);
      return out->Varint(place.parameter->index - 1);
    }
    place.parameter->index = ++written_;
  }
  out->Varint(FirstLayout(kFormatVersion) + place.layout->index);
  for (const ParameterPiece& piece : p.pieces()) {
    Pause();
    WriteEveryThird(piece, 0, out);
  }
}

void ParameterWriter::Discard() {
  const auto empty = [](auto* map) {
    while (!map->empty()) {
      Pause();
      map->erase(map->begin());
    }
  };
  empty(&places_);
  empty(&parameters_);
  empty(&layouts_);
  empty(&sections_);
}

void ParameterWriter::WriteColumn(const Column& c, ByteWriter* out) const {
  const uint64_t relative = c.relative ? 1 : 0;
  int64_t v = 0;
  if (ConstantOf(c.values, &v)) {
    out->Varint(CodeOfSigned(v) << 2 | relative);
  } else if (const Entry* e = TableEntry(c.values)) {
    out->Varint((2 * e->index + relative) << 2 | 3);
  } else {
    out->Varint(relative << 2 | 2);
    WriteSection(c.values, out);
  }
}

void ParameterWriter::WriteEveryThird(const ParameterPiece& piece, size_t first,
                                      ByteWriter* out) const {
  const size_t n = piece.columns.size();
  // One column needs no list of kinds.
  if (n == 3) return WriteColumn(piece.columns[first], out);
  std::vector<uint64_t> kinds, table;
  std::vector<int64_t> constants;
  std::vector<const Section*> sections;
  kinds.reserve(n / 3);
  constants.reserve(n / 3);
  for (size_t i = first; i < n; i += 3) {
    PauseAtTimes(i - first);
    const Column& c = piece.columns[i];
    int64_t v = 0;
    ColumnKind kind = ColumnKind::kInline;
    if (ConstantOf(c.values, &v)) {
      kind = ColumnKind::kConstant;
      constants.push_back(v);
    } else if (const Entry* e = TableEntry(c.values)) {
      kind = ColumnKind::kTable;
      table.push_back(e->index);
    } else {
      sections.push_back(&c.values);
    }
    kinds.push_back(static_cast<uint64_t>(kind) + (c.relative ? 1 : 0));
  }
  // Values of one kind stand together, because they resemble one another: lists
  // of them pack better than columns in turn.
  WriteList(kinds, out);
  WriteSignedList(constants, out);
  WriteList(table, out);
  WriteSections(sections, out);
}

}  // namespace ranksight::reduction
