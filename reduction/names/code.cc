#include <algorithm>
#include <climits>
#include <map>
#include <string>
#include <utility>

#include "reduction/api/names.h"
#include "reduction/base/bytes.h"
#include "reduction/codec/container.h"

namespace ranksight::reduction {
namespace {

// What a payload may be made into, for each of its bytes: a place is three
// varints, and a text may be named by many.
constexpr uint64_t kBudgetPerByte = 64;
constexpr uint64_t kMostLine = INT_MAX;

// Functions and files, each once.
class TextTable {
 public:
  uint64_t IndexOf(const std::string& text) {
    const auto [at, is_new] = indices_.emplace(text, texts_.size());
    if (is_new) texts_.push_back(text);
    return at->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::map<std::string, uint64_t> indices_;
  std::vector<std::string> texts_;
};

void WriteFrames(const Names::Frames& frames, TextTable* texts,
                 ByteWriter* out) {
  out->Varint(frames.size());
  uint64_t before = 0;
  for (const auto& [offset, places] : frames) {
    out->Varint(offset - before);
    before = offset;
    out->Varint(places.size());
    for (const SourcePlace& place : places) {
      out->Varint(texts->IndexOf(place.function));
      out->Varint(texts->IndexOf(place.file));
      out->Varint(uint64_t(std::max(0, place.line)));
    }
  }
}

std::string ReadText(const std::vector<std::string>& texts, ByteReader* in) {
  const uint64_t index = in->Varint();
  if (in->ok() && index >= texts.size()) in->Fail("no such text");
  // Copies count, too: one long text may be named often.
  if (!in->ok() || !in->Spend(1 + texts[index].size())) return "";
  return texts[index];
}

std::vector<SourcePlace> ReadPlaces(const std::vector<std::string>& texts,
                                    ByteReader* in) {
  std::vector<SourcePlace> places;
  const uint64_t n = in->Varint();
  if (n == 0) in->Fail("a frame without a name");
  for (uint64_t i = 0; i < n && in->ok(); ++i) {
    SourcePlace place;
    place.function = ReadText(texts, in);
    place.file = ReadText(texts, in);
    place.line = int(in->Varint(kMostLine, "a line"));
    places.push_back(std::move(place));
  }
  return places;
}

void ReadFrames(const std::vector<std::string>& texts, ByteReader* in,
                Names::Frames* frames) {
  const uint64_t n = in->Varint();
  uint64_t offset = 0;
  for (uint64_t i = 0; i < n && in->ok(); ++i) {
    const uint64_t more = in->Varint();
    if (in->ok() && ((i > 0 && more == 0) || more > UINT64_MAX - offset)) {
      in->Fail("frames are out of order");
    }
    offset += more;
    frames->emplace(offset, ReadPlaces(texts, in));
  }
}

}  // namespace

const std::vector<SourcePlace>* Names::Find(const Module& module,
                                            uint64_t offset) const {
  const auto frames = modules.find(module.build_id);
  if (module.build_id.empty() || frames == modules.end()) return nullptr;
  const auto at = frames->second.find(offset);
  return at == frames->second.end() ? nullptr : &at->second;
}

void Names::Add(const Names& other) {
  for (const auto& [id, frames] : other.modules) {
    modules[id].insert(frames.begin(), frames.end());
  }
}

std::vector<uint8_t> EncodeNames(const Names& names) {
  TextTable texts;
  ByteWriter modules;
  modules.Varint(names.modules.size());
  for (const auto& [id, frames] : names.modules) {
    modules.String(id);
    WriteFrames(frames, &texts, &modules);
  }
  ByteWriter out;
  out.Varint(texts.texts().size());
  for (const std::string& text : texts.texts()) out.String(text);
  out.Raw(modules.bytes());
  return out.Take();
}

Result<Names> DecodeNames(std::span<const uint8_t> bytes) {
  ByteReader in(bytes, 0, kBudgetPerByte * bytes.size());
  std::vector<std::string> texts;
  for (uint64_t n = in.Varint(); n > 0 && in.ok(); --n) {
    texts.push_back(in.String());
  }
  Names names;
  std::string before;
  for (uint64_t n = in.Varint(); n > 0 && in.ok(); --n) {
    const std::string id = in.String();
    // Ascending, so that names have one form only.
    if (in.ok() && id <= before) in.Fail("modules are out of order");
    ReadFrames(texts, &in, &names.modules[id]);
    before = id;
  }
  if (in.ok() && !in.at_end()) in.Fail("bytes after the names");
  if (!in.ok()) return in.status();
  return names;
}

Result<Names> NamesOf(std::span<const uint8_t> trace) {
  const auto container = ReadContainer(trace);
  if (!container.ok()) return container.status();
  const auto chunk = container->chunks.find(ChunkTag::kNames);
  if (chunk == container->chunks.end()) return Names();
  auto names = DecodeNames(chunk->second.payload);
  if (!names.ok()) return Relocate(names.status(), chunk->second);
  return names;
}

Result<std::vector<uint8_t>> ReplaceNames(std::span<const uint8_t> trace,
                                          const Names& names) {
  const auto where = FindChunk(trace, ChunkTag::kNames);
  if (!where.ok()) return where.status();
  ByteWriter out;
  out.Raw(trace.first(where->begin));
  if (!names.empty()) {
    WriteChunk(ChunkTag::kNames, EncodeNames(names), Effort::kSmall, &out);
  }
  out.Raw(trace.subspan(where->end));
  return out.Take();
}

}  // namespace ranksight::reduction
