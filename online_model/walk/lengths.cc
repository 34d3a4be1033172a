#include "online_model/walk/lengths.h"

#include <algorithm>
#include <cmath>

namespace ranksight::online_model {
namespace {

// Of a message, or of the parts that a collective sends; 0 for what sends none.
double LengthOf(const Program& program, const Operation& op) {
  if (op.kind == Operation::Kind::kSend) return op.bytes;
  if (op.kind != Operation::Kind::kCollective) return 0;
  const bool whole = op.form == CollectiveForm::kTree ||
                     op.form == CollectiveForm::kTreeDown ||
                     op.form == CollectiveForm::kTreeUp;
  return op.bytes / (whole ? 1 : double(program.comm_size[op.place]));
}

}  // namespace

void Lengths::Add(const Program& program) {
  for (const Operation& op : program.operations) {
    const double bytes = LengthOf(program, op);
    if (bytes <= 0) continue;
    Add(bytes, bytes);
  }
}

void Lengths::Add(double shortest, double longest) {
  shortest_ = std::min(shortest_, shortest);
  longest_ = std::max(longest_, longest);
}

double Lengths::DoublingsBeyond(const Program& program, double scale) const {
  if (longest_ == 0) return 0;
  double sum = 0, count = 0;
  for (const Operation& op : program.operations) {
    const double bytes = scale * LengthOf(program, op);
    if (bytes <= 0) continue;
    sum += std::max(
        {0.0, std::log2(shortest_ / bytes), std::log2(bytes / longest_)});
    count += 1;
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace ranksight::online_model
