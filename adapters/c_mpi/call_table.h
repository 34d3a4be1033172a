// CallTable: statements that differ in numbers and tables only, as rows of one
// array of numbers and one function for each form. Compilers take 2 ms for a
// call and 2 us for a number.
//
// Invariants: a row is the number of its form and what that takes, in the order
// in which it stands in the statement; who reads a row asks its form how long
// it is. Thread-safety: one table, one thread.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ranksight::adapters::c_mpi {

class CallTable {
 public:
  // The place among all tables of values (support/values.c) of a variable of
  // this name, -1 for a name that is none.
  using PlaceOf = std::function<int64_t(std::string_view name)>;

  // "3, 17, 1024," of a statement. Counters of loops are i and digits.
  std::string AddRow(const std::string& statement, const PlaceOf& place);

  // The functions and the list of them; "" without rows.
  std::string FormsText() const;

 private:
  std::map<std::string, size_t> numbers_;  // of forms
  std::vector<std::string> forms_;         // their statements
  std::vector<size_t> arguments_;          // how many each takes
};

}  // namespace ranksight::adapters::c_mpi
