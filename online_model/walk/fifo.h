// Fifo: first in, first out; most hold one thing or none.
// Thread-safety: as thread-safe as int.
#pragma once

#include <cstddef>
#include <vector>

namespace ranksight::online_model {

template <class T>
class Fifo {
 public:
  bool empty() const { return head_ == items_.size(); }
  const T& front() const { return items_[head_]; }
  void push_back(const T& item) { items_.push_back(item); }
  void pop_front() {
    if (++head_ == items_.size()) {
      items_.clear();
      head_ = 0;
    }
  }

 private:
  std::vector<T> items_;
  size_t head_ = 0;
};

}  // namespace ranksight::online_model
