// GOAL, the group operation assembly language of LogGOPSim (text form, for
// its txt2bin): for each rank a graph of computations, sends and receives.
#include "adapters/api/adapter.h"

#include <string_view>

#include "adapters/base/message_tags.h"
#include "adapters/base/operation_graph.h"
#include "adapters/base/output_file.h"
#include "reduction/api/communicators.h"
#include "reduction/api/rank_walk.h"

namespace ranksight::adapters {
namespace {

using reduction::Status;
using reduction::Trace;

class GoalText : public OperationSink {
 public:
  explicit GoalText(OutputFile* file) : file_(file) {}

  void Add(const Operation& operation,
           std::span<const Dependency> behind) override {
    ++label_;
    Label(label_);
    using Kind = Operation::Kind;
    const bool message =
        operation.kind == Kind::kSend || operation.kind == Kind::kReceive;
    const bool sends = operation.kind == Kind::kSend;
    file_->Write(!message ? ": calc " : sends ? ": send " : ": recv ");
    file_->WriteNumber(operation.amount);
    if (message) {
      file_->Write(sends ? "b to " : "b from ");
      file_->WriteNumber(operation.peer);
      file_->Write(" tag ");
      file_->WriteNumber(operation.tag);
    }
    file_->Write('\n');
    for (const Dependency& d : behind) {
      Label(label_);
      file_->Write(d.started_only ? " irequires " : " requires ");
      Label(d.on);
      file_->Write('\n');
    }
  }

 private:
  void Label(int64_t number) {
    file_->Write('l');
    file_->WriteNumber(number);
  }
  OutputFile* file_;
  int64_t label_ = 0;
};

Status WriteGoal(std::span<const Trace> traces, const std::string& out,
                 Conversion* conversion) {
  const Trace& trace = traces[0];
  auto comms = reduction::Communicators::Find(trace);
  if (!comms.ok()) return comms.status();
  auto tags = MessageTags::Find(trace, *comms);
  if (!tags.ok()) return tags.status();
  const uint64_t farthest = reduction::FarthestRequest(trace);
  OutputFile file(out);
  file.Write("num_ranks " + std::to_string(trace.meta.ranks) + "\n");
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    file.Write("\nrank " + std::to_string(rank) + " {\n");
    auto walk = reduction::RankWalk::OpenAhead(trace, rank);
    if (!walk.ok()) return walk.status();
    GoalText text(&file);
    OperationGraph graph(*comms, *tags, rank, farthest, &text, conversion);
    while (walk->Next()) graph.Add(*walk);
    if (!walk->status().ok()) return walk->status();
    file.Write("}\n");
  }
  conversion->files = 1;
  return file.Commit();
}

}  // namespace

const Adapter& GoalAdapter() {
  static const Adapter adapter = {
      .name = "goal",
      .what = "GOAL text for LogGOPSim's txt2bin and ATLAHS",
      .cannot =
          "Collectives and communicators: collectives become messages in "
          "textbook algorithms, with tags from 10000000 on, as have messages "
          "outside the world where theirs are in use already. Receives from "
          "any source or with any tag are left out unless the trace holds "
          "what they matched. Non-blocking collectives block. Probes, "
          "matched receives, persistent collectives, one-sided calls and "
          "files are left out, as are receives that were cancelled. "
          "Computation has its mean, the same on every rank.",
      .write = &WriteGoal};
  return adapter;
}

}  // namespace ranksight::adapters
