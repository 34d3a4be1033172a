#include "adapters/api/flatten.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "adapters/base/each_rank.h"
#include "adapters/base/operation_source.h"
#include "reduction/api/folder.h"
#include "reduction/api/in_parallel.h"
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

// Neighbours first, as they are most alike. progress: told how much is merged.
Result<Trace> MergeAll(std::vector<Trace> traces, const Conversion& progress) {
  const auto merges = int64_t(traces.size()) - 1;
  while (traces.size() > 1) {
    std::vector<Trace> merged((traces.size() + 1) / 2);
    Conversion ignored;
    const Status status = ForEachRank(
        int64_t(merged.size()), &ignored, [&](int64_t i, Conversion*) {
          Trace& into = merged[size_t(i)];
          into = std::move(traces[2 * size_t(i)]);
          if (2 * size_t(i) + 1 == traces.size()) return Status::Ok();
          return MergeInto(&into, std::move(traces[2 * size_t(i) + 1]));
        });
    if (!status.ok()) return status;
    traces = std::move(merged);
    progress.Tell(merges + 1 - int64_t(traces.size()), merges);
  }
  return std::move(traces.front());
}

// Of work that is one half of all and begins at `from`.
TellShare HalfOf(const TellShare& tell, double from) {
  if (!tell) return {};
  return [tell, from](double share) { tell(from + share / 2); };
}

}  // namespace

Result<Trace> Flatten(const Trace& trace, Conversion* conversion) {
  const auto source = OperationSource::Find(trace);
  if (!source.ok()) return source.status();
  const int64_t ranks = (*source)->ranks();
  std::vector<Trace> flat(static_cast<size_t>(ranks));
  // Walking the ranks is half of the work, merging them the other.
  const TellShare tell = std::move(conversion->tell_share);
  conversion->tell_share = HalfOf(tell, 0);
  const Status status =
      ForEachRank(ranks, conversion, [&](int64_t rank, Conversion* done) {
        FlatRank sink(trace.sites);
        const Status written = (*source)->Write(rank, &sink, done);
        if (!written.ok()) return written;
        flat[size_t(rank)] = sink.Take(rank, ranks);
        return Status::Ok();
      });
  if (!status.ok()) return status;
  conversion->tell_share = HalfOf(tell, 0.5);
  auto merged = MergeAll(std::move(flat), *conversion);
  conversion->tell_share = tell;
  if (!merged.ok()) return merged;
  Canonicalize(&*merged);
  const reduction::Meta& meta = trace.meta;
  merged->meta.program = meta.program;
  merged->meta.build_id = meta.build_id;
  merged->meta.job = meta.job;
  merged->meta.origin = meta.origin;
  merged->meta.start_unix_ns = meta.start_unix_ns;
  merged->meta.params = meta.params;
  merged->meta.elapsed = meta.elapsed;
  merged->meta.losses = meta.losses;
  return merged;
}

}  // namespace ranksight::adapters
