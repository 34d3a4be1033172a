#include "cli/look/flows.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/look/flow_builder.h"
#include "cli/look/groups.h"
#include "cli/look/rank_table.h"
#include "reduction/api/cursor.h"
#include "reduction/api/event.h"

namespace ranksight::cli {
namespace {

using reduction::Call;
using reduction::CallInfo;
using reduction::Node;
using reduction::Param;
using reduction::Result;
using reduction::Section;
using reduction::SectionCursor;
using reduction::Status;
using reduction::Trace;

const reduction::Parameter* Find(const Node& node, Param wanted) {
  const auto params = Info(node.call).params;
  for (size_t i = 0; i < params.size(); ++i) {
    if (params[i] == wanted) return &node.params[i];
  }
  return nullptr;
}

// Sends with a destination of their own, not persistent.
bool SendsToPeer(const CallInfo& info) {
  const std::string_view name = info.name;
  const bool receives =
      name.find("ecv") != name.npos && name.find("endrecv") == name.npos;
  bool has_tag = false, has_count = false;
  for (const Param p : info.params) {
    has_tag = has_tag || p == Param::kTag;
    has_count = has_count || p == Param::kCount;
  }
  // One-sided calls have no tag.
  return has_tag && has_count && !receives && !info.makes_persistent;
}

// Known to move data to or from other ranks, but not how much when.
bool MovesOtherwise(const CallInfo& info) {
  return info.name.starts_with("MPI_Psend_init") ||
         info.name.find("MPI_Put") == 0 || info.name.find("MPI_Rput") == 0 ||
         info.name.find("MPI_Get_acc") == 0 || info.name == "MPI_Get" ||
         info.name == "MPI_Rget" ||
         info.name.find("ccumulate") != info.name.npos;
}

bool IsPersistentSend(const CallInfo& info) {
  return info.makes_persistent && !MovesOtherwise(info) &&
         info.name.find("end_init") != info.name.npos;
}

bool IsAlltoall(Call call) {
  return call == Call::MPI_Alltoall_ || call == Call::MPI_Ialltoall_;
}
bool IsAlltoallv(Call call) {
  return call == Call::MPI_Alltoallv_ || call == Call::MPI_Ialltoallv_;
}

Status Outside(const Node& node, int64_t rank, int64_t peer) {
  return Status::BadInput("rank " + std::to_string(rank) + ": " +
                          std::string(Info(node.call).name) + " to rank " +
                          std::to_string(peer) + ", which does not exist");
}

// What one rank sends at one call: peer -> bytes of all occurrences.
class SendsOfNode {
 public:
  SendsOfNode(const Node& node, int64_t ranks)
      : node_(node),
        ranks_(ranks),
        peers_(*Find(node, Param::kPeer), ranks),
        counts_(*Find(node, Param::kCount), ranks),
        sizes_(*Find(node, Param::kTypeSize), ranks) {}

  Status AddTo(SiteTraffic* site) {
    FlowBuilder flows(&site->traffic.flows);
    for (int64_t rank = 0; rank < ranks_; ++rank) {
      if (peers_.Count(rank) == 0) continue;
      Collect(rank);
      for (const auto& [peer, bytes] : bytes_to_) {
        if (reduction::IsSpecial(peer)) continue;
        if (peer < 0 || peer >= ranks_) return Outside(node_, rank, peer);
        flows.Add(rank, peer, bytes);
      }
      for (const auto& [peer, n] : messages_to_) {
        if (!reduction::IsSpecial(peer)) site->messages += n;
      }
    }
    return Status::Ok();
  }

 private:
  void Add(int64_t peer, uint64_t messages, int64_t bytes) {
    messages_to_[peer] += messages;
    bytes_to_[peer] += static_cast<uint64_t>(bytes);
  }

  void Collect(int64_t rank) {
    bytes_to_.clear();
    messages_to_.clear();
    const auto size = sizes_.Constant(rank);
    const auto count = counts_.Constant(rank);
    const auto peer = peers_.Constant(rank);
    const uint64_t n = peers_.Count(rank);
    if (size && count && peer) {
      Add(*peer, n, *count * *size * static_cast<int64_t>(n));
    } else if (size && peer) {
      Add(*peer, n, counts_.Sum(rank) * *size);
    } else if (size && count) {
      for (const auto& [to, times] : Histogram(peers_.Sequence(rank))) {
        Add(to, times, *count * *size * static_cast<int64_t>(times));
      }
    } else {
      Walk(peers_.Sequence(rank), counts_.Sequence(rank),
           sizes_.Sequence(rank));
    }
  }

