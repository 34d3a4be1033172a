#include "adapters/dumpi/record_file.h"

#include <cstring>

#include "reduction/api/contract.h"

namespace ranksight::adapters::dumpi {
namespace {

constexpr uint64_t kMagic = 0xffaadd44554d5049;  // ..."DUMPI"
constexpr int64_t kFooterMagic = 0xf007fee7;
constexpr int kEndOfCalls = 293;
constexpr int kCpuTime = 4, kWallTime = 8;  // what a call keeps
constexpr int64_t kVersion[] = {13, 0, 0};
constexpr int64_t kNoPart = 0;  // in the index
constexpr int64_t kSecond = 1000000000;
// In a call: behind its number and what it keeps, two times of two clocks.
constexpr size_t kTimesAt = 3, kTimesBytes = 24;

void PutAt(uint64_t v, size_t bytes, char* at) {
  for (size_t i = 0; i < bytes; ++i) at[i] = char(v >> (8 * (bytes - 1 - i)));
}

}  // namespace

RecordFile::RecordFile(const std::string& path) : file_(path) {
  Put(int64_t(kMagic), 8);
  // Seconds that all times, of either clock, leave out.
  Int(0);
  Int(0);
}

void RecordFile::Put(int64_t v, size_t bytes) {
  RANKSIGHT_REQUIRE(bytes <= sizeof v);
  const size_t at = record_.size();
  record_.resize(at + bytes);
  PutAt(uint64_t(v), bytes, record_.data() + at);
}

void RecordFile::Write() {
  file_.Write(record_);
  record_.clear();
}

void RecordFile::Text(const std::string& text) {
  Short(int64_t(text.size()));
  record_ += text;
}

void RecordFile::Times(size_t at, int64_t start_ns, int64_t stop_ns) {
  char* const times = record_.data() + at;
  PutAt(uint64_t(start_ns / kSecond), 2, times);
  PutAt(uint64_t(start_ns % kSecond), 4, times + 2);
  PutAt(uint64_t(stop_ns / kSecond), 2, times + 6);
  PutAt(uint64_t(stop_ns % kSecond), 4, times + 8);
  std::memcpy(times + 12, times, 12);  // of the other clock
}

void RecordFile::BeginCall(int number, int64_t start_ns, int64_t stop_ns) {
  RANKSIGHT_REQUIRE(number >= 0 && number <= kCalls);
  Write();
  ++counts_[size_t(number)];
  Short(number);
  Byte(kCpuTime | kWallTime);
  record_.resize(kTimesAt + kTimesBytes);
  Times(kTimesAt, start_ns, stop_ns);
}

void RecordFile::Repeat(std::string_view record, int64_t start_ns,
                        int64_t stop_ns) {
  RANKSIGHT_REQUIRE(record.size() >= kTimesAt + kTimesBytes);
  Write();
  record_ = record;
  ++counts_[size_t(uint8_t(record[0])) << 8 | uint8_t(record[1])];
  Times(kTimesAt, start_ns, stop_ns);
}

void RecordFile::ReplaceLastInt(int64_t v) {
  RANKSIGHT_REQUIRE(record_.size() >= 4);
  PutAt(uint64_t(v), 4, record_.data() + record_.size() - 4);
}

void RecordFile::Ints(std::span<const int64_t> values) {
  Int(int64_t(values.size()));
  for (const int64_t v : values) Int(v);
}

reduction::Status RecordFile::Commit(std::span<const int64_t> sizes) {
  Short(kEndOfCalls);
  const auto header = int64_t(size());
  for (const int64_t part : kVersion) Byte(part);
  Put(0, 8);  // when it began
  Text("ranksight");
  Text("ranksight");
  Int(0);  // no mesh: neither place nor size
  Int(0);
  const auto footer = int64_t(size());
  Put(kFooterMagic, 8);
  for (const uint32_t count : counts_) Int(count);
  for (size_t i = 0; i < counts_.size(); ++i) Int(0);  // calls left out
  const auto types = int64_t(size());
  Ints(sizes);
  const int64_t body = 8;
  Put(int64_t(kMagic), 8);
  for (const int64_t part :
       {types, kNoPart, kNoPart, header, body, footer, kNoPart}) {
    Put(part, 8);
  }
  Write();
  return file_.Commit();
}

}  // namespace ranksight::adapters::dumpi
