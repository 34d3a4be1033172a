#include "replay_engine/schedule/held_posts.h"

#include "reduction/api/contract.h"

namespace ranksight::replay_engine {

using reduction::Call;
using reduction::Param;

bool HeldPosts::Holds(Call call) {
  return call == Call::MPI_Isend_ || call == Call::MPI_Issend_ ||
         call == Call::MPI_Irecv_;
}

void HeldPosts::Add(const Operation& operation, double compute_ns,
                    uint64_t position) {
  RANKSIGHT_REQUIRE(!full());
  if (count_ == posts_.size()) posts_.emplace_back();
  HeldPost& post = posts_[count_++];
  post.event = *operation.event;
  post.operation = operation;
  post.operation.event = &post.event;
  post.compute_ns = compute_ns;
  post.position = position;
}

std::span<const HeldPosts::Turn> HeldPosts::TakeAll() {
  turns_.clear();
  sends_.clear();
  send_posts_.clear();
  for (size_t i = 0; i < count_; ++i) {
    const reduction::Event& e = posts_[i].event;
    if (e.call() == Call::MPI_Irecv_) {
      // Receives stand first, in their order: a message that finds one waiting
      // need not be kept.
      turns_.push_back({&posts_[i], 0, i != turns_.size()});
    } else {
      sends_.push_back(
          {e.Get(Param::kPeer), e.Get(Param::kComm), reduction::SendBytes(e)});
      send_posts_.push_back(static_cast<uint32_t>(i));
    }
  }
  if (!sends_.empty()) {
    const uint32_t site = posts_[send_posts_.front()].event.site;
    for (const replay_engine::Turn& turn : tuning_->Plan(site, sends_)) {
      const uint32_t post = send_posts_[turn.send];
      turns_.push_back({&posts_[post], turn.start_ns, post != turns_.size()});
    }
  }
  count_ = 0;
  return turns_;
}

}  // namespace ranksight::replay_engine
