// Parameters as bytes, writing side (FORMAT.md, "Parameters").
//
// First Collect every parameter of the trace, then WriteTables once, then
// Write each parameter in any order. What parameters share is written once,
// in the tables: sections over ranks, and layouts (all of a parameter but
// its values: rank sets, shapes, strides, counts).
//
// REQUIRES: the parameters outlive the writer and do not change.
// Thread-safety: one writer, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "reduction/api/parameter.h"
#include "reduction/base/bytes.h"

namespace ranksight::reduction {

class ParameterWriter {
 public:
  // small: distributions as in files (see WriteDistribution).
  explicit ParameterWriter(bool small) : small_(small) {}
  void Collect(const Parameter& p);
  void WriteTables(ByteWriter* out);
  void Write(const Parameter& p, ByteWriter* out);
  // Frees the tables in steps between which it pauses.
  void Discard();

 private:
  struct Entry {
    uint64_t uses = 0;
    size_t order = 0;  // of first use
    size_t index = 0;  // in its table
  };
  struct SectionHash {
    size_t operator()(const Section* s) const;
  };
  struct SectionEqual {
    bool operator()(const Section* a, const Section* b) const;
  };
  struct LayoutHash {
    size_t operator()(const Parameter* p) const;
  };
  struct LayoutEqual {
    bool operator()(const Parameter* a, const Parameter* b) const;
  };
  struct ParameterHash {
    size_t operator()(const Parameter* p) const;
  };
  struct ParameterEqual {
    bool operator()(const Parameter* a, const Parameter* b) const;
  };
  // Where what is written of a parameter stands. parameter: nullptr for one
  // with one value only.
  struct WrittenEntries {
    Entry* parameter = nullptr;
    Entry* layout = nullptr;
  };
  void NoteSection(const Section& s, uint64_t uses);
  void NoteColumn(const Column& c);
  void FindLayout(const Parameter& p, WrittenEntries* place);
  const Entry* TableEntry(const Section& s) const;
  void WriteLayout(const Parameter& p, ByteWriter* out) const;
  // Of the threes of columns, all first, second or third ones.
  void WriteEveryThird(const ParameterPiece& piece, size_t first,
                       ByteWriter* out) const;
  void WriteColumn(const Column& column, ByteWriter* out) const;

  std::unordered_map<const Section*, Entry, SectionHash, SectionEqual>
      sections_;
  std::unordered_map<const Parameter*, Entry, LayoutHash, LayoutEqual> layouts_;
  // Parameters with more than one value to write, to refer to when they
  // come again.
  std::unordered_map<const Parameter*, Entry, ParameterHash, ParameterEqual>
      parameters_;
  // By identity, so that parameters that share pieces are compared once.
  std::unordered_map<const void*, WrittenEntries> places_;
  size_t written_ = 0;
  bool small_;
};

}  // namespace ranksight::reduction
