// The chunks besides the tree: meta, sites, times (FORMAT.md).
// Thread-safety: pure functions.
#pragma once

#include <array>
#include <cstdint>

#include "reduction/api/trace.h"
#include "reduction/base/bytes.h"

namespace ranksight::reduction {

// Ranks of a trace are below this: room for every machine there is, and a
// walk over them still ends.
inline constexpr int64_t kMaxRanks = int64_t{1} << 31;

void WriteMeta(const Meta& meta, ByteWriter* out);
Meta ReadMeta(ByteReader* in);

void WriteSites(const Sites& sites, ByteWriter* out);
Sites ReadSites(ByteReader* in);

// Times of the events in tree order. Small keeps sums of squares and the
// spread between ranks as 4-byte floats, histograms as 15 quantiles.
// Moments of an event in the order they are written: first compute, first
// call, compute, call, rank compute, rank call.
using Six = std::array<Moments, 6>;

class TimesWriter {
 public:
  TimesWriter(bool small, ByteWriter* out) : small_(small), out_(out) {}
  void Write(const EventTimes& t);

 private:
  // Moments i, and what they add to the counts; returns their flags.
  uint64_t WriteOne(const Six& six, int i, ByteWriter* counts,
                    ByteWriter* bodies) const;

  bool small_;
  ByteWriter* out_;
  uint64_t first_count_ = 0, rest_count_ = 0;
};

class TimesReader {
 public:
  TimesReader(bool small, uint64_t version, ByteReader* in)
      : small_(small), version_(version), in_(in) {}
  void Read(EventTimes* t);

 private:
  void ReadOne(uint64_t flags, int i, Six* six);

  bool small_;
  uint64_t version_;
  ByteReader* in_;
  uint64_t first_count_ = 0, rest_count_ = 0;
};

// Computation by predecessor, of the events in tree order.
bool HasPredecessors(const EventTimes& t);

class AfterWriter {
 public:
  AfterWriter(bool small, ByteWriter* out) : small_(small), out_(out) {}
  void Write(const Node& event);

 private:
  void WritePredecessors(const ComputeParts& parts);
  void WriteRest(const TimeSummary& compute);

  bool small_;
  ByteWriter* out_;
  Predecessor last_site_ = kNoPredecessor;
};

class AfterReader {
 public:
  AfterReader(bool small, size_t sites, ByteReader* in)
      : small_(small), sites_(sites), in_(in) {}
  void Read(Node* event);

 private:
  // Several as parts without times yet; one alone into *sole.
  std::vector<ComputeParts::Part> ReadPredecessors(size_t count,
                                                   ComputeParts* sole);
  void ReadRest(TimeSummary* compute);
  static Predecessor Of(int64_t code);

  bool small_;
  size_t sites_;
  ByteReader* in_;
  Predecessor last_site_ = kNoPredecessor;
};

// A sketch's buckets: in full, or as quantiles when small. The moments are
// the caller's.
void WriteHistogram(const Sketch& s, bool small, ByteWriter* out);
void ReadHistogram(const Moments& m, bool small, ByteReader* in, Sketch* s);

// One value for each rank, as floats when small; the count included.
void WriteSpread(const Moments& m, bool small, ByteWriter* out);
Moments ReadSpread(bool small, ByteReader* in);

// Moments without loss; the count included.
void WriteMoments(const Moments& m, ByteWriter* out);
Moments ReadMoments(ByteReader* in);

}  // namespace ranksight::reduction
