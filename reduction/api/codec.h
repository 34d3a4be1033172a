// Traces as bytes. reduction/FORMAT.md is normative.
//
// Readers treat every byte as hostile: any input gives a valid trace or a
// kBadInput error whose message starts with the byte offset ("123: why").
// Nothing larger than the input justifies is allocated.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

// The version that is written, and the newest that is read.
inline constexpr uint32_t kFormatVersion = 7;

enum class SketchForm : uint8_t {
  kFull,       // every bucket: between ranks, while a trace is being merged
  kQuantiles,  // fixed size: files
};

// Whether chunks may be compressed. Without, the bytes are more, but are made
// in steps so short that Pause() is met every few microseconds.
enum class Packing : uint8_t { kSmallest, kNone };

// Decode(Encode(t, kFull)) == t. With kQuantiles sketches keep exact moments
// and 15 quantiles; encoding what was decoded gives the same bytes again.
std::vector<uint8_t> Encode(const Trace& trace, SketchForm form,
                            Packing packing = Packing::kSmallest);
Result<Trace> Decode(std::span<const uint8_t> bytes);

// What stands before the calls of a trace. Of the rest only the checksums are
// looked at, so it costs what the file's bytes cost, not what they stand for.
struct TraceHead {
  Meta meta;
  Sites sites;
};
Result<TraceHead> DecodeHead(std::span<const uint8_t> bytes);

// What a file of it holds; kNo for a trace that no reader would take back.
Result<std::vector<uint8_t>> EncodeForFile(const Trace& trace);

// Whole files. Errors read "path:offset: why". WriteTraceFile writes beside
// and renames, or through to what is no file (/dev/null, a pipe that somebody
// reads). Both map system errors to kIo; no device is read. kNo for a trace
// that no reader would take back. kProcess: what is written outlives a kill of
// the process; kMachine: waits until it outlives a crash of the machine, too.
enum class Outlives : uint8_t { kProcess, kMachine };
Result<Trace> ReadTraceFile(const std::string& path);
Result<TraceHead> ReadTraceHead(const std::string& path);
Status WriteTraceFile(const Trace& trace, const std::string& path);
Status WriteFileAtomically(std::span<const uint8_t> bytes,
                           const std::string& path,
                           Outlives outlives = Outlives::kMachine);
Result<std::vector<uint8_t>> ReadWholeFile(const std::string& path);

// CRC-32C (Castagnoli) of bytes, as the format and the wire use it.
uint32_t Crc32c(std::span<const uint8_t> bytes, uint32_t seed = 0);

}  // namespace ranksight::reduction
