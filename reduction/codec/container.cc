#include "reduction/codec/container.h"

#include <zstd.h>

#include <algorithm>
#include <utility>

#include "reduction/api/codec.h"

namespace ranksight::reduction {
namespace {

// As in PNG: shows transfers that change line ends or drop the eighth bit.
constexpr uint8_t kMagic[] = {0x89, 'R', 'S', 'T', '\r', '\n', 0x1a, '\n'};

// A zstd frame may claim a content this many times its size, plus kSlack.
// Writers keep to it; without it 20 bytes could demand gigabytes.
constexpr uint64_t kMaxRatio = 1024;
constexpr uint64_t kSlack = 4096;
constexpr uint64_t kMaxRaw = uint64_t{1} << 30;

// Below it a frame's own header eats the gain.
constexpr size_t kLeastSmall = 48;
// Between ranks time counts more than bytes until a message is large.
constexpr size_t kLeastFast = size_t{64} << 10;

bool IsVersion(uint64_t v) {
  return v == 1 || v == kDistributions || v == kFirstsRepeated ||
         v == kFormatVersion;
}

bool Justified(uint64_t raw, uint64_t stored) {
  return raw <= kMaxRaw && raw <= stored * kMaxRatio + kSlack;
}

int LevelOf(size_t size, Effort effort) {
  if (effort == Effort::kFast) return 1;
  return size <= (size_t{32} << 10) ? 12 : size <= (size_t{1} << 20) ? 9 : 3;
}

// Empty when it does not get shorter.
std::vector<uint8_t> Compress(std::span<const uint8_t> raw, Effort effort) {
  if (effort == Effort::kNone) return {};
  const size_t least = effort == Effort::kFast ? kLeastFast : kLeastSmall;
  if (raw.size() < least || raw.size() > kMaxRaw) return {};
  std::vector<uint8_t> packed(ZSTD_compressBound(raw.size()));
  const size_t n = ZSTD_compress(packed.data(), packed.size(), raw.data(),
                                 raw.size(), LevelOf(raw.size(), effort));
  if (ZSTD_isError(n) != 0 || !Justified(raw.size(), n)) return {};
  const size_t size_field = static_cast<size_t>(VarintSize(raw.size()));
  if (n + size_field >= raw.size()) return {};
  packed.resize(n);
  return packed;
}

bool Decompress(std::span<const uint8_t> packed, uint64_t raw_size,
                ByteReader* in, std::vector<uint8_t>* raw) {
  if (!Justified(raw_size, packed.size())) {
    return in->Fail("a chunk claims more than its size justifies");
  }
  raw->resize(raw_size);
  const size_t n =
      ZSTD_decompress(raw->data(), raw->size(), packed.data(), packed.size());
  if (ZSTD_isError(n) != 0 || n != raw_size) {
    return in->Fail("a compressed chunk is damaged");
  }
  return true;
}

void ReadChunk(std::span<const uint8_t> bytes, ByteReader* in, ChunkTag* tag,
               Chunk* chunk) {
  const uint64_t start = in->offset();
  *tag = static_cast<ChunkTag>(in->U8());
  const uint8_t form = in->U8();
  if (form > 1) in->Fail("unknown form of a chunk");
  chunk->compressed = form == 1;
  const uint64_t stored = in->Varint();
  const uint64_t raw = chunk->compressed ? in->Varint() : stored;
  chunk->offset = in->offset();
  const auto payload = in->Raw(stored);
  const uint64_t end = in->offset();
  const uint32_t crc = in->U32();
  // The checksum is over what is stored, before anything in it is believed.
  if (!in->ok()) return;
  if (crc != Crc32c(bytes.subspan(start, end - start))) {
    in->Fail("the checksum of a chunk is wrong");
  } else if (chunk->compressed) {
    Decompress(payload, raw, in, &chunk->payload);
  } else {
    chunk->payload.assign(payload.begin(), payload.end());
  }
}

// Calls visit(tag, offset of the chunk, chunk, what reads) for each, the end
// included.
template <class Visit>
Status ForEachChunk(std::span<const uint8_t> bytes, uint64_t* version,
                    const Visit& visit) {
  ByteReader in(bytes, 0, 0);
  const auto magic = in.Raw(sizeof kMagic);
  if (!in.ok() || !std::equal(magic.begin(), magic.end(), kMagic)) {
    return Status::BadInput("0: not a trace file");
  }
  *version = in.Varint();
  if (in.ok() && !IsVersion(*version)) {
    in.Fail("format version " + std::to_string(*version) + " is not known");
  }
  ChunkTag tag = ChunkTag::kMeta;
  do {
    Chunk chunk;
    const uint64_t begin = in.offset();
    ReadChunk(bytes, &in, &tag, &chunk);
    if (!in.ok()) return in.status();
    visit(tag, begin, &chunk, &in);
  } while (in.ok() && tag != ChunkTag::kEnd);
  // A file that goes on behind its end was not written by us.
  if (in.ok() && !in.at_end()) in.Fail("bytes after the end");
  return in.status();
}

}  // namespace

void WriteHeader(ByteWriter* out) {
  out->Raw(kMagic);
  out->Varint(kFormatVersion);
}

void WriteChunk(ChunkTag tag, std::span<const uint8_t> payload, Effort effort,
                ByteWriter* out) {
  const std::vector<uint8_t> packed = Compress(payload, effort);
  const size_t start = out->size();
  out->U8(static_cast<uint8_t>(tag));
  out->U8(packed.empty() ? 0 : 1);
  if (packed.empty()) {
    out->Varint(payload.size());
    out->Raw(payload);
  } else {
    out->Varint(packed.size());
    out->Varint(payload.size());
    out->Raw(packed);
  }
  out->U32(Crc32c(std::span(out->bytes()).subspan(start)));
}

Result<Container> ReadContainer(std::span<const uint8_t> bytes) {
  Container container;
  auto& chunks = container.chunks;
  const Status read = ForEachChunk(
      bytes, &container.version,
      [&](ChunkTag tag, uint64_t, Chunk* chunk, ByteReader* in) {
        if (tag > ChunkTag::kNames) return;
        // Newer writers add chunks from kFirstOptional on, which may be passed
        // over; all below are needed to understand the rest.
        if (tag > ChunkTag::kTimesQuantiles && tag < ChunkTag::kFirstOptional) {
          in->Fail("unknown chunk");
        }
        if (tag == ChunkTag::kEnd) return;
        if (!chunks.empty() && tag <= chunks.rbegin()->first) {
          in->Fail("chunks are out of order");
        }
        chunks.emplace(tag, std::move(*chunk));
      });
  if (!read.ok()) return read;
  return container;
}

Result<ChunkPlace> FindChunk(std::span<const uint8_t> bytes, ChunkTag wanted) {
  ChunkPlace place;
  bool is_found = false;
  uint64_t version = 0;
  const Status read =
      ForEachChunk(bytes, &version,
                   [&](ChunkTag tag, uint64_t begin, Chunk*, ByteReader* in) {
                     if (is_found || (tag < wanted && tag != ChunkTag::kEnd))
                       return;
                     is_found = true;
                     place = {begin, tag == wanted ? in->offset() : begin};
                   });
  if (!read.ok()) return read;
  return place;
}

Status Relocate(const Status& error, const Chunk& chunk) {
  if (!chunk.compressed) return error;
  const std::string& m = error.message();
  const size_t colon = std::min(m.find(':'), m.size());
  return Status::BadInput(std::to_string(chunk.offset) + m.substr(colon) +
                          " (byte " + m.substr(0, colon) +
                          " of the uncompressed chunk)");
}

}  // namespace ranksight::reduction
