#include "adapters/dumpi/record_file.h"

namespace ranksight::adapters::dumpi {
namespace {

constexpr uint64_t kMagic = 0xffaadd44554d5049;  // ..."DUMPI"
constexpr int64_t kFooterMagic = 0xf007fee7;
constexpr int kEndOfCalls = 293;
constexpr int kCpuTime = 4, kWallTime = 8;  // what a call keeps
constexpr int64_t kVersion[] = {13, 0, 0};
constexpr int64_t kNoPart = 0;  // in the index

}  // namespace

RecordFile::RecordFile(const std::string& path) : file_(path) {
  Put(int64_t(kMagic), 8);
  // Seconds that all times, of either clock, leave out.
  Int(0);
  Int(0);
}

void RecordFile::Put(int64_t v, int bytes) {
  char text[8];
  for (int i = 0; i < bytes; ++i) {
    text[i] = char(uint64_t(v) >> (8 * (bytes - 1 - i)));
  }
  file_.Write(std::string_view(text, size_t(bytes)));
}

void RecordFile::Time(int64_t ns) {
  Short(ns / 1000000000);
  Int(ns % 1000000000);
}

void RecordFile::Text(const std::string& text) {
  Short(int64_t(text.size()));
  file_.Write(text);
}

void RecordFile::BeginCall(int number, int64_t start_ns, int64_t stop_ns) {
  ++counts_[size_t(number)];
  Short(number);
  Byte(kCpuTime | kWallTime);
  for (int clock = 0; clock < 2; ++clock) {
    Time(start_ns);
    Time(stop_ns);
  }
}

void RecordFile::Ints(std::span<const int64_t> values) {
  Int(int64_t(values.size()));
  for (const int64_t v : values) Int(v);
}

reduction::Status RecordFile::Commit(std::span<const int64_t> sizes) {
  Short(kEndOfCalls);
  const auto header = int64_t(file_.size());
  for (const int64_t part : kVersion) Byte(part);
  Put(0, 8);  // when it began
  Text("ranksight");
  Text("ranksight");
  Int(0);  // no mesh: neither place nor size
  Int(0);
  const auto footer = int64_t(file_.size());
  Put(kFooterMagic, 8);
  for (const uint32_t count : counts_) Int(count);
  for (size_t i = 0; i < counts_.size(); ++i) Int(0);  // calls left out
  const auto types = int64_t(file_.size());
  Ints(sizes);
  const int64_t body = 8;
  Put(int64_t(kMagic), 8);
  for (const int64_t part :
       {types, kNoPart, kNoPart, header, body, footer, kNoPart}) {
    Put(part, 8);
  }
  return file_.Commit();
}

}  // namespace ranksight::adapters::dumpi
