// One MPI call as it was made: the call, its call site, and the values of
// its parameters.
//
// Thread-safety: value types.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "reduction/api/call.h"

namespace ranksight::reduction {

// Values beyond this, either way, no trace holds: strides of theirs, and of
// those over the ranks, must be numbers that the format has (base/bytes.h).
inline constexpr int64_t kLargestKept = int64_t{1} << 59;

// Values of all parameters of one event, in the order of Info(call).params,
// scalars one value each, arrays flattened. Reuse one object: Reset keeps
// the capacity, so a steady stream allocates nothing.
class Event {
 public:
  static constexpr int kMaxParams = 24;

  Event() = default;
  explicit Event(Call call) { Reset(call); }
  void Reset(Call call);

  Call call() const { return call_; }
  // Parameters must be added in the order of Info(call).params.
  void Add(int64_t scalar);
  void AddArray(std::span<const int64_t> values);
  // True when every parameter has been added, arrays with the length that
  // their length parameter says.
  bool Complete() const;

  int param_count() const { return filled_; }
  std::span<const int64_t> ValuesAt(int index) const;
  // All values, and where each parameter's begin, with an end.
  std::span<const int64_t> values() const { return values_; }
  std::span<const uint32_t> offsets() const {
    return {offsets_.data(), size_t(filled_) + 1};
  }
  // Takes the place of any values before.
  void Assign(Call call, std::span<const int64_t> values,
              std::span<const uint32_t> offsets);
  std::span<int64_t> MutableValues() { return values_; }
  std::span<int64_t> MutableArray(Param p);  // empty when absent
  // Makes kNone of values beyond kLargestKept either way; how many there were.
  size_t ForgetTooLarge();
  bool Has(Param p) const { return IndexOf(p) >= 0; }
  // The scalar p, or fallback when this call does not carry it.
  int64_t Get(Param p, int64_t fallback = 0) const;
  std::span<const int64_t> GetArray(Param p) const;  // empty when absent

  // Index into Sites::sites of whoever holds the event.
  uint32_t site = 0;
  // Ranks in the own group of its communicator, where whoever made the event
  // says so; no parameter, and asked for only where GivesShares.
  int64_t comm_size = kNotKept;

 private:
  int IndexOf(Param p) const;
  Call call_ = Call::MPI_Init_;
  int filled_ = 0;
  std::array<uint32_t, kMaxParams + 1> offsets_{};
  std::vector<int64_t> values_;
};

// Calls whose count says what comes in: receives, and what only gets data in
// another way.
bool OnlyReceives(Call call);

// Calls whose one count is the share of each member in what a rank gives:
// MPI_Reduce_scatter_block and its other forms.
bool GivesShares(Call call);

// Bytes on the send and receive side as the canonical text counts them
// (count x type size; arrays summed, and shares over the members). 0 when the
// call has no such side, kNotKept when the counts are left only as a
// distribution, or there are as many shares as nobody knows.
int64_t SendBytes(const Event& e);
// Likewise, but one share where GivesShares.
int64_t ShareBytes(const Event& e);
int64_t RecvBytes(const Event& e);

// References to the requests that a completion call completes, in their order.
template <class F>
void ForEachCompleted(const Event& e, F f) {
  const std::span<const int64_t> requests = e.GetArray(Param::kRequests);
  const std::span<const int64_t> done = e.GetArray(Param::kDone);
  if (done.empty()) {
    for (const int64_t request : requests) f(request);
  }
  for (const int64_t index : done) {
    const auto i = static_cast<size_t>(index);
    if (index >= 0 && i < requests.size()) f(requests[i]);
  }
}

// Makes the event one about these requests, which a completion call or one that
// starts requests was passed in this order: of completions of several those
// that are none (kRequestNull) are left out, and the rest put in order.
// passed: of one that completes some, only those that it completed.
void SetRequests(std::span<const int64_t> passed, Event* e);
// In the order in which a completion keeps requests: places in `passed`, but of
// those that are none.
void SortRequests(std::span<const int64_t> passed, std::vector<size_t>* places);

// The source of a receive or probe: where any was asked for what was matched,
// or kPeerAny when that is not known.
int64_t ReceivedFrom(const Event& e);
// Likewise its tag.
int64_t ReceivedTag(const Event& e);

}  // namespace ranksight::reduction
