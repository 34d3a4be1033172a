// Values: parameters of a trace as C expressions, and the tables of those
// that no short formula gives.
//
// Forms in programs of one rank count, the first that is exact: a number; a
// formula of the own rank (rank + c, a * rank + c, rank ^ c, rank % c, rank /
// c, round a ring of all ranks); one case for each set of ranks; a table
// holding the parameter as the trace does, read at the start (a value that
// stays) or one by one (a sequence). In programs of any rank count: the law's
// expression, or a sequence of its values.
//
// Complexity: O(ranks) for parameters held as lists over ranks, O(size of
// the parameter) otherwise.
// Thread-safety: one writer, one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapters/api/generate.h"
#include "reduction/api/parameter.h"

namespace ranksight::adapters::c_mpi {

class Values {
 public:
  explicit Values(int64_t ranks) : ranks_(ranks) {}

  // From now on parameters are what these laws say, at any number of ranks.
  // REQUIRES: every parameter that is asked for has one.
  void UseLaws(std::map<const reduction::Parameter*, const LawText*> laws) {
    laws_ = std::move(laws);
  }
  bool by_law() const { return !laws_.empty(); }
  // The loops around, for laws that follow one: index and number of rounds.
  void EnterLoop(std::string index, std::string rounds) {
    loops_.push_back({std::move(index), std::move(rounds), {}});
  }
  // Returns what is to be done when an iteration begins.
  std::vector<std::string> LeaveLoop();
  // What could not be written, empty for nothing.
  const std::string& problem() const { return problem_; }
  // The one value on all ranks and occurrences, at every size in question.
  bool Number(const reduction::Parameter& p, int64_t* value) const;
  // Whether a value may be special (reduction/api/call.h).
  bool Special(const reduction::Parameter& p) const;
  // An expression no less than any value of this rank, which reads nothing.
  std::string Most(const reduction::Parameter& p, std::string_view name);

  // An expression for the next value; evaluating it goes one further.
  std::string Scalar(const reduction::Parameter& p, std::string_view name);
  // "&name_3", to be read one by one.
  std::string Sequence(const reduction::Parameter& p, std::string_view name);
  // How often a node runs; 0 on ranks without a sequence. `all` says that
  // there are none among those that get there.
  std::string Times(const reduction::Parameter& p, bool all);
  // "rank < 4": true exactly for these ranks; "" when no short form exists.
  std::string Condition(const reduction::RankSet& ranks) const;

  // Where a variable stands in all_values; -1 for a name that is none.
  int64_t PlaceOf(std::string_view variable) const;

  // The tables as C text, and the list of their variables.
  std::string TablesText() const;

 private:
  std::string Formula(const reduction::ParameterPiece& piece) const;
  std::string Cases(const reduction::Parameter& p) const;
  std::string AddVariable(const reduction::Parameter& p, std::string_view name,
                          bool stays);
  std::string ByLaw(const LawText& law, std::string_view name);
  std::string AddLaw(const LawText& law, std::string_view name);
  std::string AddFunction(std::string_view name, const std::string& value,
                          std::string_view of);
  int64_t ranks_;
  std::map<const reduction::Parameter*, const LawText*> laws_;
  struct Around {
    std::string index, rounds;
    std::vector<std::string> resets;  // of what counts runs in an iteration
  };
  std::string InLoop(const LawText& law, std::string_view name);
  std::vector<Around> loops_;
  int runs_counted_ = 0;
  std::string functions_;                             // of laws
  std::map<std::string, std::string> law_functions_;  // what -> name
  std::string law_variables_;
  int laws_made_ = 0;
  std::string problem_;
  std::map<std::string, int> data_;  // text of a table -> number
  std::map<std::string, std::string> staying_;
  std::vector<std::string> variables_;
  std::map<std::string, int64_t, std::less<>> places_;
  std::vector<int> variable_data_;
};

// True when no rank's value changes from one occurrence to the next.
bool Stays(const reduction::Parameter& p);
// The one value on all ranks and occurrences.
bool IsNumber(const reduction::Parameter& p, int64_t* value);
// No value is larger (may be far above them).
double Bound(const reduction::Parameter& p, int64_t ranks);
bool HasSpecial(const reduction::Parameter& p);
// "(-1099511627777)" as its name, others as they are.
std::string NumberText(int64_t value);

}  // namespace ranksight::adapters::c_mpi
