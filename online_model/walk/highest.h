// The highest of many numbers of which some are known.
//
// Thread-safety: value types.
#pragma once

#include <vector>

#include "online_model/walk/program.h"

namespace ranksight::online_model {

// Of as many numbers of a distribution with mean 0 and deviation 1 the highest,
// on average: a normal one, but for its excess of kurtosis. A seventh
// off at most for one draw of the walk, less for sums of several.
double ExpectedHighest(double numbers, double kurtosis);

// When the last of all ranks comes, where the actors of a group stand for more
// ranks than there are of them.
class Highest {
 public:
  explicit Highest(const std::vector<Program::Group>& groups);
  void Clear();
  // variance, fourth: the sums of the squares, and of their squares, of the
  // deviations of what was drawn for the actor.
  void Add(size_t group, double time, double variance, double fourth);
  double Last() const;

 private:
  struct Sum {
    double count = 0, mean = 0, squares = 0, most = 0;  // squares: about mean
    double variance = 0, fourth = 0;
  };
  const std::vector<Program::Group>& groups_;
  std::vector<Sum> sums_;  // by group
};

}  // namespace ranksight::online_model
