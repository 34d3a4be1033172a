// A run that is not over, completed: what has been seen of it, and what its
// program's laws say is still to come.
//
// Seen is a prefix. Its totals say nothing about the whole; what carries over
// is how long one occurrence of an event takes at this rank count. How often
// the event will have occurred is known from the law of its occurrences at
// the sizes measured (exactly, as a rule: trip counts follow the structure).
// Their product is the time of the event in the whole run, and it is believed
// like the share of a run that has been seen. Where an event has hardly
// occurred yet, nothing is said of it and its law from the other sizes holds.
//
// Thread-safety: value types; pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "online_model/api/forecast.h"
#include "online_model/forecast/event_table.h"
#include "online_model/forecast/total.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// What has been seen, by event of an EventTable; seconds, a mean rank's.
class SeenRun {
 public:
  // REQUIRES: so_far.meta.ranks >= 1.
  SeenRun(const reduction::Trace& so_far, const EventTable& table);

  const std::string& job() const { return job_; }
  int64_t ranks() const { return ranks_; }

  // `table`: the one above, perhaps with more runs; `model`: of its runs
  // alone. about.used says whether `part` may enter a fit.
  struct Completed {
    PartOfRun part;
    RunUnderWay about;
  };
  Completed Complete(const EventTable& table, const TotalModel& model) const;

 private:
  struct Seen {
    double occurrences = 0;                               // all
    double first = 0, first_compute = 0, first_call = 0;  // each rank's first
    double rest = 0, rest_compute = 0, rest_call = 0;     // the others
  };
  struct Expected {
    double occurrences = 0;
    bool known = false;
  };
  Expected ExpectedOf(size_t event, const EventTable& table,
                      const TotalModel& model) const;

  std::string job_;
  int64_t ranks_ = 1;
  std::vector<Seen> seen_;  // by event of the table
  double strange_ = 0;      // seconds in events that the table has not
};

}  // namespace ranksight::online_model
