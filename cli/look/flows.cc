#include "cli/look/flows.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "cli/look/collective_traffic.h"
#include "cli/look/everybody_traffic.h"
#include "cli/look/flow_builder.h"
#include "cli/look/groups.h"
#include "cli/look/spread_calls.h"
#include "reduction/api/amounts.h"
#include "reduction/api/cursor.h"
#include "reduction/api/event.h"
#include "reduction/api/rank_table.h"
#include "reduction/api/sends.h"

namespace ranksight::cli {
namespace {

using reduction::AmountOf;
using reduction::Call;
using reduction::CallInfo;
using reduction::CheckPeer;
using reduction::kTooMany;
using reduction::Node;
using reduction::Param;
using reduction::Plus;
using reduction::RankTable;
using reduction::Result;
using reduction::Section;
using reduction::SectionCursor;
using reduction::StartedSends;
using reduction::Status;
using reduction::Times;
using reduction::TooManyBytes;
using reduction::Trace;

// Moves data to or from a window of another rank: how much when is not known.
bool IsOneSided(const CallInfo& info) {
  return info.family == reduction::Family::kOneSided &&
         std::ranges::find(info.params, Param::kTypeSize) != info.params.end();
}

// Persistent or not: no data.
bool IsBarrier(Call call) {
  return reduction::BlockingForm(call) == Call::MPI_Barrier_ ||
         call == Call::MPI_Barrier_init_;
}

// How they send depends on neighbours, or on when they are started.
bool IsCollectiveLeftOut(const CallInfo& info) {
  return info.family == reduction::Family::kNeighbourhood ||
         info.family == reduction::Family::kPersistentCollective;
}

// What one rank sends at one call: peer -> bytes of all occurrences.
class SendsOfNode {
 public:
  SendsOfNode(const Node& node, int64_t ranks)
      : ranks_(ranks),
        peers_(*FindParameter(node, Param::kPeer), ranks),
        counts_(*FindParameter(node, Param::kCount), ranks),
        sizes_(*FindParameter(node, Param::kTypeSize), ranks) {}

  Status AddTo(SiteTraffic* site) {
    FlowBuilder flows(&site->traffic.flows);
    for (int64_t rank = 0; rank < ranks_; ++rank) {
      if (peers_.Count(rank) == 0) continue;
      Collect(rank);
      for (const auto& [peer, bytes] : bytes_to_) {
        if (reduction::IsSpecial(peer)) continue;
        if (const Status s = CheckPeer(rank, peer, ranks_); !s.ok()) return s;
        flows.Add(rank, peer, bytes);
      }
      for (const auto& [peer, n] : messages_to_) {
        if (!reduction::IsSpecial(peer)) site->messages += n;
      }
    }
    return Status::Ok();
  }

 private:
  void Add(int64_t peer, uint64_t messages, uint64_t bytes) {
    messages_to_[peer] += messages;
    bytes_to_[peer] = Plus(bytes_to_[peer], bytes);
  }

  void Collect(int64_t rank) {
    bytes_to_.clear();
    messages_to_.clear();
    const auto size = sizes_.Constant(rank);
    const auto count = counts_.Constant(rank);
    const auto peer = peers_.Constant(rank);
    const uint64_t n = peers_.Count(rank);
    const uint64_t each =
        size && count ? Times(AmountOf(*count), AmountOf(*size)) : 0;
    if (size && count && peer) {
      Add(*peer, n, Times(each, n));
    } else if (size && peer) {
      Add(*peer, n, Times(counts_.Sum(rank), AmountOf(*size)));
    } else if (size && count) {
      for (const auto& [to, times] : Histogram(peers_.Sequence(rank))) {
        Add(to, times, Times(each, times));
      }
    } else {
      Walk(peers_.Sequence(rank), counts_.Sequence(rank),
           sizes_.Sequence(rank));
    }
  }

  void Walk(const Section& peers, const Section& counts, const Section& sizes) {
    SectionCursor peer(&peers), count(&counts), size(&sizes);
    while (!peer.done() && !count.done() && !size.done()) {
      Add(peer.Next(), 1, Times(AmountOf(count.Next()), AmountOf(size.Next())));
    }
  }

