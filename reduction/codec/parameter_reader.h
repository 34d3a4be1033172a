// Parameters as bytes, reading side (FORMAT.md, "Parameters"). ReadTables
// once, then Read in the order they were written. Every rule of parameter.h
// is checked, and that no value can leave the range of an int64 however
// values, strides, counts and ranks are combined.
//
// Thread-safety: one reader, one thread.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "reduction/api/parameter.h"
#include "reduction/base/bytes.h"

namespace ranksight::reduction {

class ParameterReader {
 public:
  // Ranks must lie in [0, ranks).
  ParameterReader(int64_t ranks, uint64_t version)
      : ranks_(ranks), version_(version) {}
  void ReadTables(ByteReader* in);
  Parameter Read(ByteReader* in);
  // One that is the same as another that was read.
  static Parameter CopyOf(const Parameter& other, ByteReader* in);
  // Frees what the tables hold, in steps between which it pauses: at once it
  // takes longer than a slice may. Nothing can be read afterwards.
  void Discard();

 private:
  // Of the threes of columns of a piece, all first, second or third ones. Of
  // an irregular parameter they are tens of thousands of one number each: a
  // third of what a column takes.
  struct Columns {
    struct Number {
      int64_t value;
      bool relative;
    };
    std::vector<Number> numbers;  // of those of one number each
    std::vector<Column> mixed;    // all, where some are of more

    size_t size() const { return numbers.size() + mixed.size(); }
    // Appends the i-th, over so many ranks.
    void AppendTo(size_t i, uint64_t ranks,
                  ShortList<Column, 3>* columns) const;
    uint64_t CopyWeight() const;
  };
  struct PieceLayout {
    RankSet ranks;
    Shape shape;
    Columns strides, counts;
  };
  struct Layout {
    std::vector<PieceLayout> pieces;
    uint64_t weight = 0;  // elements a copy is made of
  };

  Layout ReadLayout(ByteReader* in);
  RankSet ReadRanks(ByteReader* in);
  Column ReadColumn(uint64_t size, ByteReader* in);
  Column ColumnOf(uint64_t head, uint64_t size, ByteReader* in);
  Columns ReadColumns(uint64_t n, uint64_t size, ByteReader* in);
  Section FromTable(uint64_t index, ByteReader* in);
  Parameter Build(uint64_t index, ByteReader* in);
  bool AddPiece(const PieceLayout& from, Columns values, ByteReader* in,
                ParameterPieces* pieces) const;
  Parameter Checked(ParameterPieces pieces, ByteReader* in) const;

  int64_t ranks_;
  uint64_t version_;
  std::vector<Section> sections_;
  std::vector<Layout> layouts_;
  std::vector<Parameter> repeatable_;
  // Those of one piece with one value, by layout and the value's code: they
  // are not numbered, but shared nevertheless.
  std::map<std::pair<uint64_t, uint64_t>, Parameter> plain_;
};

}  // namespace ranksight::reduction
