#include "runtime/session/outcome.h"

#include <sys/stat.h>

#include <memory>
#include <utility>
#include <vector>

#include "reduction/api/codec.h"
#include "reduction/api/condense.h"
#include "reduction/api/contract.h"
#include "reduction/api/distribution.h"
#include "reduction/api/file_stem.h"
#include "reduction/api/losses.h"
#include "reduction/api/merge.h"
#include "reduction/api/tree.h"
#include "runtime/egress/stream.h"
#include "runtime/process/closed_streams.h"
#include "runtime/process/file_limit.h"
#include "runtime/process/start_folder.h"

namespace ranksight::runtime {
namespace {

// Nothing is reported: what cannot be written is lost, the program is not.
reduction::Status Write(
    const std::vector<uint8_t>& bytes, const std::string& path,
    reduction::Outlives outlives = reduction::Outlives::kMachine) {
  const ClosedStreams closed;
  const FileLimit limit;
  return reduction::WriteFileAtomically(bytes, path, outlives);
}

bool IsFile(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

std::string OutputOf(const reduction::Meta& meta, const Options& options) {
  if (!options.output.empty()) return options.output + options.output_suffix;
  return DefaultOutput(meta.program, meta.ranks);
}

}  // namespace

std::string DefaultOutput(const std::string& program, int64_t ranks) {
  return FromStartFolder(reduction::FileStem(program) + "." +
                         std::to_string(ranks) + ".trace");
}

bool Reads(const reduction::Trace& trace) {
  return reduction::Decode(
             reduction::Encode(trace, reduction::SketchForm::kFull))
      .ok();
}

namespace {

// A part without a call, which may yet have room where the whole had none.
void LeaveReason(const std::string& why, const reduction::Meta& of_whole,
                 const Options& options) {
  reduction::Trace nothing;
  nothing.meta = of_whole;
  nothing.meta.complete = false;
  reduction::MarkNotWritten(why, &nothing.meta);
  (void)Write(reduction::Encode(nothing, reduction::SketchForm::kQuantiles),
              PartOf(of_whole, 0, options));
}

}  // namespace

void FinishTogether(reduction::Trace mine, int rank, EndedEpochs epochs,
                    const Options& options) {
  RANKSIGHT_REQUIRE(rank >= 0);
  if (epochs.link == nullptr) epochs.link = reduction::MakeWorldLink();
  mine.meta.epochs = epochs.handed_on;
  auto merged =
      reduction::MergeOverTree(*epochs.link, std::move(mine), options.radix);
  if (rank != 0 || !merged.ok()) return;
  reduction::Canonicalize(&*merged);
  if (options.distributions) reduction::KeepDistributions(&*merged);
  reduction::MarkDistributions(&*merged);
  reduction::Condense(&*merged);
  const std::vector<uint8_t> bytes =
      reduction::Encode(*merged, reduction::SketchForm::kQuantiles);
  const reduction::Meta& meta = merged->meta;
  const std::string output = OutputOf(meta, options);
  // Before it is sent, which takes time in which anything may happen. `record`
  // writes it again, with names, and waits for the disk then: once is enough.
  const auto outlives = options.began_ns != 0 ? reduction::Outlives::kProcess
                                              : reduction::Outlives::kMachine;
  const auto written = Write(bytes, output, outlives);
  if (!written.ok()) {
    LeaveReason(written.message().substr(output.size() + 2), meta, options);
  }
  if (options.to.empty()) return;
  const reduction::Status stored =
      Stream(bytes, meta, options.to, PatienceOf(options.patience_seconds));
  if (stored.ok()) return;
  if (!options.spool.empty()) {
    (void)Write(bytes, options.spool + "/" + meta.job + ".trace");
  }
  // Whoever reads a pipe has the trace already.
  if (!IsFile(output)) return;
  reduction::MarkNotStored(stored.message(), &merged->meta);
  (void)Write(reduction::Encode(*merged, reduction::SketchForm::kQuantiles),
              output);
}

void HandOnPart(reduction::Trace trace, const Options& options,
                EpochStream* stream, void (*pause)()) {
  reduction::MarkDistributions(&trace);
  const auto bytes = reduction::Encode(trace, reduction::SketchForm::kQuantiles,
                                       reduction::Packing::kNone);
  (void)Write(bytes, OutputOf(trace.meta, options),
              reduction::Outlives::kProcess);
  const reduction::Meta meta = trace.meta;
  reduction::Discard(std::move(trace));
  if (stream != nullptr) stream->Send(bytes, meta, pause);
}

std::string PartOf(const reduction::Meta& meta, int rank,
                   const Options& options) {
  return OutputOf(meta, options) + ".rank" + std::to_string(rank) + ".partial";
}

void FinishAlone(reduction::Trace mine, int rank, const char* why,
                 const Options& options) {
  mine.meta.complete = false;
  mine.meta.losses[why] = 1;
  reduction::MarkDistributions(&mine);
  (void)Write(reduction::Encode(mine, reduction::SketchForm::kQuantiles),
              PartOf(mine.meta, rank, options));
}

}  // namespace ranksight::runtime
