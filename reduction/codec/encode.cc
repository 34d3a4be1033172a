#include "reduction/api/codec.h"
#include "reduction/api/pause.h"
#include "reduction/codec/container.h"
#include "reduction/codec/parameter_writer.h"
#include "reduction/codec/parts.h"

namespace ranksight::reduction {
namespace {

void CollectNode(const Node& node, ParameterWriter* parameters) {
  Pause();
  parameters->Collect(node.trips);
  for (const Parameter& p : node.params) parameters->Collect(p);
  for (const Node& child : node.children) CollectNode(child, parameters);
}

// Head 0: a loop, with its number of children; else the number of a call.
class NodeWriter {
 public:
  NodeWriter(ParameterWriter* parameters, ByteWriter* out)
      : parameters_(parameters), out_(out) {}

  void Children(const Node& loop) {
    out_->Varint(loop.children.size());
    for (const Node& child : loop.children) Write(child);
  }

 private:
  void Write(const Node& node) {
    Pause();
    if (!node.is_event()) {
      out_->Varint(0);
      parameters_->Write(node.trips, out_);
      return Children(node);
    }
    out_->Varint(static_cast<uint64_t>(node.call));
    // Sites stand in code order, so the next event's is mostly near.
    out_->Signed(int64_t{node.site} - last_site_);
    last_site_ = node.site;
    parameters_->Write(node.trips, out_);
    for (const Parameter& p : node.params) parameters_->Write(p, out_);
  }

  ParameterWriter* parameters_;
  ByteWriter* out_;
  int64_t last_site_ = -1;
};

// Left out where nothing is known of them.
void WritePredecessors(const Trace& trace, bool small, Effort effort,
                       ByteWriter* out) {
  ByteWriter payload;
  AfterWriter writer(small, &payload);
  bool known = false;
  ForEachEvent(trace.root, [&](const Node& n) {
    Pause();
    known |= HasPredecessors(n.times);
    writer.Write(n);
  });
  if (!known) return;
  WriteChunk(ChunkTag::kPredecessors, payload.bytes(), effort, out);
}

void WriteLaws(const Trace& trace, Effort effort, ByteWriter* out) {
  if (trace.law_code.empty()) return;
  ByteWriter payload;
  for (const int64_t number : trace.law_code) {
    Pause();
    payload.Varint(Zigzag(static_cast<uint64_t>(number)));
  }
  WriteChunk(ChunkTag::kLaws, payload.bytes(), effort, out);
}

}  // namespace

std::vector<uint8_t> Encode(const Trace& trace, SketchForm form,
                            Packing packing) {
  const bool small = form == SketchForm::kQuantiles;
  const Effort effort = packing == Packing::kNone ? Effort::kNone
                        : small                   ? Effort::kSmall
                                                  : Effort::kFast;
  ByteWriter out, meta, sites, tree, times;
  WriteHeader(&out);
  WriteMeta(trace.meta, &meta);
  WriteChunk(ChunkTag::kMeta, meta.bytes(), effort, &out);
  WriteSites(trace.sites, &sites);
  WriteChunk(ChunkTag::kSites, sites.bytes(), effort, &out);

  // All parameters are seen before the first is written: tables say which are
  // used more than once.
  ParameterWriter parameters(small);
  for (const Node& child : trace.root.children) {
    CollectNode(child, &parameters);
  }
  parameters.WriteTables(&tree);
  NodeWriter(&parameters, &tree).Children(trace.root);
  parameters.Discard();
  WriteChunk(ChunkTag::kTree, tree.bytes(), effort, &out);

  TimesWriter writer(small, &times);
  ForEachEvent(trace.root, [&](const Node& n) {
    Pause();
    writer.Write(n.times);
  });
  WriteChunk(small ? ChunkTag::kTimesQuantiles : ChunkTag::kTimesFull,
             times.bytes(), effort, &out);
  WritePredecessors(trace, small, effort, &out);
  WriteLaws(trace, effort, &out);
  WriteChunk(ChunkTag::kEnd, {}, effort, &out);
  return out.Take();
}

}  // namespace ranksight::reduction
