#include <map>
#include <utility>

#include "reduction/api/codec.h"
#include "reduction/api/distribution.h"
#include "reduction/api/pause.h"
#include "reduction/codec/container.h"
#include "reduction/codec/parameter_reader.h"
#include "reduction/codec/parts.h"

namespace ranksight::reduction {
namespace {

constexpr int kMaxNodeDepth = 200;

// Elements (terms, columns, frames, nodes) a byte of input may stand for,
// and what even the smallest input may. Real traces need a few per byte;
// an element takes 50 to 100 bytes of memory.
constexpr uint64_t kElementsPerByte = 64;
constexpr uint64_t kElementsFree = 1 << 14;

uint64_t BudgetOf(uint64_t bytes) {
  return kElementsFree + kElementsPerByte * bytes;
}

class NodeReader {
 public:
  NodeReader(ParameterReader* parameters, uint64_t version, size_t sites,
             ByteReader* in)
      : parameters_(parameters), version_(version), sites_(sites), in_(in) {}

  void Children(Node* loop, int depth) {
    const uint64_t n = in_->Varint();
    if (depth > 0 && n == 0) in_->Fail("a loop without a body");
    if (depth >= kMaxNodeDepth) in_->Fail("loops nest too deeply");
    if (!in_->Spend(n)) return;
    for (uint64_t i = 0; i < n && in_->ok(); ++i) {
      loop->children.emplace_back();
      Read(&loop->children.back(), depth + 1);
    }
  }

 private:
  void Read(Node* node, int depth) {
    Pause();
    const uint64_t head = in_->Varint(UINT16_MAX, "the number of a call");
    if (!in_->ok()) return;
    if (head == 0) {
      node->kind = Node::Kind::kLoop;
      node->trips = Trips();
      return Children(node, depth);
    }
    const CallInfo* info = FindCall(static_cast<uint16_t>(head));
    if (info == nullptr) {
      in_->Fail("no such call");
      return;
    }
    node->kind = Node::Kind::kEvent;
    node->call = info->call;
    last_site_ += in_->Signed();
    if (last_site_ < 0 || last_site_ >= static_cast<int64_t>(sites_)) {
      in_->Fail("no such call site");
      return;
    }
    node->site = static_cast<uint32_t>(last_site_);
    node->trips = Trips();
    node->params.reserve(info->params.size());
    for (size_t i = 0; i < info->params.size() && in_->ok(); ++i) {
      // It stands behind the number of requests passed, which it was before.
      if (info->params[i] == Param::kOpenCount && version_ < kOpenCounted) {
        node->params.push_back(
            ParameterReader::CopyOf(node->params.back(), in_));
        continue;
      }
      node->params.push_back(parameters_->Read(in_));
      if (node->params.back().distribution() != nullptr &&
          !IsAmount(info->params[i])) {
        in_->Fail("a distribution of what is no amount");
      }
    }
  }

  Parameter Trips() {
    Parameter trips = parameters_->Read(in_);
    if (trips.distribution() != nullptr) {
      in_->Fail("a distribution of trip counts");
    }
    for (const ParameterPiece& piece : trips.pieces()) {
      for (size_t i = 0; i < piece.columns.size(); i += 3) {
        if (piece.columns[i].values.Min() < 0) {
          in_->Fail("a trip count is negative");
        }
      }
    }
    return trips;
  }

