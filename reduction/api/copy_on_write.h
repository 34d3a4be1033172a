// CopyOnWrite: a value that copies share until one of them is to change. The
// parameters of a trace are equal by the dozen; so they are held, copied and
// released once, and whoever unites or writes them may do equal ones once.
//
// Complexity: copying is O(1); Change is O(copying a T) while others share.
// Thread-safety: copies may be used by different threads, each copy by one.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace ranksight::reduction {

template <class T>
class CopyOnWrite {
 public:
  CopyOnWrite() = default;
  explicit CopyOnWrite(T value) : cell_(new Cell{{1}, std::move(value)}) {}
  CopyOnWrite(const CopyOnWrite& other) : cell_(other.cell_) {
    if (cell_ != nullptr) cell_->uses.fetch_add(1, std::memory_order_relaxed);
  }
  CopyOnWrite(CopyOnWrite&& other) noexcept
      : cell_(std::exchange(other.cell_, nullptr)) {}
  CopyOnWrite& operator=(CopyOnWrite other) noexcept {
    std::swap(cell_, other.cell_);
    return *this;
  }
  ~CopyOnWrite() {
    if (cell_ == nullptr) return;
    // Nobody else can share it again once this is the only one.
    if (!is_shared() ||
        cell_->uses.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete cell_;
    }
  }

  // What was never set is a T().
  const T& get() const {
    static const T nothing;
    return cell_ == nullptr ? nothing : cell_->value;
  }
  T& Change() {
    if (cell_ == nullptr) {
      cell_ = new Cell{{1}, T()};
    } else if (is_shared()) {
      *this = CopyOnWrite(cell_->value);
    }
    return cell_->value;
  }
  bool is_shared() const {
    return cell_ != nullptr && cell_->uses.load(std::memory_order_acquire) != 1;
  }
  // The same for copies that share, and for no others while they exist;
  // nullptr for what was never set.
  const void* identity() const { return cell_; }

 private:
  struct Cell {
    std::atomic<uint32_t> uses;
    T value;
  };
  Cell* cell_ = nullptr;
};

}  // namespace ranksight::reduction
