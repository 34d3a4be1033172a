#include <algorithm>
#include <string>
#include <utility>

#include "reduction/api/pause.h"
#include "reduction/codec/parts.h"

namespace ranksight::reduction {
namespace {

constexpr size_t kMaxFrames = 1024;  // deeper call paths are cut by recorders
constexpr size_t kMaxAdd = 7;        // frames added that fit into a head

bool IsPackedHex(const std::string& s) {
  return s.size() % 2 == 0 && std::all_of(s.begin(), s.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

int Digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

// Lower-case hex goes as bytes; anything else as it is. Head: 2 x bytes,
// + 1 for hex.
void WriteBuildId(const std::string& id, ByteWriter* out) {
  if (!IsPackedHex(id)) {
    out->Varint(id.size() << 1);
    for (const char c : id) out->U8(static_cast<uint8_t>(c));
    return;
  }
  out->Varint(id.size() / 2 << 1 | 1);
  for (size_t i = 0; i < id.size(); i += 2) {
    out->U8(static_cast<uint8_t>(Digit(id[i]) << 4 | Digit(id[i + 1])));
  }
}

std::string ReadBuildId(ByteReader* in) {
  const uint64_t head = in->Varint();
  std::string id;
  for (const uint8_t byte : in->Raw(head >> 1)) {
    if ((head & 1) == 0) {
      id.push_back(static_cast<char>(byte));
    } else {
      id.push_back("0123456789abcdef"[byte >> 4]);
      id.push_back("0123456789abcdef"[byte & 15]);
    }
  }
  return id;
}

// What a frame is written relative to: the frame at the same depth of the
// site before where there is one (a sibling in the tree of paths), else the
// frame that calls it.
Frame Reference(const std::vector<Frame>& before,
                const std::vector<Frame>& frames, size_t depth) {
  if (depth < before.size()) return before[depth];
  return depth > 0 ? frames[depth - 1] : Frame{};
}

void WriteFrame(const Frame& f, const Frame& reference, ByteWriter* out) {
  const uint64_t delta = Zigzag(f.offset - reference.offset);
  if (f.module == reference.module && delta < uint64_t{1} << 63) {
    return out->Varint(delta << 1);
  }
  out->Varint(uint64_t{f.module} << 1 | 1);
  out->Varint(f.offset);
}

Frame ReadFrame(const Frame& reference, uint64_t modules, ByteReader* in) {
  Frame f = reference;
  const uint64_t head = in->Varint();
  if ((head & 1) == 0) {
    f.offset = reference.offset + Unzigzag(head >> 1);
  } else {
    f.module = static_cast<uint32_t>(head >> 1);
    f.offset = in->Varint();
  }
  if ((head & 1) != 0 ? head >> 1 >= modules : f.module >= modules) {
    in->Fail("no such module");
  }
  return f;
}

// Head: 8 x frames dropped from the end of the site before + frames added,
// 7 when 7 or more; then what is above 7 follows.
void WritePath(const std::vector<Frame>& before,
               const std::vector<Frame>& frames, ByteWriter* out) {
  const auto [a, b] =
      std::mismatch(before.begin(), before.end(), frames.begin(), frames.end());
  const size_t shared = static_cast<size_t>(b - frames.begin());
  const size_t add = frames.size() - shared;
  out->Varint((before.size() - shared) * 8 + std::min(add, kMaxAdd));
  if (add >= kMaxAdd) out->Varint(add - kMaxAdd);
  for (size_t i = shared; i < frames.size(); ++i) {
    WriteFrame(frames[i], Reference(before, frames, i), out);
  }
}

std::vector<Frame> ReadPath(const std::vector<Frame>& before, uint64_t modules,
                            ByteReader* in) {
  std::vector<Frame> frames;
  const uint64_t head = in->Varint();
  const uint64_t drop = head / 8;
  // Three bits say how many frames are added, the largest of them that more are
  // told behind.
  uint64_t add = head % 8;
  if (add == kMaxAdd) add += in->Varint(kMaxFrames, "a call path");
  if (drop > before.size() || before.size() - drop + add > kMaxFrames) {
    in->Fail("a call path is too long or too short");
    return frames;
  }
  if (!in->Spend(before.size() - drop + add)) return frames;
  frames.assign(before.begin(), before.end() - static_cast<long>(drop));
  for (uint64_t i = 0; i < add && in->ok(); ++i) {
    frames.push_back(
        ReadFrame(Reference(before, frames, frames.size()), modules, in));
  }
  return frames;
}

}  // namespace

void WriteSites(const Sites& sites, ByteWriter* out) {
  out->Varint(sites.modules.size());
  for (const Module& m : sites.modules) {
    WriteBuildId(m.build_id, out);
    out->String(m.name);
  }
  out->Varint(sites.sites.size());
  std::vector<Frame> before;
  for (const CallSite& s : sites.sites) {
    Pause();
    std::vector<Frame> frames = s.frames;
    frames.resize(std::min(frames.size(), kMaxFrames));
    WritePath(before, frames, out);
    before = std::move(frames);
  }
}

Sites ReadSites(ByteReader* in) {
  Sites sites;
  const uint64_t modules = in->Varint(UINT32_MAX, "the number of modules");
  if (!in->Spend(modules)) return sites;
  for (uint64_t i = 0; i < modules && in->ok(); ++i) {
    Module m;
    m.build_id = ReadBuildId(in);
    m.name = in->String();
    sites.modules.push_back(std::move(m));
  }
  const uint64_t n = in->Varint(UINT32_MAX, "the number of call sites");
  if (!in->Spend(n)) return sites;
  std::vector<Frame> before;
  for (uint64_t i = 0; i < n && in->ok(); ++i) {
    Pause();
    // Paths share their outer frames with the one before: each is told by where
    // it differs.
    before = ReadPath(before, modules, in);
    sites.sites.push_back({before});
  }
  if (in->ok() && !in->at_end()) in->Fail("bytes after the call sites");
  return sites;
}

}  // namespace ranksight::reduction