  void Walk(const Section& peers, const Section& counts, const Section& sizes) {
    SectionCursor peer(&peers), count(&counts), size(&sizes);
    while (!peer.done() && !count.done() && !size.done()) {
      Add(peer.Next(), 1, count.Next() * size.Next());
    }
  }

  const Node& node_;
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
      messages_.clear();
      std::map<std::pair<size_t, int64_t>, std::pair<uint64_t, uint64_t>> sent;
      while (cursor->Next()) {
        const auto at = site_of.find(&cursor->node());
        See(cursor->event(), at == site_of.end() ? 0 : at->second, &sent);
      }
      if (!cursor->status().ok()) return cursor->status();
      for (const auto& [to, amount] : sent) {
        const auto& [site, peer] = to;
        if (peer >= trace_.meta.ranks) {
          return Status::BadInput("a persistent send to rank " +
                                  std::to_string(peer));
        }
        (*sites)[site].messages += amount.first;
        flows[site].Add(rank, peer, amount.second);
      }
    }
    return Status::Ok();
  }

 private:
  using Sent =
      std::map<std::pair<size_t, int64_t>, std::pair<uint64_t, uint64_t>>;

  void See(const reduction::Event& event, size_t site, Sent* sent) {
    const CallInfo& info = Info(event.call());
    if (info.makes_persistent) {
      messages_.emplace_back(IsPersistentSend(info) ? event.Get(Param::kPeer)
                                                    : reduction::kPeerNull,
                             static_cast<uint64_t>(SendBytes(event)));
    }
    if (event.call() != Call::MPI_Start_ &&
        event.call() != Call::MPI_Startall_) {
      return;
    }
    for (const int64_t request : event.GetArray(Param::kRequests)) {
      const int64_t number = -1 - request;
      if (number < 0 || static_cast<size_t>(number) >= messages_.size()) {
        continue;
      }
      const auto& [peer, bytes] = messages_[static_cast<size_t>(number)];
      if (peer < 0) continue;
      auto& [messages, sum] = (*sent)[{site, peer}];
      ++messages;
      sum += bytes;
    }
  }

  const Trace& trace_;
  std::vector<std::pair<int64_t, uint64_t>> messages_;
};

uint64_t TimesMade(const Node& node, int64_t ranks) {
  // The first parameter is a scalar, once each time.
  const auto params = Info(node.call).params;
  uint64_t times = 0;
  if (params.empty()) return 0;
  const RankTable table(node.params[0], ranks);
  for (int64_t rank = 0; rank < ranks; ++rank) times += table.Count(rank);
  return times;
}

// Bytes that a rank gives each other one in all its calls of an
// MPI_Alltoall, if its types stay the same.
class BytesOfPair {
 public:
  BytesOfPair(const Node& node, int64_t ranks)
      : counts_(*Find(node, Param::kCount), ranks),
        sizes_(*Find(node, Param::kTypeSize), ranks),
        recv_counts_(*Find(node, Param::kRecvCount), ranks),
        recv_sizes_(*Find(node, Param::kRecvTypeSize), ranks) {}

  std::optional<uint64_t> operator()(int64_t rank) const {
    const auto sent = Product(counts_, sizes_, rank);
    // In place, the receive side says how much.
    return sent && *sent == 0 ? Product(recv_counts_, recv_sizes_, rank) : sent;
  }

 private:
  static std::optional<uint64_t> Product(const RankTable& counts,
                                         const RankTable& sizes, int64_t rank) {
    const auto size = sizes.Constant(rank);
    if (!size) return std::nullopt;
    return static_cast<uint64_t>(counts.Sum(rank) * *size);
  }
  const RankTable counts_, sizes_, recv_counts_, recv_sizes_;
};

// All-to-all calls of one node of the tree, by communicator.
class Alltoalls {
 public:
  Alltoalls(const Node& node, const CommGroups& groups)
      : node_(node),
        groups_(groups),
        comms_(*Find(node, Param::kComm), Ranks()) {}

  // False, and nothing added, when communicators or sizes are not regular
  // enough to know who gives what to whom.
  bool AddTo(SiteTraffic* site) const {
    SiteTraffic with = *site;
    const bool added =
        IsAlltoallv(node_.call) ? AddVector(&with) : AddUniform(&with);
    if (added) *site = std::move(with);
    return added;
  }

 private:
  int64_t Ranks() const { return static_cast<int64_t>(groups_.size()); }

  const CommGroup* GroupOf(int64_t rank) const {
    const auto comm = comms_.Constant(rank);
    const auto& known = groups_[static_cast<size_t>(rank)];
    if (!comm || *comm < 0 || static_cast<size_t>(*comm) >= known.size()) {
      return nullptr;
    }
    return known[static_cast<size_t>(*comm)].get();
  }

