#include "adapters/api/flatten.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "adapters/base/each_rank.h"
#include "adapters/base/operation_source.h"
#include "reduction/api/folder.h"
#include "reduction/api/merge.h"

namespace ranksight::adapters {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

// A scalar that is not given is 0, an array empty.
Event EventOf(Call call, std::initializer_list<std::pair<Param, int64_t>> given,
              std::span<const int64_t> requests = {}) {
  Event event(call);
  for (const Param p : reduction::Info(call).params) {
    if (p == Param::kRequests) {
      event.AddArray(requests);
    } else if (reduction::IsArray(p)) {
      event.AddArray({});
    } else {
      const auto found = std::ranges::find(
          given, p, [](const auto& pair) { return pair.first; });
      event.Add(found == given.end() ? 0 : found->second);
    }
  }
  return event;
}

// One rank's operations as calls. Whether a message blocks shows in what comes
// behind it.
class FlatRank : public OperationSink {
 public:
  explicit FlatRank(const reduction::Sites& sites) : sites_(sites) {
    for (const reduction::Module& module : sites.modules) {
      modules_.push_back(folder_.AddModule(module));
    }
    own_ = folder_.AddModule({"", "flattened"});
    Push(Event(Call::MPI_Init_), kNoSite);
  }

  void Add(const Operation& o, std::span<const Dependency> behind) override {
    ++number_;
    SettleMessage(o, behind);
    switch (o.kind) {
      case Operation::Kind::kCompute:
        compute_ns_ += uint64_t(o.amount);
        return;
      case Operation::Kind::kJoin:
        return Wait(behind, o.site);
      default:
        message_ = {o, number_};
    }
  }

  Trace Take(int64_t rank, int64_t ranks) {
    // Nobody waits for it.
    if (message_) PushMessage(message_->first, /*blocks=*/true);
    Push(Event(Call::MPI_Finalize_), kNoSite);
    return folder_.Snapshot(rank, ranks);
  }

 private:
  static constexpr uint32_t kNoSite = UINT32_MAX;

  // It blocks where what comes next is behind its end; the end of one that is
  // waited for is what a join is for.
  void SettleMessage(const Operation& next,
                     std::span<const Dependency> behind) {
    if (!message_) return;
    const auto [message, number] = *message_;
    message_.reset();
    const auto ends = [&, number = number](const Dependency& d) {
      return d.on == number && !d.started_only;
    };
    // The only message of a collective's round is not worth a request.
    const bool alone = behind.size() == 1 && next.call == message.call &&
                       reduction::Info(message.call).collective;
    const bool blocks = (next.kind != Operation::Kind::kJoin || alone) &&
                        std::ranges::any_of(behind, ends);
    PushMessage(message, blocks);
    if (!blocks) open_[number] = ++requests_;
  }

  void PushMessage(const Operation& o, bool blocks) {
    const bool sends = o.kind == Operation::Kind::kSend;
    const Call call = sends ? (blocks ? Call::MPI_Send_ : Call::MPI_Isend_)
                            : (blocks ? Call::MPI_Recv_ : Call::MPI_Irecv_);
    static const int64_t kByte = reduction::TypeCodeByName("MPI_BYTE");
    Push(EventOf(call, {{Param::kCount, o.amount},
                        {Param::kTypeKind, kByte},
                        {Param::kTypeSize, 1},
                        {Param::kPeer, o.peer},
                        {Param::kTag, o.tag}}),
         o.site);
  }

  void Wait(std::span<const Dependency> behind, uint32_t site) {
    std::vector<int64_t> requests;  // how many requests ago each was made
    for (const Dependency& d : behind) {
      const auto open = open_.find(d.on);
      if (d.started_only || open == open_.end()) continue;
      requests.push_back(requests_ - open->second + 1);
      open_.erase(open);
    }
    if (requests.empty()) return;
    const auto count = int64_t(requests.size());
    Push(EventOf(count == 1 ? Call::MPI_Wait_ : Call::MPI_Waitall_,
                 {{Param::kRequestCount, count}, {Param::kOpenCount, count}},
                 requests),
         site);
  }

