// All series of one program: per event three quantities of a mean rank, and
// the run time as a whole. Adding a run touches each of its events once.
//
// Invariant: the size depends on events and rank counts, not on runs.
// Complexity: Add is O(nodes of the trace).
// Thread-safety: one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "online_model/series/statistics.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

enum Quantity : int {
  kCompute,      // seconds before the event, all occurrences, per rank
  kCall,         // seconds in the call, likewise; 0 for MPI_Init
  kOccurrences,  // per rank
  kQuantities
};
inline constexpr int kTimes = 2;  // kCompute, kCall

struct EventSeries {
  std::string call, site;  // readable, of the run seen last
  std::array<Series, kQuantities> series;
};

class EventTable {
 public:
  // parameter: the value that tells it from runs of the same rank count.
  // REQUIRES: trace.meta.ranks >= 1.
  void Add(const reduction::Trace& trace, double parameter = 0);

  // All of it but parameters as bytes, and back; what it is given may be
  // damaged, then the table is empty and the result false.
  std::vector<uint8_t> Encode() const;
  bool Decode(std::span<const uint8_t> bytes);

  const std::vector<EventSeries>& events() const { return events_; }
  // -1 when the event was never seen.
  int64_t Find(const reduction::Trace& trace,
               const reduction::Node& event) const;
  const Series& elapsed() const { return elapsed_; }
  // Sums of all events' compute and call seconds per rank.
  const Series& parts() const { return parts_; }
  const std::vector<Column>& columns() const { return columns_; }
  // Columns by ascending rank count, then parameter.
  const std::vector<size_t>& order() const { return order_; }
  // As measured.
  std::vector<Point> Points(const Series& series) const {
    return PointsOf(series, columns_, order_);
  }
  // Times as they would be measured now.
  std::vector<Point> TimesNow(const Series& series) const;
  // By column in order(): factors of means and of variances between runs.
  // Empty: 1.
  struct Scale {
    double mean = 1, variance = 1;
  };
  void SetScales(std::vector<Scale> scales) { scales_ = std::move(scales); }

 private:
  size_t ColumnOf(int64_t ranks, double parameter);
  void SortColumns();

  std::vector<Column> columns_;
  std::vector<size_t> order_;
  std::unordered_map<std::string, size_t> index_;
  std::vector<EventSeries> events_;
  Series elapsed_, parts_;
  std::vector<Scale> scales_;
};

// Seconds a run took: the slowest rank's, or, where a trace carries no
// elapsed time, what its events add up to on a mean rank.
double SecondsOf(const reduction::Trace& trace);

}  // namespace ranksight::online_model
