#include "adapters/goal/compiled.h"

#include <cstring>
#include <limits>

#include "reduction/api/contract.h"

namespace ranksight::adapters::goal {
namespace {

constexpr uint64_t kMagic = 4223;
// Kinds of operations.
constexpr char kSend = 1, kReceive = 2, kCompute = 3;

// Places in a record. Processor and network interface are always 0.
constexpr size_t kBehind = 0, kType = 4, kPeer = 5, kSize = 9, kTag = 17,
                 kEndCount = 23, kEndPlace = 27, kStartCount = 31,
                 kStartPlace = 35, kRecord = 39;

template <class T>
void Put(T value, char* at) {
  std::memcpy(at, &value, sizeof value);
}

template <class T>
void Append(T value, std::string* to) {
  to->append(reinterpret_cast<const char*>(&value), sizeof value);
}

uint32_t Get(const char* at) {
  uint32_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

char TypeOf(Operation::Kind kind) {
  if (kind == Operation::Kind::kSend) return kSend;
  return kind == Operation::Kind::kReceive ? kReceive : kCompute;
}

}  // namespace

void CompiledRank::Add(const Operation& operation,
                       std::span<const Dependency> behind) {
  constexpr size_t kMost = std::numeric_limits<uint32_t>::max();
  fits_ =
      fits_ && operations_ < kMost && edges_.size() + behind.size() <= kMost;
  if (!fits_) return;
  RANKSIGHT_REQUIRE(std::ranges::all_of(behind, [&](const Dependency& d) {
    return d.on >= 1 && uint64_t(d.on) <= operations_;
  }));
  const uint32_t number = operations_++;
  records_.resize(records_.size() + kRecord);
  char* const record = records_.data() + size_t(number) * kRecord;
  Put(uint32_t(behind.size()), record + kBehind);
  record[kType] = TypeOf(operation.kind);
  Put(uint32_t(operation.peer), record + kPeer);
  Put(uint64_t(operation.amount), record + kSize);
  Put(uint32_t(operation.tag), record + kTag);
  if (behind.empty()) free_.push_back(number);
  for (const Dependency& d : behind) {
    const auto on = uint32_t(d.on - 1);
    edges_.push_back({on, number, d.started_only});
    char* const count = records_.data() + size_t(on) * kRecord +
                        (d.started_only ? kStartCount : kEndCount);
    // The record is of an earlier operation: how many stand behind it is known
    // at the end only.
    Put(Get(count) + 1, count);
  }
}

// Where those behind each operation begin among all, its end before its start.
std::vector<uint32_t> CompiledRank::PutPlaces() {
  std::vector<uint32_t> places;
  places.reserve(2 * size_t(operations_));
  uint32_t next = 0;
  for (size_t i = 0; i < operations_; ++i) {
    char* const record = records_.data() + i * kRecord;
    Put(next, record + kEndPlace);
    places.push_back(next);
    next += Get(record + kEndCount);
    Put(next, record + kStartPlace);
    places.push_back(next);
    next += Get(record + kStartCount);
  }
  return places;
}

std::string CompiledRank::TakeBytes() {
  RANKSIGHT_REQUIRE(fits());
  std::vector<uint32_t> places = PutPlaces();
  std::vector<uint32_t> behind(edges_.size());
  for (const Edge& e : edges_) {
    behind[places[2 * size_t(e.on) + (e.started_only ? 1 : 0)]++] = e.by;
  }
  std::string bytes;
  Append(operations_, &bytes);
  Append(uint32_t(free_.size()), &bytes);
  for (const uint32_t number : free_) Append(number, &bytes);
  bytes += records_;
  bytes.append(reinterpret_cast<const char*>(behind.data()),
               behind.size() * sizeof(uint32_t));
  return bytes;
}

std::string CompiledHead(const std::vector<uint64_t>& sizes) {
  std::string head;
  Append(kMagic, &head);
  // Places are counted from behind the magic number.
  Append(uint32_t(sizes.size()), &head);
  Append(uint8_t(0), &head);  // the most processor, network interface
  Append(uint8_t(0), &head);
  uint64_t at = sizeof(uint32_t) + 2 + 2 * sizeof(uint64_t) * sizes.size();
  for (const uint64_t size : sizes) {
    Append(at, &head);
    at += size;
    Append(at, &head);
  }
  return head;
}

}  // namespace ranksight::adapters::goal