  void Count(int64_t rank, const CommGroup& group, SiteTraffic* site) const {
    site->messages +=
        comms_.Count(rank) * static_cast<uint64_t>(group.members.size() - 1);
  }

  bool AddUniform(SiteTraffic* site) const {
    const BytesOfPair bytes_of(node_, Ranks());
    std::map<const CommGroup*, std::pair<size_t, uint64_t>> exchanges;
    for (int64_t rank = 0; rank < Ranks(); ++rank) {
      if (comms_.Count(rank) == 0) continue;
      const CommGroup* const group = GroupOf(rank);
      const auto bytes = bytes_of(rank);
      if (group == nullptr || !bytes) return false;
      auto& [members, of_pair] = exchanges[group];
      if (members++ > 0 && of_pair != *bytes) return false;
      of_pair = *bytes;
      Count(rank, *group, site);
    }
    for (const auto& [group, exchange] : exchanges) {
      if (exchange.first != group->members.size()) return false;
      site->traffic.exchanges.push_back({group->members, exchange.second});
    }
    return true;
  }

  bool AddVector(SiteTraffic* site) const {
    // Pairs held one by one; twice as many take twice the memory.
    constexpr uint64_t kMostPairs = 4'000'000;
    const RankTable counts(*Find(node_, Param::kCounts), Ranks());
    const RankTable sizes(*Find(node_, Param::kTypeSize), Ranks());
    FlowBuilder flows(&site->traffic.flows);
    uint64_t pairs = 0;
    for (int64_t rank = 0; rank < Ranks(); ++rank) {
      if (comms_.Count(rank) == 0) continue;
      const CommGroup* const group = GroupOf(rank);
      const auto size = sizes.Constant(rank);
      if (group == nullptr || !size) return false;
      pairs += group->members.size();
      const Section sequence = counts.Sequence(rank);
      if (pairs > kMostPairs || sequence.size() % group->members.size() != 0) {
        return false;
      }
      AddRow(rank, *group, sequence, *size, &flows);
      Count(rank, *group, site);
    }
    return true;
  }

  static void AddRow(int64_t rank, const CommGroup& group,
                     const Section& sequence, int64_t size,
                     FlowBuilder* flows) {
    std::vector<uint64_t> sums(group.members.size(), 0);
    SectionCursor cursor(&sequence);
    for (size_t to = 0; !cursor.done(); to = (to + 1) % sums.size()) {
      sums[to] += static_cast<uint64_t>(cursor.Next() * size);
    }
    for (size_t to = 0; to < sums.size(); ++to) {
      if (group.members[to] == rank || sums[to] == 0) continue;
      flows->Add(rank, group.members[to], sums[to]);
    }
  }

  const Node& node_;
  const CommGroups& groups_;
  const RankTable comms_;
};

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
    std::erase_if(found_.sites, [](const SiteTraffic& site) {
      return site.traffic.flows.empty() && site.traffic.exchanges.empty();
    });
    return std::move(found_);
  }

 private:
  Status Visit(const Node& node) {
    for (const Node& child : node.children) {
      const Status status = Visit(child);
      if (!status.ok()) return status;
    }
    if (!node.is_event()) return Status::Ok();
    const CallInfo& info = Info(node.call);
    persistent_ = persistent_ || IsPersistentSend(info);
    if (MovesOtherwise(info)) {
      found_.left_out[std::string(info.name)] += TimesMade(node, ranks_);
      return Status::Ok();
    }
    if (SendsToPeer(info)) return SendsOfNode(node, ranks_).AddTo(&Site(node));
    if (node.call == Call::MPI_Start_ || node.call == Call::MPI_Startall_) {
      site_of_[&node] = found_.sites.size();
      Site(node);
    } else if (info.collective && !info.makes_comm &&
               Find(node, Param::kTypeSize)) {
      const Result<bool> added = AddCollective(node);
      if (!added.ok()) return added.status();
      if (!*added) {
        found_.left_out[std::string(info.name)] += TimesMade(node, ranks_);
      }
    }
    return Status::Ok();
  }

  // Reads the communicators when first needed.
  Result<bool> AddCollective(const Node& node) {
    if (!IsAlltoallv(node.call) && !IsAlltoall(node.call)) return false;
    if (groups_.empty()) {
      auto groups = GroupsOf(trace_);
      if (!groups.ok()) return groups.status();
      groups_ = std::move(*groups);
    }
    SiteTraffic site{node.call, node.site, phase_, 0, {}};
    if (!Alltoalls(node, groups_).AddTo(&site)) return false;
    found_.sites.push_back(std::move(site));
    return true;
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
  CommGroups groups_;
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
