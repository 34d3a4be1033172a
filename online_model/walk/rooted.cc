#include "online_model/walk/rooted.h"

#include <algorithm>
#include <bit>

#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

// A flat one of more members takes the formula: messages that share the root's
// link take time by the square of their number. Twice as many would take four
// times as long, a tenth of a second each.
constexpr int64_t kMostFlat = 1024;

class RootedMember {
 public:
  RootedMember(CollectiveForm form, uint32_t members, uint32_t root,
               double bytes)
      : down_(IsDown(form)),
        splits_(form == CollectiveForm::kFanOut ||
                form == CollectiveForm::kFanIn),
        members_(members),
        root_(root),
        bytes_(bytes) {}

  // from_root: how far behind the root a member is, in the order of the ranks.
  void Flat(uint32_t from_root) {
    if (from_root > 0) return AddMessage(0, 1, !down_, 0);
    for (uint32_t to = 1; to < members_; ++to) Start(to, 1, down_, to - 1);
    AddWait(0, members_ - 1);
  }

  // The lowest bit that is set says how many are below a member, itself
  // counted; the nearest child is at half of that.
  void Tree(uint32_t from_root) {
    const uint32_t below =
        from_root == 0 ? std::bit_ceil(members_) : from_root & -from_root;
    const uint32_t parent = from_root & (from_root - 1);
    if (down_ && from_root > 0) {
      AddMessage(parent, Below(from_root, below), false, 0);
    }
    // Down, who has most below it first; up, who has it soonest.
    for (uint32_t far = down_ ? below / 2 : 1; far > 0 && far < below;
         far = down_ ? far / 2 : far * 2) {
      if (from_root + far >= members_) continue;
      AddMessage(from_root + far, Below(from_root + far, far), down_, 0);
    }
    if (!down_ && from_root > 0) {
      AddMessage(parent, Below(from_root, below), true, 0);
    }
  }

  std::vector<RootedStep> Take() { return std::move(steps_); }

 private:
  uint32_t Below(uint32_t from_root, uint32_t most) const {
    return std::min(most, members_ - from_root);
  }

  void Start(uint32_t other, uint32_t blocks, bool sends, uint32_t slot) {
    RootedStep& step = steps_.emplace_back();
    step.kind = sends ? RootedStep::Kind::kSend : RootedStep::Kind::kReceive;
    step.member = (other + root_) % members_;
    step.slot = slot;
    step.bytes = splits_ ? bytes_ / double(members_) * blocks : bytes_;
  }

  void AddWait(uint32_t slot, uint32_t count) {
    RootedStep& step = steps_.emplace_back();
    step.slot = slot;
    step.count = count;
  }

  void AddMessage(uint32_t other, uint32_t blocks, bool sends, uint32_t slot) {
    Start(other, blocks, sends, slot);
    AddWait(slot, 1);
  }

  const bool down_, splits_;
  const uint32_t members_, root_;
  const double bytes_;
  std::vector<RootedStep> steps_;
};

}  // namespace

bool InMessages(bool flat, int64_t members) {
  return !flat || members <= kMostFlat;
}

std::vector<RootedStep> RootedSteps(CollectiveForm form, bool flat,
                                    uint32_t members, uint32_t place,
                                    uint32_t root, double bytes) {
  RANKSIGHT_REQUIRE(IsDown(form) || IsUp(form));
  RANKSIGHT_REQUIRE(place < members && root < members);
  RootedMember member(form, members, root, bytes);
  const uint32_t from_root = (place + members - root) % members;
  flat ? member.Flat(from_root) : member.Tree(from_root);
  return member.Take();
}

}  // namespace ranksight::online_model
