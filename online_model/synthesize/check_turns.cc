#include "online_model/synthesize/check_turns.h"

#include <algorithm>
#include <string>
#include <vector>

#include "online_model/synthesize/telling_run.h"

namespace ranksight::online_model {
namespace {

using reduction::Status;

// How many ranks of a side pair off.
int64_t PartOf(const Neighbours& list, const Grid& grid, size_t side) {
  return list.leaves_out() ? list.PartOf(grid.ranks()) : grid.dims[side];
}

class TurnCheck {
 public:
  TurnCheck(std::span<const Grid> runs, const Grid& target)
      : runs_(runs), target_(target) {}

  // Of any list of the laws from here down.
  Status Check(const NodeLaw& law) {
    trips_.push_back(&law.trips);
    Status told = Check(law.trips);
    for (const SequenceLaw& param : law.params) {
      if (told.ok()) told = Check(param);
    }
    const Neighbours* turns = TurnsOf(law.trips);
    for (const NodeLaw& child : law.children) {
      const Neighbours* list = child.trips.list.get();
      if (turns != nullptr && list != nullptr && !(*list == *turns)) {
        return Status::No(
            "ranks pair off by turns in a loop, and what they call there "
            "follows other neighbours: which of them it is no run tells");
      }
      if (told.ok()) told = Check(child);
    }
    trips_.pop_back();
    return told;
  }

 private:
  // The turned list that a loop has as many iterations as neighbours of, or
  // nullptr.
  static const Neighbours* TurnsOf(const SequenceLaw& trips) {
    const Neighbours* turns = nullptr;
    const auto look = [&turns](const Feature& f) {
      if (f.list != nullptr && f.list->turned) turns = f.list.get();
    };
    for (const ScalarLaw& value : trips.values) {
      for (const auto& [factor, feature] : value.terms) look(feature);
      ForEachExpression(value,
                        [&look](const Expression& e) { look(e.feature); });
    }
    return turns;
  }

  Status Check(const SequenceLaw& law) const {
    if (law.list == nullptr || !law.list->turned) return Status::Ok();
    const Neighbours& list = *law.list;
    if (const int side = SideOfTwo(list); side >= 0) {
      return NotTold(side,
                     "at most two of them in all runs, which pair off once");
    }
    const int side = SideNotTold(list);
    if (side < 0) return Status::Ok();
    const bool is_odd = target_.dims[size_t(side)] % 2 != 0;
    return NotTold(side, std::string(is_odd ? "an even" : "an odd") +
                             " number of them in all runs, so that none shows "
                             "when the last one waits");
  }

  Status NotTold(int side, const std::string& has) const {
    return OpenAtTarget("ranks pair off by turns along side " +
                            std::to_string(side) + " of the grid, which has " +
                            has,
                        target_.ranks(),
                        "it has " + std::to_string(target_.dims[size_t(side)]));
  }

  // A side along which ranks pair off, longer than two at the target alone; -1
  // for none.
  int SideOfTwo(const Neighbours& list) const {
    for (size_t d = 0; d < target_.dims.size(); ++d) {
      const bool shows = std::ranges::any_of(
          runs_, [&](const Grid& g) { return PartOf(list, g, d) > 2; });
      const bool is_longer = PartOf(list, target_, d) > 2;
      if (list.MovesAlong(d) && is_longer && !shows) return int(d);
    }
    return -1;
  }

  // A side of which runs do not tell when its last rank waits; -1 for none.
  int SideNotTold(const Neighbours& list) const {
    for (size_t d = 0; d < target_.dims.size(); ++d) {
      const bool is_open = (list.periodic >> d & 1) == 0;
      const int64_t there = PartOf(list, target_, d) % 2;
      const bool is_new = std::ranges::none_of(runs_, [&](const Grid& g) {
        return PartOf(list, g, d) % 2 == there;
      });
      if (is_open && list.MovesAlong(d) && is_new && LastDiffers(list, d)) {
        return int(d);
      }
    }
    return -1;
  }

  // Whether the last rank of the side goes through some loop, or to the event,
  // another number of times than one within: of an even number that is the same
  // at all sizes both ends wait in half.
  bool LastDiffers(const Neighbours& list, size_t side) const {
    const int64_t last = list.left_out_first + PartOf(list, target_, side) - 1;
    if (last < 2) return true;
    Coordinates at{};
    at[side] = last;
    const Context of_last(target_, target_.RankOf(at));
    at[side] = last - 1;
    const Context within(target_, target_.RankOf(at));
    const Grid& run = *std::ranges::max_element(
        runs_, {}, [&](const Grid& g) { return PartOf(list, g, side); });
    at[side] = list.left_out_first + PartOf(list, run, side) - 2;
    if (at[side] < 1) return true;
    const Context of_run(run, run.RankOf(at));
    return std::ranges::any_of(trips_, [&](const SequenceLaw* trips) {
      // One number each: lists may be as long as a file says.
      if (trips->FollowsLoop() || trips->HasLength()) return true;
      const Pattern inner = trips->At(within, {});
      const auto is_odd = [](int64_t v) { return v % 2 != 0; };
      return trips->At(of_last, {}) != inner &&
             (inner != trips->At(of_run, {}) ||
              std::ranges::any_of(inner.prefix, is_odd) ||
              std::ranges::any_of(inner.period, is_odd));
    });
  }

  std::span<const Grid> runs_;
  const Grid& target_;
  std::vector<const SequenceLaw*> trips_;  // of the node and those around it
};

}  // namespace

Status CheckTurns(const NodeLaw& root, std::span<const Grid> runs,
                  const Grid& target) {
  return TurnCheck(runs, target).Check(root);
}

}  // namespace ranksight::online_model
