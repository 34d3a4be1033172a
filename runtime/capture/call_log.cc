#include "runtime/capture/call_log.h"

#include "reduction/api/fnv.h"

namespace ranksight::runtime {

KnownCall* KnownCalls::Get(reduction::Call call, void* caller, void* frame,
                           const std::array<uint64_t, Hint::kMaxRaw>& raw) {
  reduction::Fnv words;
  words.Add(uint64_t(call)).Add(Word(caller)).Add(Word(frame));
  for (const uint64_t word : raw) words.Add(word);
  const uint64_t hash = words.value();
  // Forgetting all is rare and cheap; to keep the best would cost each call.
  if (calls_.size() >= kMost && !calls_.contains(hash)) {
    calls_.clear();
    last_ = nullptr;
  }
  std::unique_ptr<KnownCall>& place = calls_[hash];
  if (place == nullptr) place = std::make_unique<KnownCall>();
  place->call = call;
  place->caller = caller;
  place->frame = frame;
  place->raw = raw;
  return place.get();
}

void CallLog::Write(Kind kind, KnownCall* known, uint64_t stamp,
                    int64_t compute_ticks, int64_t call_ticks,
                    std::span<const MPI_Request> requests) {
  static_assert(alignof(KnownCall) >= 1 << kKindBits);
  uint64_t at = written_.load(std::memory_order_relaxed);
  const auto put = [this, &at](uint64_t word) { words_[at++ % kWords] = word; };
  put(stamp);
  put(Word(known) | uint64_t(kind));
  put(uint64_t(compute_ticks));
  // A call takes less than 2^57 ticks: a year.
  put(uint64_t(call_ticks) << 7 | requests.size());
  for (const MPI_Request request : requests) put(Word(request));
  written_.store(at, std::memory_order_release);
}

void CallLog::Read(Entry* entry) {
  uint64_t at = read_.load(std::memory_order_relaxed);
  const auto get = [this, &at] { return words_[at++ % kWords]; };
  entry->stamp = get();
  const uint64_t known = get();
  constexpr uint64_t kKinds = (1 << kKindBits) - 1;
  entry->known = reinterpret_cast<KnownCall*>(known & ~kKinds);
  entry->kind = Kind(known & kKinds);
  entry->compute_ticks = int64_t(get());
  const uint64_t took = get();
  // Of signed ticks, so the shift keeps the sign.
  entry->call_ticks = int64_t(took) >> 7;
  entry->request_count = took & 127;
  for (size_t i = 0; i < entry->request_count; ++i) {
    const uint64_t word = get();
    std::memcpy(&entry->requests[i], &word, sizeof(MPI_Request));
  }
  read_.store(at, std::memory_order_release);
}

}  // namespace ranksight::runtime
