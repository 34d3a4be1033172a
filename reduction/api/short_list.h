// ShortList: a vector whose first N elements need no allocation. A trace
// consists of a great many lists, nearly all of one or a few elements: parts
// of parameters, terms of sections, columns over ranks. Kept in place they
// are read, moved and released without a visit to the heap.
//
// As std::vector, but that moving invalidates references to the elements,
// and that there are at most 2^32 - 1.
// Thread-safety: as std::vector.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <utility>

namespace ranksight::reduction {

template <class T, uint32_t N>
class ShortList {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  ShortList() noexcept {}
  ShortList(std::initializer_list<T> values)
      : ShortList(values.begin(), values.end()) {}
  // REQUIRES: iterators that can go over the range twice.
  template <class Iterator>
  ShortList(Iterator first, Iterator last) {
    reserve(size_t(std::distance(first, last)));
    for (; first != last; ++first) push_back(*first);
  }
  ShortList(const ShortList& other) : ShortList(other.begin(), other.end()) {}
  ShortList(ShortList&& other) noexcept { TakeFrom(&other); }
  ShortList& operator=(const ShortList& other) {
    if (this != &other) *this = ShortList(other);
    return *this;
  }
  ShortList& operator=(ShortList&& other) noexcept {
    if (this == &other) return *this;
    Release();
    TakeFrom(&other);
    return *this;
  }
  ~ShortList() { Release(); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  size_t capacity() const { return capacity_; }
  // Whether the elements lie in an allocation.
  bool allocated() const { return capacity_ != N; }
  const T* data() const { return allocated() ? heap_ : here_; }
  T* data() { return allocated() ? heap_ : here_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T& operator[](size_t i) const { return data()[i]; }
  T& operator[](size_t i) { return data()[i]; }
  const T& front() const { return data()[0]; }
  T& front() { return data()[0]; }
  const T& back() const { return data()[size_ - 1]; }
  T& back() { return data()[size_ - 1]; }

  void reserve(size_t n) {
    if (n > capacity_) Grow(n);
  }
  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (size_ < capacity_) {
      T* made = new (data() + size_) T{std::forward<Args>(args)...};
      ++size_;
      return *made;
    }
    // Made first: an argument may be one of the elements that move.
    T value{std::forward<Args>(args)...};
    Grow(size_t{size_} + 1);
    T* made = new (data() + size_) T(std::move(value));
    ++size_;
    return *made;
  }
  void push_back(const T& value) { emplace_back(value); }
  void push_back(T&& value) { emplace_back(std::move(value)); }
  // Drops the elements from the n-th on. REQUIRES: n <= size().
  void Cut(size_t n) {
    std::destroy(begin() + n, end());
    size_ = uint32_t(n);
  }
  void pop_back() { Cut(size_ - 1); }
  void clear() { Cut(0); }

  bool operator==(const ShortList& other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }

 private:
  void Grow(size_t least) {
    const size_t wanted = std::max(least, size_t{capacity_} * 2);
    T* more = std::allocator<T>().allocate(wanted);
    std::uninitialized_move(begin(), end(), more);
    const uint32_t size = size_;
    Release();
    heap_ = more;
    size_ = size;
    capacity_ = uint32_t(wanted);
  }
  void Release() {
    std::destroy(begin(), end());
    if (allocated()) std::allocator<T>().deallocate(heap_, capacity_);
    size_ = 0;
    capacity_ = N;
  }
  // REQUIRES: nothing is held here.
  void TakeFrom(ShortList* other) noexcept {
    if (other->allocated()) {
      heap_ = other->heap_;
      size_ = std::exchange(other->size_, 0);
      capacity_ = std::exchange(other->capacity_, N);
      return;
    }
    std::uninitialized_move(other->begin(), other->end(), here_);
    size_ = other->size_;
    other->Cut(0);
  }

  uint32_t size_ = 0;
  uint32_t capacity_ = N;
  union {
    T here_[N];
    T* heap_;
  };
};

}  // namespace ranksight::reduction