  void Push(Event event, uint32_t site) {
    event.site = SiteOf(site, event.call());
    folder_.Push(event, std::exchange(compute_ns_, 0), 0);
  }

  // The call's own, with a frame for what it has become.
  uint32_t SiteOf(uint32_t site, Call call) {
    const auto [known, fresh] = known_sites_.try_emplace({site, call}, 0);
    if (!fresh) return known->second;
    reduction::CallSite made;
    if (site < sites_.sites.size()) {
      for (const reduction::Frame& f : sites_.sites[site].frames) {
        made.frames.push_back({modules_[f.module], f.offset});
      }
    }
    made.frames.push_back({own_, uint64_t(call)});
    return known->second = folder_.AddSite(made);
  }

  const reduction::Sites& sites_;
  reduction::Folder folder_;
  std::vector<uint32_t> modules_;
  uint32_t own_ = 0;
  std::map<std::pair<uint32_t, Call>, uint32_t> known_sites_;
  int64_t number_ = 0, requests_ = 0;
  uint64_t compute_ns_ = 0;
  std::optional<std::pair<Operation, int64_t>> message_;  // the last one
  std::unordered_map<int64_t, int64_t> open_;  // requests by operation
};

// Merges the ranks' traces as they come, neighbours first, as they are most
// alike, and in the same order whoever comes first. Held are no more than a few
// for each of the tree's levels.
// Thread-safety: any thread.
class MergeTree {
 public:
  explicit MergeTree(int64_t ranks) : ranks_(ranks) {}

  // Once for each rank.
  Status Add(int64_t rank, Trace trace) {
    int64_t at = rank, count = ranks_;
    for (int level = 0; count > 1; ++level, at /= 2, count = (count + 1) / 2) {
      const int64_t neighbour = at ^ 1;
      if (neighbour == count) continue;  // the last of an odd number
      auto other = TakeOrLeave({level, neighbour}, {level, at}, &trace);
      if (!other) return Status::Ok();
      if (neighbour < at) std::swap(trace, *other);
      const Status status = MergeInto(&trace, std::move(*other));
      if (!status.ok()) return status;
    }
    all_ = std::move(trace);
    return Status::Ok();
  }

  // REQUIRES: all ranks were added.
  Trace Take() { return std::move(all_); }

 private:
  using TreeSlot = std::pair<int, int64_t>;  // level, and which one there
  // The neighbour; where it has not come yet *trace is left for it.
  std::optional<Trace> TakeOrLeave(const TreeSlot& neighbour,
                                   const TreeSlot& own, Trace* trace) {
    const std::lock_guard lock(mutex_);
    auto there = waiting_.extract(neighbour);
    if (!there.empty()) return std::move(there.mapped());
    waiting_.emplace(own, std::move(*trace));
    return std::nullopt;
  }

  const int64_t ranks_;
  std::mutex mutex_;
  std::map<TreeSlot, Trace> waiting_;
  Trace all_;
};

}  // namespace

Result<Trace> Flatten(const Trace& trace, Conversion* conversion) {
  const auto source = OperationSource::Find(trace);
  if (!source.ok()) return source.status();
  const int64_t ranks = (*source)->ranks();
  MergeTree tree(ranks);
  const Status status =
      ForEachRank(ranks, conversion, [&](int64_t rank, Conversion* done) {
        FlatRank sink(trace.sites);
        const Status written = (*source)->Write(rank, &sink, done);
        if (!written.ok()) return written;
        return tree.Add(rank, sink.Take(rank, ranks));
      });
  if (!status.ok()) return status;
  Trace merged = tree.Take();
  Canonicalize(&merged);
  // The parts that were merged know nothing about the run.
  const reduction::Meta& meta = trace.meta;
  merged.meta.program = meta.program;
  merged.meta.build_id = meta.build_id;
  merged.meta.job = meta.job;
  merged.meta.origin = meta.origin;
  merged.meta.start_unix_ns = meta.start_unix_ns;
  merged.meta.params = meta.params;
  merged.meta.elapsed = meta.elapsed;
  merged.meta.losses = meta.losses;
  return merged;
}

}  // namespace ranksight::adapters
