// ComputeSampler: how long a rank computes before an event, drawn from the
// times of a trace.
//
// The first occurrence takes the mean of the first occurrences. The others
// follow the distribution of the sketch, with its exact mean. A part of each
// draw belongs to the rank and stays (a Gaussian copula whose correlation is
// the share of the variance that lies between ranks): a slow rank is slow
// all the time, as recorded, instead of every rank being average. Of what is
// left jitter is the rank's own, and what varies more than that belongs to the
// occurrence and is the same on all ranks: what differs much from one
// iteration to the next is the program's doing, on all ranks alike, and
// ranks that drew it each for themselves would wait for one another as the
// program never did. That part goes through the distribution in equal steps
// (a rotation by the golden ratio), so that few occurrences have the right
// sum, too.
//
// Invariants: the same (seed, rank, ranks) and calls give the same
// durations; the part that belongs to the rank is spread evenly over the
// ranks, so the mean over all of them is kept.
// Complexity: O(1) a draw, O(buckets of a sketch) the first one of a node;
// memory 4 KB a node visited and predecessor.
// Thread-safety: one sampler belongs to one thread.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "reduction/api/times.h"
#include "replay_engine/compute/random.h"

namespace ranksight::replay_engine {

class ComputeSampler {
 public:
  // REQUIRES: 0 <= rank < ranks.
  ComputeSampler(uint64_t seed, int64_t rank, int64_t ranks);

  // Nanoseconds, before an occurrence behind this predecessor. REQUIRES: times
  // outlives the sampler.
  double Draw(const reduction::EventTimes& times, uint64_t occurrence,
              reduction::Predecessor after);

 private:
  struct Prepared {
    // The quantile function at the middles of equal steps, exact in its mean.
    std::vector<double> durations;
    // Of the parts of a draw, by standard deviation; squares add up to 1.
    double rank_weight = 0, jitter_weight = 0, common_weight = 0;
    double start = 0;  // of the rotation
  };
  // What is drawn from for the events of a node behind one predecessor.
  struct Source {
    const reduction::EventTimes* times = nullptr;
    reduction::Predecessor after = 0;
    bool has_firsts = false;
    const Prepared* rest = nullptr;  // null: the mean is all there is
  };
  const Source& SourceOf(const reduction::EventTimes& times,
                         reduction::Predecessor after);
  // Which share of the durations is shorter than the one drawn.
  double Share(const Prepared& p, uint64_t occurrence);
  const Prepared& Of(const reduction::TimeSummary& compute);
  Prepared Prepare(const reduction::TimeSummary& compute) const;

  uint64_t seed_;
  Random random_;
  double rank_z_ = 0;
  std::unordered_map<const reduction::TimeSummary*, Prepared> prepared_;
  // Sources lately drawn from, each in the one place where it can stand. Twice
  // as many serve loops of twice as many calls without a look into prepared_.
  static constexpr int kRecentBits = 7;
  std::array<Source, 1 << kRecentBits> recent_;
};

}  // namespace ranksight::replay_engine
