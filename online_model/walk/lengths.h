// How long the messages of programs are: those sent, and those that collectives
// consist of. Thread-safety: value type. Complexity: O(operations).
#pragma once

#include <limits>

#include "online_model/walk/program.h"

namespace ranksight::online_model {

class Lengths {
 public:
  void Add(const Program& program);
  void Add(double shortest, double longest);   // and all between
  double longest() const { return longest_; }  // bytes; 0 for no message
  // By how many doublings the program's messages, so many times as long as it
  // says, are shorter or longer than all that were added, in the mean.
  double DoublingsBeyond(const Program& program, double scale = 1) const;

 private:
  double shortest_ = std::numeric_limits<double>::infinity(), longest_ = 0;
};

}  // namespace ranksight::online_model
