#include "adapters/base/rank_parts.h"

#include <cassert>
#include <utility>

namespace ranksight::adapters {

void RankPart::Take(std::string_view bytes) {
  if (deflater_) {
    deflater_->Add(bytes, &held_);
    bytes = {};
  }
  const bool too_much = held_.size() + bytes.size() > parts_->limits_.part;
  if (!parts_->HasTurn(rank_)) {
    if (!too_much) {
      held_ += bytes;
      return;
    }
    parts_->WaitForTurn(rank_);
  }
  parts_->WriteNow(held_);
  parts_->WriteNow(bytes);
  held_.clear();
}

RankParts::Room RankParts::TakeRoom() {
  const std::lock_guard lock(mutex_);
  if (spare_.empty()) {
    return {nullptr, "",
            file_->packs() ? std::make_unique<Deflater>() : nullptr};
  }
  Room room = std::move(spare_.back());
  spare_.pop_back();
  return room;
}

void RankParts::WaitForTurn(int64_t rank) {
  std::unique_lock lock(mutex_);
  turn_came_.wait(lock, [&] { return HasTurn(rank); });
}

void RankParts::WriteNow(std::string_view bytes) {
  if (!begun_) begins_[size_t(turn_)] = file_->size();
  begun_ = true;
  file_->packs() ? file_->WritePacked(bytes) : file_->Write(bytes);
}

// Without the lock while it writes: other threads go on.
void RankParts::WriteEnded(std::unique_lock<std::mutex>* lock) {
  writing_ended_ = true;
  for (auto next = ended_.find(turn_); next != ended_.end();
       next = ended_.find(turn_)) {
    Room room = std::move(next->second);
    ended_.erase(next);
    lock->unlock();
    WriteNow(room.held);
    if (file_->packs()) file_->EndPacked(room.unpacked);
    begun_ = false;
    lock->lock();
    ended_bytes_ -= room.held.size();
    room.held.clear();
    spare_.push_back(std::move(room));
    ++turn_;
    turn_came_.notify_all();
  }
  writing_ended_ = false;
}

void RankParts::End(int64_t rank, Room room) {
  std::unique_lock lock(mutex_);
  assert(turn_ <= rank);
  ended_bytes_ += room.held.size();
  ended_.emplace(rank, std::move(room));
  if (!writing_ended_) WriteEnded(&lock);
  turn_came_.wait(
      lock, [&] { return ended_bytes_ <= limits_.ended || turn_ > rank; });
}

}  // namespace ranksight::adapters
