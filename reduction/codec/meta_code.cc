#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "reduction/codec/memory_code.h"
#include "reduction/codec/parts.h"

namespace ranksight::reduction {
namespace {

// Frozen numbers. A field that has its default is left out.
enum Field : uint64_t {
  kProgram = 1,
  kBuildId = 2,
  kJob = 3,
  kRanks = 4,
  kOrigin = 5,
  kStart = 6,
  kParams = 7,
  kIncomplete = 8,
  kCompleteUntil = 9,
  kElapsed = 10,
  kNotRecorded = 11,
  kPolls = 12,
  kLosses = 13,
  kLaws = 14,
  kEpochs = 15,
  kHost = 16,
  kOwnTime = 17,
  kEstimates = 18,
  kForecast = 19,
  kLaunch = 20,
  kMemory = 21,
  kMadeDims = 22,
};

template <class F>
void WriteField(Field tag, F write, ByteWriter* out) {
  ByteWriter payload;
  write(&payload);
  out->Varint(tag);
  out->Varint(payload.size());
  out->Raw(payload.bytes());
}

void WriteText(Field tag, const std::string& text, ByteWriter* out) {
  if (text.empty()) return;
  out->Varint(tag);
  out->String(text);
}

// Times and counters from outside can be anything, so they are plain 8 bytes.
void WriteWord(Field tag, int64_t v, ByteWriter* out) {
  if (v == 0) return;
  WriteField(
      tag, [v](ByteWriter* w) { w->U64(uint64_t(v)); }, out);
}

void WriteCounts(Field tag, const std::map<std::string, uint64_t>& counts,
                 ByteWriter* out) {
  if (counts.empty()) return;
  WriteField(
      tag,
      [&](ByteWriter* w) {
        for (const auto& [name, n] : counts) {
          w->String(name);
          w->Varint(n);
        }
      },
      out);
}

std::string Text(std::span<const uint8_t> raw) {
  return std::string(raw.begin(), raw.end());
}

template <class Map, class F>
void ReadMap(ByteReader* in, Map* map, F value) {
  while (in->ok() && !in->at_end()) {
    std::string key = in->String();
    auto v = value();
    if (!map->empty() && key <= map->rbegin()->first) {
      in->Fail("names are out of order");
    }
    if (in->ok()) map->emplace_hint(map->end(), std::move(key), std::move(v));
  }
}

void ReadCounts(ByteReader* in, std::map<std::string, uint64_t>* counts) {
  ReadMap(in, counts, [in] { return in->Varint(); });
}

void WriteEstimates(const std::vector<SiteEstimate>& estimates,
                    ByteWriter* out) {
  if (estimates.empty()) return;
  WriteField(
      kEstimates,
      [&](ByteWriter* w) {
        for (const SiteEstimate& e : estimates) {
          w->String(e.call);
          w->String(e.site);
          for (const double v : {e.messages, e.messages_width, e.bytes,
                                 e.bytes_width, e.partners, e.partners_width}) {
            w->Double(v);
          }
        }
      },
      out);
}

SiteEstimate ReadEstimate(ByteReader* in) {
  SiteEstimate e;
  e.call = in->String();
  e.site = in->String();
  for (double* v : {&e.messages, &e.messages_width, &e.bytes, &e.bytes_width,
                    &e.partners, &e.partners_width}) {
    *v = in->Double();
    if (in->ok() && *v < 0) in->Fail("an estimate is below 0");
  }
  return e;
}

void WriteForecast(const StatedForecast& forecast, ByteWriter* w) {
  w->Double(forecast.low_ns);
  w->Double(forecast.high_ns);
  for (const std::string* text :
       {&forecast.refused, &forecast.basis, &forecast.network}) {
    w->String(*text);
  }
}

StatedForecast ReadForecast(ByteReader* in) {
  StatedForecast forecast;
  for (double* ns : {&forecast.low_ns, &forecast.high_ns}) {
    *ns = in->Double();
    if (in->ok() && !(*ns >= 0)) in->Fail("a forecast is below 0");
  }
  for (std::string* text :
       {&forecast.refused, &forecast.basis, &forecast.network}) {
    *text = in->String();
  }
  return forecast;
}

void WriteLaunch(const Launch& launch, ByteWriter* w) {
  for (const std::string* text :
       {&launch.by, &launch.job_id, &launch.step, &launch.tasks_per_node}) {
    w->String(*text);
  }
  w->Varint(uint64_t(std::clamp<int64_t>(launch.nodes, 0, kMaxRanks)));
}

Launch ReadLaunch(ByteReader* in) {
  Launch launch;
  for (std::string* text :
       {&launch.by, &launch.job_id, &launch.step, &launch.tasks_per_node}) {
    *text = in->String();
  }
  launch.nodes = int64_t(in->Varint(uint64_t(kMaxRanks), "nodes"));
  return launch;
}

void WriteMadeDims(const std::vector<MadeDims>& all, ByteWriter* w) {
  for (const MadeDims& made : all) {
    w->Varint(uint64_t(made.nodes));
    w->Varint(made.dims.size());
    for (size_t d = 0; d < made.dims.size(); ++d) {
      w->Varint(uint64_t(made.asked[d]));
      w->Varint(uint64_t(made.dims[d]));
    }
  }
}

std::vector<MadeDims> ReadMadeDims(ByteReader* in) {
  std::vector<MadeDims> all;
  const auto number = [in] {
    return int64_t(in->Varint(uint64_t(kMaxRanks), "places of a grid"));
  };
  while (in->ok() && !in->at_end()) {
    // A recorder keeps no more, so more are damage.
    if (all.size() == kMostMadeDims) in->Fail("more grids than are kept");
    MadeDims made;
    made.nodes = number();
    const uint64_t sides = in->Varint(kMostMadeSides, "sides of a grid");
    for (uint64_t d = 0; in->ok() && d < sides; ++d) {
      made.asked.push_back(number());
      made.dims.push_back(number());
    }
    all.push_back(std::move(made));
  }
  return all;
}

void ReadField(uint64_t tag, std::span<const uint8_t> raw, ByteReader* in,
               Meta* meta) {
  switch (tag) {
    case kProgram:
      meta->program = Text(raw);
      return (void)in->Raw(raw.size());
    case kBuildId:
      meta->build_id = Text(raw);
      return (void)in->Raw(raw.size());
    case kJob:
      meta->job = Text(raw);
      return (void)in->Raw(raw.size());
    case kRanks:
      meta->ranks = int64_t(in->Varint(uint64_t(kMaxRanks), "ranks"));
      break;
    case kOrigin:
      meta->origin = static_cast<Origin>(in->Varint(1, "origin"));
      break;
    case kStart:
      meta->start_unix_ns = int64_t(in->U64());
      break;
    case kParams:
      return ReadMap(in, &meta->params, [in] { return in->String(); });
    case kIncomplete:
      meta->complete = false;
      break;
    case kCompleteUntil:
      meta->complete_until_ns = int64_t(in->U64());
      break;
    case kElapsed:
      meta->elapsed = ReadMoments(in);
      break;
    case kNotRecorded:
      return ReadCounts(in, &meta->not_recorded);
    case kPolls:
      return ReadCounts(in, &meta->polls);
    case kLosses:
      return ReadCounts(in, &meta->losses);
    case kLaws:
      while (in->ok() && !in->at_end()) meta->laws.push_back(in->String());
      break;
    case kEstimates:
      while (in->ok() && !in->at_end()) {
        meta->estimates.push_back(ReadEstimate(in));
      }
      break;
    case kForecast:
      meta->forecast = ReadForecast(in);
      break;
    case kLaunch:
      meta->launch = ReadLaunch(in);
      break;
    case kMemory:
      meta->memory = ReadMemory(in);
      break;
    case kMadeDims:
      meta->made_dims = ReadMadeDims(in);
      break;
    case kEpochs:
      meta->epochs = int64_t(in->Varint(uint64_t(INT64_MAX), "epochs"));
      break;
    case kHost:
      meta->host_cores = int64_t(in->Varint(uint64_t(kMaxRanks), "cores"));
      meta->host_ranks = int64_t(in->Varint(uint64_t(kMaxRanks), "ranks"));
      break;
    case kOwnTime:
      meta->own_time = true;
      break;
    default:
      // A field of a later writer: nothing older depends on it.
      (void)in->Raw(raw.size());
  }
}

}  // namespace

void WriteMeta(const Meta& meta, ByteWriter* out) {
  WriteText(kProgram, meta.program, out);
  WriteText(kBuildId, meta.build_id, out);
  WriteText(kJob, meta.job, out);
  const auto number = [out](Field tag, uint64_t v) {
    WriteField(
        tag, [v](ByteWriter* w) { w->Varint(v); }, out);
  };
  const int64_t ranks = std::clamp<int64_t>(meta.ranks, 0, kMaxRanks);
  number(kRanks, static_cast<uint64_t>(ranks));
  if (meta.origin != Origin::kRecorded) {
    number(kOrigin, static_cast<uint64_t>(meta.origin));
  }
  WriteWord(kStart, meta.start_unix_ns, out);
  if (!meta.params.empty()) {
    WriteField(
        kParams,
        [&](ByteWriter* w) {
          for (const auto& [name, value] : meta.params) {
            w->String(name);
            w->String(value);
          }
        },
        out);
  }
  if (!meta.complete)
    WriteField(
        kIncomplete, [](ByteWriter*) {}, out);
  WriteWord(kCompleteUntil, meta.complete_until_ns, out);
  if (meta.elapsed.count != 0) {
    WriteField(
        kElapsed, [&](ByteWriter* w) { WriteMoments(meta.elapsed, w); }, out);
  }
  WriteCounts(kNotRecorded, meta.not_recorded, out);
  WriteCounts(kPolls, meta.polls, out);
  WriteCounts(kLosses, meta.losses, out);
  if (!meta.laws.empty()) {
    WriteField(
        kLaws,
        [&](ByteWriter* w) {
          for (const std::string& law : meta.laws) w->String(law);
        },
        out);
  }
  if (meta.epochs > 0) number(kEpochs, static_cast<uint64_t>(meta.epochs));
  const int64_t cores = std::clamp<int64_t>(meta.host_cores, 0, kMaxRanks);
  const int64_t here = std::clamp<int64_t>(meta.host_ranks, 0, kMaxRanks);
  if (cores > 0 || here > 0) {
    WriteField(
        kHost,
        [&](ByteWriter* w) {
          w->Varint(uint64_t(cores));
          w->Varint(uint64_t(here));
        },
        out);
  }
  if (meta.own_time)
    WriteField(
        kOwnTime, [](ByteWriter*) {}, out);
  WriteEstimates(meta.estimates, out);
  if (meta.forecast) {
    WriteField(
        kForecast, [&](ByteWriter* w) { WriteForecast(*meta.forecast, w); },
        out);
  }
  if (meta.launch != Launch()) {
    WriteField(
        kLaunch, [&](ByteWriter* w) { WriteLaunch(meta.launch, w); }, out);
  }
  if (meta.memory != RunMemory()) {
    WriteField(
        kMemory, [&](ByteWriter* w) { WriteMemory(meta.memory, w); }, out);
  }
  if (meta.made_dims) {
    WriteField(
        kMadeDims, [&](ByteWriter* w) { WriteMadeDims(*meta.made_dims, w); },
        out);
  }
}

Meta ReadMeta(ByteReader* in) {
  Meta meta;
  uint64_t last = 0;
  while (in->ok() && !in->at_end()) {
    const uint64_t tag = in->Varint();
    if (tag <= last) in->Fail("fields are out of order");
    last = tag;
    const uint64_t size = in->Varint();
    const uint64_t offset = in->offset();
    const auto raw = in->Raw(size);
    if (!in->ok()) break;
    // A reader of its own, so that no field reads beyond its end; fields that
    // are not known are passed over.
    ByteReader field(raw, offset, 0);
    ReadField(tag, raw, &field, &meta);
    if (field.ok() && !field.at_end()) field.Fail("a field is too long");
    if (!field.ok()) in->Adopt(field.status());
  }
  return meta;
}

}  // namespace ranksight::reduction
