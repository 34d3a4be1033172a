// GOAL, the group operation assembly language of LogGOPSim, as text for its
// txt2bin and compiled: for each rank a graph of computations, sends and
// receives.
#include "adapters/api/adapter.h"

#include <string>
#include <string_view>
#include <vector>

#include "adapters/base/byte_writer.h"
#include "adapters/base/each_rank.h"
#include "adapters/base/operation_graph.h"
#include "adapters/base/operation_source.h"
#include "adapters/base/output_file.h"
#include "adapters/goal/compiled.h"

namespace ranksight::adapters {
namespace {

using reduction::Status;
using reduction::Trace;

class GoalText : public OperationSink {
 public:
  explicit GoalText(ByteWriter* file) : file_(file) {}

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
  ByteWriter* file_;
  int64_t label_ = 0;
};

Status WriteGoal(std::span<const Trace> traces, const std::string& out,
                 Conversion* conversion) {
  const auto source = OperationSource::Find(traces[0]);
  if (!source.ok()) return source.status();
  const int64_t ranks = (*source)->ranks();
  OutputFile file(out);
  file.Write("num_ranks " + std::to_string(ranks) + "\n");
  const Status status =
      WriteRanksInOrder(ranks, conversion, &file, nullptr,
                        [&](int64_t rank, Conversion* done, RankPart* part) {
                          part->Write("\nrank ");
                          part->WriteNumber(rank);
                          part->Write(" {\n");
                          GoalText text(part);
                          Status written = (*source)->Write(rank, &text, done);
                          part->Write("}\n");
                          return written;
                        });
  if (!status.ok()) return status;
  conversion->files = 1;
  return file.Commit();
}

// The head says how long each rank is, and is written last.
Status WriteCompiledGoal(std::span<const Trace> traces, const std::string& out,
                         Conversion* conversion) {
  const auto source = OperationSource::Find(traces[0]);
  if (!source.ok()) return source.status();
  std::vector<uint64_t> sizes(size_t((*source)->ranks()));
  OutputFile file(out);
  file.Write(goal::CompiledHead(sizes));
  const Status status = WriteRanksInOrder(
      (*source)->ranks(), conversion, &file, nullptr,
      [&](int64_t rank, Conversion* done, RankPart* part) {
        goal::CompiledRank operations;
        Status written = (*source)->Write(rank, &operations, done);
        if (!written.ok()) return written;
        if (!operations.fits()) {
          return Status::No("rank " + std::to_string(rank) +
                            " has more operations than 32 bits can number");
        }
        const std::string bytes = operations.TakeBytes();
        sizes[size_t(rank)] = bytes.size();
        part->Write(bytes);
        return Status::Ok();
      });
  if (!status.ok()) return status;
  file.WriteAt(0, goal::CompiledHead(sizes));
  conversion->files = 1;
  return file.Commit();
}

// Of both forms.
constexpr std::string_view kCannot =
    "Collectives and communicators: collectives become messages in "
    "textbook algorithms, with tags from 10000000 on, as have messages "
    "outside the world where theirs are in use already. Receives from "
    "any source or with any tag are left out unless the trace holds "
    "what they matched. Non-blocking collectives block. Probes, "
    "matched receives, persistent collectives, one-sided calls and "
    "files are left out, as are receives that were cancelled. "
    "Computation has its mean, the same on every rank.";

}  // namespace

const Adapter& GoalAdapter() {
  static const Adapter adapter = {
      .name = "goal",
      .what = "GOAL text for LogGOPSim's txt2bin and ATLAHS",
      .cannot = kCannot,
      .write = &WriteGoal};
  return adapter;
}

const Adapter& CompiledGoalAdapter() {
  static const Adapter adapter = {
      .name = "goal-bin",
      .what = "Compiled GOAL for LogGOPSim, as its txt2bin makes it of goal",
      .cannot = kCannot,
      .write = &WriteCompiledGoal};
  return adapter;
}

}  // namespace ranksight::adapters