  const int64_t ranks_;
  const RankTable peers_, counts_, sizes_;
  std::map<int64_t, uint64_t> messages_to_, bytes_to_;
};

// Persistent sends count where they are started. Walks each rank.
class PersistentSends {
 public:
  explicit PersistentSends(const Trace& trace) : trace_(trace) {}

  Status AddTo(std::vector<SiteTraffic>* sites,
               const std::map<const Node*, size_t>& site_of) {
    std::vector<FlowBuilder> flows;
    for (SiteTraffic& site : *sites) flows.emplace_back(&site.traffic.flows);
    for (int64_t rank = 0; rank < trace_.meta.ranks; ++rank) {
      auto cursor = reduction::Cursor::Open(trace_, rank);
      if (!cursor.ok()) return cursor.status();
      StartedSends started;
      std::map<std::pair<size_t, int64_t>, std::pair<uint64_t, uint64_t>> sent;
      while (cursor->Next()) {
        const auto at = site_of.find(&cursor->node());
        const size_t site = at == site_of.end() ? 0 : at->second;
        started.See(cursor->event(), [&](int64_t peer, uint64_t bytes) {
          if (reduction::IsSpecial(peer)) return;
          auto& [messages, sum] = sent[{site, peer}];
          ++messages;
          sum = Plus(sum, bytes);
        });
      }
      if (!cursor->status().ok()) return cursor->status();
      for (const auto& [to, amount] : sent) {
        const auto& [site, peer] = to;
        const Status there = CheckPeer(rank, peer, trace_.meta.ranks);
        if (!there.ok()) return there;
        (*sites)[site].messages += amount.first;
        flows[site].Add(rank, peer, amount.second);
      }
    }
    return Status::Ok();
  }

 private:
  const Trace& trace_;
};

bool Fits(const SiteTraffic& site) {
  const auto fits = [](const auto& some) { return some.bytes != kTooMany; };
  return site.messages != kTooMany &&
         std::ranges::all_of(site.traffic.flows, fits) &&
         std::ranges::all_of(site.traffic.exchanges, fits);
}

uint64_t TimesMade(const Node& node, int64_t ranks) {
  // The first parameter is a scalar, once each time.
  const auto params = Info(node.call).params;
  uint64_t times = 0;
  if (params.empty()) return 0;
  const RankTable table(node.params[0], ranks);
  for (int64_t rank = 0; rank < ranks; ++rank) times += table.Count(rank);
  return times;
}

class Collector {
 public:
  explicit Collector(const Trace& trace)
      : trace_(trace), ranks_(trace.meta.ranks) {}

  Result<TraceTraffic> Run() {
    for (size_t i = 0; i < trace_.root.children.size(); ++i) {
      phase_ = i;
      const Status status = Visit(trace_.root.children[i]);
      if (!status.ok()) return status;
    }
    if (persistent_) {
      const Status status =
          PersistentSends(trace_).AddTo(&found_.sites, site_of_);
      if (!status.ok()) return status;
    }
    for (const auto& [call, places] : spread_) {
      const Status status = AddSpread(call, places);
      if (!status.ok()) return status;
    }
    for (const SiteTraffic& site : found_.sites) {
      if (!Fits(site)) return TooManyBytes();
    }
    std::erase_if(found_.sites, [](const SiteTraffic& site) {
      return site.traffic.flows.empty() && site.traffic.exchanges.empty();
    });
    return std::move(found_);
  }

 private:
  struct SiteNode {
    const Node* node;
    size_t site;  // among those found
  };

  Status Visit(const Node& node) {
    for (const Node& child : node.children) {
      const Status status = Visit(child);
      if (!status.ok()) return status;
    }
    if (!node.is_event() || IsBarrier(node.call)) return Status::Ok();
    const CallInfo& info = Info(node.call);
    persistent_ = persistent_ || SendsWhenStarted(node.call);
    if (IsOneSided(info) || IsCollectiveLeftOut(info)) {
      found_.left_out[std::string(info.name)] += TimesMade(node, ranks_);
      return Status::Ok();
    }
    if (SendsAtOnce(node.call))
      return SendsOfNode(node, ranks_).AddTo(&Site(node));
    if (node.call == Call::MPI_Start_ || node.call == Call::MPI_Startall_) {
      site_of_[&node] = found_.sites.size();
      Site(node);
    } else if (info.collective && !info.makes_comm &&
               FindParameter(node, Param::kComm)) {
      return AddCollective(node);
    }
    return Status::Ok();
  }

