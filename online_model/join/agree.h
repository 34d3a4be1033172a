// What parts take and what all of them take together, each by a law of its own,
// made to agree: a law of one part says less than the sum of many does, in
// which what one part loses another gains. The sums are weighed by how well
// they are known, as in forecast reconciliation (Wickramasuriya,
// Athanasopoulos, Hyndman, JASA 114, 2019), and parts change by as much as they
// are in doubt.
//
// Thread-safety: pure functions. Complexity: O(parts).
#pragma once

#include <vector>

namespace ranksight::online_model {

// value: of one occurrence. half_width: half of its 90 % interval, relative.
struct Summand {
  double occurrences = 0, value = 0, half_width = 0;
};

// sum, half_width: of all parts together, by a law of the sum; 0 where there is
// none, and parts then stay as they are. Changes the parts' values, none below
// 0 nor one that is not in doubt. Returns half the 90 % interval of the sum
// that they have then, in its unit: of the better known one, or more where the
// two cannot both be right. REQUIRES: nothing below 0.
double Agree(double sum, double half_width, std::vector<Summand>* parts);

}  // namespace ranksight::online_model
