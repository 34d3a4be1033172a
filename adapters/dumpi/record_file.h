// RecordFile: one rank's file of a DUMPI trace (sst-dumpi, version 13 of its
// format): a magic number, the calls, what closes the file, and an index of
// where its parts begin. All numbers are big-endian.
//
// A call is its number, what is kept of it (here its times, twice), and its
// arguments in the order of the C call.
// Memory: constant. Thread-safety: one thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "adapters/base/output_file.h"

namespace ranksight::adapters::dumpi {

class RecordFile {
 public:
  explicit RecordFile(const std::string& path);

  // The arguments follow. Times in ns since the run began.
  void BeginCall(int number, int64_t start_ns, int64_t stop_ns);
  // The call begun last, as far as it is written.
  std::string_view record() const { return record_; }
  // A call whose record was that one, at another time.
  void Repeat(std::string_view record, int64_t start_ns, int64_t stop_ns);
  // Takes the place of an argument at the end of the call begun last.
  void ReplaceLastInt(int64_t v);
  void Byte(int64_t v) { Put(v, 1); }
  void Short(int64_t v) { Put(v, 2); }
  void Int(int64_t v) { Put(v, 4); }
  void Ints(std::span<const int64_t> values);
  // sizes: bytes of each type, by its number. Writes the rest.
  [[nodiscard]] reduction::Status Commit(std::span<const int64_t> sizes);

 private:
  static constexpr int kCalls = 290;  // numbers the format has
  void Put(int64_t v, size_t bytes);
  void Text(const std::string& text);
  void Times(size_t at, int64_t start_ns, int64_t stop_ns);
  // To the file.
  void Write();
  uint64_t size() const { return file_.size() + record_.size(); }

  OutputFile file_;
  std::string record_;  // what is not in the file yet
  std::array<uint32_t, kCalls + 1> counts_{};
};

}  // namespace ranksight::adapters::dumpi