  // Now where all members call from this place; what is called from several
  // waits for the others.
  Status AddCollective(const Node& node) {
    if (const Status status = FindGroups(node); !status.ok()) return status;
    const size_t site = found_.sites.size();
    if (!AddTo(node, &Site(node))) {
      spread_[node.call].push_back({&node, site});
    }
    return Status::Ok();
  }

  bool AddTo(const Node& node, SiteTraffic* site) const {
    const GroupOf group_of = GroupFinder();
    return IsEverybody(node.call)
               ? AddEverybody(node, ranks_, group_of, site)
               : cli::AddCollective(node, ranks_, group_of, site);
  }

  // Counts at the first place what is called from several.
  Status AddSpread(Call call, const std::vector<SiteNode>& places) {
    std::vector<const Node*> nodes;
    for (const SiteNode& place : places) nodes.push_back(place.node);
    const auto calls = PutTogether(trace_, nodes, GroupFinder());
    if (!calls.ok()) return calls.status();
    uint64_t left_out = calls->unmatched;
    for (const SpreadCalls::Whole& whole : calls->whole) {
      if (!AddTo(whole.node, &found_.sites[places[whole.place].site])) {
        left_out += TimesMade(whole.node, ranks_);
      }
    }
    if (left_out > 0) {
      found_.left_out[std::string(Info(call).name)] += left_out;
    }
    return Status::Ok();
  }

  GroupOf GroupFinder() const {
    return [this](int64_t rank, int64_t number) -> const CommGroup* {
      if (groups_.empty()) return number == 0 ? &world_ : nullptr;
      const auto& known = groups_[static_cast<size_t>(rank)];
      return number < 0 || static_cast<size_t>(number) >= known.size()
                 ? nullptr
                 : known[static_cast<size_t>(number)].get();
    };
  }

  // Rebuilds the communicators when one beyond the world is first needed: that
  // walks all events.
  Status FindGroups(const Node& node) {
    if (world_.members.empty()) {
      world_.members.resize(static_cast<size_t>(ranks_));
      std::iota(world_.members.begin(), world_.members.end(), 0);
    }
    if (!groups_.empty()) return Status::Ok();
    const RankTable comms(*FindParameter(node, Param::kComm), ranks_);
    for (int64_t rank = 0; rank < ranks_; ++rank) {
      if (comms.Count(rank) == 0 || comms.Constant(rank) == 0) continue;
      auto groups = GroupsOf(trace_);
      if (!groups.ok()) return groups.status();
      groups_ = std::move(*groups);
      return Status::Ok();
    }
    return Status::Ok();
  }

  SiteTraffic& Site(const Node& node) {
    found_.sites.push_back({node.call, node.site, phase_, 0, {}});
    return found_.sites.back();
  }

  const Trace& trace_;
  const int64_t ranks_;
  size_t phase_ = 0;
  bool persistent_ = false;
  std::map<const Node*, size_t> site_of_;
  CommGroup world_;
  CommGroups groups_;  // empty while the world is enough
  std::map<Call, std::vector<SiteNode>> spread_;
  TraceTraffic found_;
};

}  // namespace

Result<TraceTraffic> TrafficOf(const Trace& trace) {
  return Collector(trace).Run();
}

bgq_support::Traffic Total(const TraceTraffic& traffic) {
  bgq_support::Traffic total;
  for (const SiteTraffic& site : traffic.sites) {
    total.flows.insert(total.flows.end(), site.traffic.flows.begin(),
                       site.traffic.flows.end());
    total.exchanges.insert(total.exchanges.end(),
                           site.traffic.exchanges.begin(),
                           site.traffic.exchanges.end());
  }
  return total;
}

}  // namespace ranksight::cli
