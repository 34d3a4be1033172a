// Values: parameters of a trace as C expressions, and the tables of those
// that no short formula gives.
//
// Forms, the first that is exact: a number; a formula of the own rank
// (rank + c, a * rank + c, rank ^ c, rank % c, rank / c, round a ring of all
// ranks); one case for each set of ranks; a table holding the parameter as the
// trace does, read at the start (a value that stays) or one by one (a
// sequence).
//
// Complexity: O(ranks) for parameters held as lists over ranks, O(size of
// the parameter) otherwise.
// Thread-safety: one writer, one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reduction/api/parameter.h"

namespace ranksight::adapters::c_mpi {

class Values {
 public:
  explicit Values(int64_t ranks) : ranks_(ranks) {}

  // An expression for the next value; evaluating it goes one further.
  std::string Scalar(const reduction::Parameter& p, std::string_view name);
  // "&name_3", to be read one by one.
  std::string Sequence(const reduction::Parameter& p, std::string_view name);
  // How often a node runs; 0 on ranks without a sequence. `all` says that
  // there are none among those that get there.
  std::string Times(const reduction::Parameter& p, bool all);
  // "rank < 4": true exactly for these ranks; "" when no short form exists.
  std::string Condition(const reduction::RankSet& ranks) const;

  // The tables as C text, and the list of their variables.
  std::string TablesText() const;

 private:
  std::string Formula(const reduction::ParameterPiece& piece) const;
  std::string Cases(const reduction::Parameter& p) const;
  std::string AddVariable(const reduction::Parameter& p, std::string_view name,
                          bool stays);
  int64_t ranks_;
  std::map<std::string, int> data_;  // text of a table -> number
  std::map<std::string, std::string> staying_;
  std::vector<std::string> variables_;
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
