#include "adapters/base/deflate.h"

#ifdef RANKSIGHT_HAVE_ZLIB
#include <zlib.h>
#endif

#include <algorithm>
#include <array>
#include <new>
#include <utility>

namespace ranksight::adapters {

std::string_view GzipHead() {
  // Deflate, no name, no time, any system.
  constexpr std::string_view kHead("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
  return kHead;
}

std::string GzipTail(const Unpacked& all) {
  // The last block, empty; then both numbers, lowest byte first.
  std::string tail("\x03\0", 2);
  for (const uint64_t number : {uint64_t(all.crc), all.bytes}) {
    for (int byte = 0; byte < 4; ++byte) tail += char(number >> 8 * byte);
  }
  return tail;
}

#ifdef RANKSIGHT_HAVE_ZLIB

struct Deflater::State {
  z_stream stream = {};
  Unpacked part;
  std::array<char, 1 << 16> room;

  void Run(int flush, std::string* out) {
    do {
      stream.next_out = reinterpret_cast<Bytef*>(room.data());
      stream.avail_out = uInt(room.size());
      deflate(&stream, flush);  // it can fail on wrong use alone
      out->append(room.data(), room.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
};

bool Deflater::IsThere() { return true; }

Deflater::Deflater() : state_(std::make_unique<State>()) {
  // Raw, at the fastest level: a timeline is a fifteenth by then, and level 6
  // takes half as long again for a quarter less.
  const int begun = deflateInit2(&state_->stream, Z_BEST_SPEED, Z_DEFLATED,
                                 -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  if (begun != Z_OK) throw std::bad_alloc();  // it fails for no other reason
}

Deflater::~Deflater() { deflateEnd(&state_->stream); }

void Deflater::Add(std::string_view bytes, std::string* out) {
  constexpr size_t kMost = 1 << 30;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kMost))) {
    const std::string_view some = bytes.substr(0, kMost);
    state_->stream.next_in =
        reinterpret_cast<Bytef*>(const_cast<char*>(some.data()));
    state_->stream.avail_in = uInt(some.size());
    state_->part.crc = uint32_t(crc32(state_->part.crc, state_->stream.next_in,
                                      state_->stream.avail_in));
    state_->part.bytes += some.size();
    state_->Run(Z_NO_FLUSH, out);
  }
}

Unpacked Deflater::EndPart(std::string* out) {
  state_->Run(Z_SYNC_FLUSH, out);
  deflateReset(&state_->stream);
  return std::exchange(state_->part, {});
}

void Unpacked::Append(const Unpacked& behind) {
  crc = uint32_t(crc32_combine(crc, behind.crc, z_off_t(behind.bytes)));
  bytes += behind.bytes;
}

#else

struct Deflater::State {};
bool Deflater::IsThere() { return false; }
Deflater::Deflater() = default;
Deflater::~Deflater() = default;
void Deflater::Add(std::string_view, std::string*) {}
Unpacked Deflater::EndPart(std::string*) { return {}; }
void Unpacked::Append(const Unpacked&) {}

#endif

}  // namespace ranksight::adapters