  ParameterReader* parameters_;
  uint64_t version_;
  size_t sites_;
  ByteReader* in_;
  int64_t last_site_ = -1;
};

// Reads one chunk with f(reader), which must consume all of it.
template <class F>
Status ReadPart(const std::map<ChunkTag, Chunk>& chunks, ChunkTag tag,
                uint64_t end, F f) {
  const auto it = chunks.find(tag);
  if (it == chunks.end()) {
    return Status::BadInput(std::to_string(end) + ": chunk " +
                            std::to_string(static_cast<int>(tag)) +
                            " is missing");
  }
  const Chunk& chunk = it->second;
  ByteReader in(chunk.payload, chunk.compressed ? 0 : chunk.offset,
                BudgetOf(chunk.payload.size()));
  f(&in);
  if (in.ok() && !in.at_end()) in.Fail("bytes after the end of a chunk");
  return in.ok() ? Status::Ok() : Relocate(in.status(), chunk);
}

Status ReadTree(const Container& file, uint64_t end, Trace* trace) {
  return ReadPart(file.chunks, ChunkTag::kTree, end, [&](ByteReader* in) {
    ParameterReader parameters(trace->meta.ranks, file.version);
    parameters.ReadTables(in);
    NodeReader(&parameters, file.version, trace->sites.sites.size(), in)
        .Children(&trace->root, 0);
    parameters.Discard();
  });
}

Status ReadTimes(const Container& file, uint64_t end, Trace* trace) {
  const auto& chunks = file.chunks;
  const bool small = chunks.count(ChunkTag::kTimesFull) == 0;
  const ChunkTag tag = small ? ChunkTag::kTimesQuantiles : ChunkTag::kTimesFull;
  return ReadPart(chunks, tag, end, [&](ByteReader* in) {
    TimesReader reader(small, file.version, in);
    ForEachEvent(trace->root, [&](Node& n) {
      Pause();
      if (in->ok()) reader.Read(&n.times);
    });
  });
}

Status ReadPredecessors(const Container& file, uint64_t end, Trace* trace) {
  const auto& chunks = file.chunks;
  if (chunks.count(ChunkTag::kPredecessors) == 0) return Status::Ok();
  const bool small = chunks.count(ChunkTag::kTimesFull) == 0;
  return ReadPart(chunks, ChunkTag::kPredecessors, end, [&](ByteReader* in) {
    AfterReader reader(small, trace->sites.sites.size(), in);
    ForEachEvent(trace->root, [&](Node& n) {
      Pause();
      if (in->ok()) reader.Read(&n);
    });
  });
}

Status ReadLaws(const Container& file, uint64_t end, Trace* trace) {
  if (file.chunks.count(ChunkTag::kLaws) == 0) return Status::Ok();
  return ReadPart(file.chunks, ChunkTag::kLaws, end, [&](ByteReader* in) {
    if (in->at_end()) in->Fail("a chunk of laws without any");
    while (in->ok() && !in->at_end()) {
      Pause();
      trace->law_code.push_back(static_cast<int64_t>(Unzigzag(in->Varint())));
    }
  });
}

Result<TraceHead> ReadHead(const Container& file, uint64_t end) {
  TraceHead head;
  Status status = ReadPart(file.chunks, ChunkTag::kMeta, end,
                           [&](ByteReader* in) { head.meta = ReadMeta(in); });
  if (!status.ok()) return status;
  status = ReadPart(file.chunks, ChunkTag::kSites, end,
                    [&](ByteReader* in) { head.sites = ReadSites(in); });
  if (!status.ok()) return status;
  return head;
}

}  // namespace

Result<TraceHead> DecodeHead(std::span<const uint8_t> bytes) {
  const Result<Container> file = ReadContainer(bytes);
  if (!file.ok()) return file.status();
  return ReadHead(*file, bytes.size());
}

Result<Trace> Decode(std::span<const uint8_t> bytes) {
  const Result<Container> file = ReadContainer(bytes);
  if (!file.ok()) return file.status();
  const uint64_t end = bytes.size();
  Result<TraceHead> head = ReadHead(*file, end);
  if (!head.ok()) return head.status();
  Trace trace;
  trace.meta = std::move(head->meta);
  trace.sites = std::move(head->sites);
  Status status;
  // In this order: each part needs what those before it said.
  if (status = ReadTree(*file, end, &trace); !status.ok()) return status;
  if (status = ReadTimes(*file, end, &trace); !status.ok()) return status;
  if (status = ReadPredecessors(*file, end, &trace); !status.ok()) {
    return status;
  }
  if (status = ReadLaws(*file, end, &trace); !status.ok()) return status;
  return trace;
}

}  // namespace ranksight::reduction
