#include "online_model/synthesize/check_restarts.h"

#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace ranksight::online_model {
namespace {

using reduction::Status;
using Op = Expression::Op;

// Longer ones are not looked through for parts.
constexpr int64_t kLongest = 1 << 20;

class Checker {
 public:
  Checker(std::span<const Grid> runs, const Grid& target)
      : runs_(runs), target_(target) {}

  Status Check(const NodeLaw& law) {
    // An event that runs several times is a loop of its own (rounds.h).
    loops_.push_back(&law.trips);
    for (const SequenceLaw& p : law.params) {
      const bool in_loop = p.form == SequenceLaw::Form::kByIteration &&
                           size_t(p.loop) < loops_.size();
      const auto length = in_loop ? LengthOf(*loops_[size_t(p.loop)])
                                  : std::optional<int64_t>();
      if (!length) continue;
      Status s = Status::Ok();
      ForEachScalarLaw(p, [&](const ScalarLaw& v) {
        ForEachExpression(v, [&](const Expression& e) {
          if (s.ok()) s = CheckRound(e, *length);
        });
      });
      if (!s.ok()) return s;
    }
    for (const NodeLaw& child : law.children) {
      Status s = Check(child);
      if (!s.ok()) return s;
    }
    loops_.pop_back();
    return Status::Ok();
  }

 private:
  // Iterations, where they are as many in all runs and at each visit.
  std::optional<int64_t> LengthOf(const SequenceLaw& trips) const {
    const bool is_one = trips.form == SequenceLaw::Form::kPositional &&
                        trips.prefix.empty() && trips.values.size() == 1;
    if (!is_one) return std::nullopt;
    const int64_t length = trips.values[0].At(Context(runs_[0], 0));
    for (const Grid& g : runs_) {
      if (trips.values[0].At(Context(g, 0)) != length) return std::nullopt;
    }
    return length > 0 && length < kLongest ? std::optional(length)
                                           : std::nullopt;
  }

  Status CheckRound(const Expression& e, int64_t length) const {
    if (e.op != Op::kRemainder || !e.a->Uses(Feature::Kind::kPosition, 0)) {
      return Status::Ok();
    }
    int64_t least = 1;  // that all runs go round in whole
    for (const Grid& g : runs_) {
      const int64_t around = e.b->At(Context(g, 0));
      if (around <= 0 || around > length) return Status::Ok();
      least = std::lcm(least, around);
      if (least > length) return Status::Ok();
    }
    const int64_t around = e.b->At(Context(target_, 0));
    if (around <= 0) return Status::Ok();
    for (int64_t part = least; part < length; part += least) {
      if (length % part != 0 || part % around == 0) continue;
      return Status::No(
          "what goes round " + e.b->ToString() + " ranks in a loop of " +
          std::to_string(length) + " goes on, or begins anew every " +
          std::to_string(part) + ": all runs go round in whole, " +
          std::to_string(target_.ranks()) + " ranks, " +
          std::to_string(around) +
          " of them around, would not; a run of such "
          "a size may tell");
    }
    return Status::Ok();
  }

  std::span<const Grid> runs_;
  const Grid& target_;
  std::vector<const SequenceLaw*> loops_;  // around, outermost first
};

}  // namespace

Status CheckRestarts(const NodeLaw& root, std::span<const Grid> runs,
                     const Grid& target) {
  Checker checker(runs, target);
  for (const NodeLaw& child : root.children) {
    Status s = checker.Check(child);
    if (!s.ok()) return s;
  }
  return Status::Ok();
}

}  // namespace ranksight::online_model
