#include "online_model/twin/twin_trace.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "online_model/api/twin.h"
#include "reduction/api/condense.h"
#include "reduction/api/folder.h"
#include "reduction/api/merge.h"

namespace ranksight::online_model {
namespace {

using reduction::Event;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

// Lengths on which both ends of a message agree, in the order of the messages
// between two ranks and with one tag: the end that has a law says it, or else
// the sender.
class AgreedLengths {
 public:
  struct End {
    int64_t bytes = 0;
    bool is_law = false;
  };
  void AddSend(int64_t from, int64_t to, int64_t tag, const End& end) {
    channels_[{from, to, tag}].sent.push_back(end);
  }
  void AddReceive(int64_t from, int64_t to, int64_t tag, const End& end) {
    channels_[{from, to, tag}].posted.push_back(end);
  }
  // Of the next one that is sent, or received; -1: the other end has none.
  int64_t NextSent(int64_t from, int64_t to, int64_t tag) {
    Channel& c = channels_[{from, to, tag}];
    return Agreed(c, c.sends++);
  }
  int64_t NextReceived(int64_t from, int64_t to, int64_t tag) {
    Channel& c = channels_[{from, to, tag}];
    return Agreed(c, c.receives++);
  }

 private:
  struct Channel {
    std::vector<End> sent, posted;
    size_t sends = 0, receives = 0;
  };
  static int64_t Agreed(const Channel& c, size_t k) {
    if (k >= c.sent.size()) return -1;
    const bool by_receive =
        !c.sent[k].is_law && k < c.posted.size() && c.posted[k].is_law;
    return by_receive ? c.posted[k].bytes : c.sent[k].bytes;
  }
  std::map<std::tuple<int64_t, int64_t, int64_t>, Channel> channels_;
};

class TraceMaker {
 public:
  TraceMaker(const TwinPlan& plan, const Trace& like, const Grid& grid,
             TellTwin tell)
      : plan_(plan),
        like_(like),
        grid_(grid),
        passes_(HasLawfulEnds() ? 2 : 1),
        tell_(std::move(tell)) {}

  // Of the sites of exchanges, once it is made or measured.
  TrafficBySite TakeTraffic() { return std::move(traffic_); }

  // Counts alone.
  Status Measure() {
    if (Status s = CollectAmounts(); !s.ok()) return s;
    events_ = 0;
    for (int64_t rank = 0; rank < plan_.ranks; ++rank) {
      const Status s =
          ForEvents(rank, SameSites(), [&](const TwinEvent& from, Event* e) {
            TakeAmount(rank, from, e);
            CountTraffic(rank, from, *e);
          });
      if (!s.ok()) return s;
    }
    return Status::Ok();
  }

  Result<Trace> Make() {
    if (Status s = CollectAmounts(); !s.ok()) return s;
    passes_done_ = passes_ - 1;
    events_ = 0;
    std::vector<Trace> parts;  // of ever more ranks to the left
    for (int64_t rank = 0; rank < plan_.ranks; ++rank) {
      TellRank(rank);
      auto part = OneRank(rank);
      if (!part.ok()) return part;
      parts.push_back(std::move(*part));
      for (int64_t n = rank + 1; n % 2 == 0; n /= 2) {
        if (Status s = JoinLast(&parts); !s.ok()) return s;
      }
    }
    if (tell_) tell_(TwinStep::kJoining, 0);
    while (parts.size() > 1) {
      if (Status s = JoinLast(&parts); !s.ok()) return s;
    }
    reduction::Canonicalize(&parts[0]);
    reduction::Condense(&parts[0]);
    return std::move(parts[0]);
  }

 private:
  static Status JoinLast(std::vector<Trace>* parts) {
    Trace right = std::move(parts->back());
    parts->pop_back();
    auto both = reduction::Merge(std::move(parts->back()), std::move(right));
    if (!both.ok()) return both.status();
    parts->back() = std::move(*both);
    return Status::Ok();
  }

  void CountTraffic(int64_t rank, const TwinEvent& from, const Event& e) {
    if (from.exchange < 0) return CountPart(from, e);
    const MessageEnd end = CountedEnd(MessageParamsOf(e.call()));
    const int64_t other = At(e, end.other, -1);
    if (other < 0) return;
    const SiteKey site = SiteOf(*plan_.tree->nodes[from.node].like);
    SiteTraffic& traffic = traffic_[site];
    traffic.messages += 1;
    traffic.bytes += double(At(e, end.count, 0)) * double(At(e, end.size, 1));
    traffic.elements += double(At(e, end.count, 0));
    const auto pair = uint64_t(rank) << 32 | uint64_t(other);
    traffic.partners += pairs_[site].insert(pair).second;
  }

  void CountPart(const TwinEvent& from, const Event& e) {
    if (plan_.groups.empty()) return;
    const reduction::Node& like = *plan_.tree->nodes[from.node].like;
    auto [it, is_new] = parts_.try_emplace(from.node);
    if (is_new) it->second = PartAmountOf(like);
    if (!it->second) return;
    SiteTraffic& traffic = traffic_[SiteOf(like)];
    traffic.messages += 1;
    traffic.bytes += double(At(e, it->second->count, 0)) *
                     double(At(e, it->second->size, 1));
  }

  bool OnlyAmounts(const TwinEvent& e) const {
    return e.exchange >= 0 && !plan_.exchanges[size_t(e.exchange)].is_drawn;
  }

  static int64_t At(const Event& e, int param, int64_t fallback) {
    return param < 0 ? fallback : e.ValuesAt(param)[0];
  }

  // Where a length of the event is, and whether it has a law.
  static AgreedLengths::End EndOf(const TwinTree::Item& item, const Event& e,
                                  int count, int size) {
    return {At(e, count, 0) * At(e, size, 1),
            count >= 0 && !item.law->missing[size_t(count)]};
  }

  bool HasLawfulEnds() const {
    return std::any_of(plan_.exchanges.begin(), plan_.exchanges.end(),
                       [](const auto& e) { return !e.is_drawn; });
  }

  void TellRank(int64_t rank) const {
    if (!tell_) return;
    const double of_pass = double(rank + 1) / double(plan_.ranks);
    tell_(TwinStep::kDrawing, (passes_done_ + of_pass) / passes_);
  }

  Status CollectAmounts() {
    if (!HasLawfulEnds()) return Status::Ok();
    for (int64_t rank = 0; rank < plan_.ranks; ++rank) {
      TellRank(rank);
      const Status s =
          ForEvents(rank, SameSites(), [&](const TwinEvent& from, Event* e) {
            if (!OnlyAmounts(from)) return;
            const TwinTree::Item& item = plan_.tree->nodes[from.node];
            const MessageParams p = MessageParamsOf(e->call());
            const int64_t to = At(*e, p.to, -1), source = At(*e, p.from, -1);
            if (to >= 0) {
              lengths_.AddSend(rank, to, At(*e, p.send_tag, 0),
                               EndOf(item, *e, p.send_count, p.send_size));
            }
            if (source >= 0 && PostsSizes(from)) {
              lengths_.AddReceive(source, rank, At(*e, p.recv_tag, 0),
                                  EndOf(item, *e, p.recv_count, p.recv_size));
            }
          });
      if (!s.ok()) return s;
    }
    return Status::Ok();
  }

  bool PostsSizes(const TwinEvent& e) const {
    return plan_.exchanges[size_t(e.exchange)].exchange.posts_sizes;
  }

  std::vector<uint32_t> SameSites() const {
    std::vector<uint32_t> same(like_.sites.sites.size());
    for (size_t i = 0; i < same.size(); ++i) same[i] = uint32_t(i);
    return same;
  }

  template <class F>
  Status ForEvents(int64_t rank, const std::vector<uint32_t>& sites, F f) {
    BadLaw bad;
    const auto law = RunByLaw(*plan_.tree, grid_, rank, &bad);
    if (!law.ok()) return law.status();
    const TwinStream stream(plan_, rank, *law);
    events_ += stream.events().size();
    if (events_ > kMostTwinEvents) {
      return Status::No("a twin of " + std::to_string(plan_.ranks) +
                        " ranks would have more than " +
                        std::to_string(kMostTwinEvents) + " events");
    }
    for (const TwinEvent& from : stream.events()) {
      Event e = stream.EventOf(from, sites);
      f(from, &e);
    }
    return Status::Ok();
  }

  static void SetLength(Event* e, int count, int size, int64_t bytes) {
    const int64_t each = At(*e, size, 1);
    if (bytes < 0 || each <= 0) return;
    e->MutableValues()[e->offsets()[size_t(count)]] = bytes / each;
  }

  // Both ends of a message of an exchange get what they agree on.
  void TakeAmount(int64_t rank, const TwinEvent& from, Event* e) {
    if (!OnlyAmounts(from)) return;
    const MessageParams p = MessageParamsOf(e->call());
    const int64_t to = At(*e, p.to, -1), source = At(*e, p.from, -1);
    const auto& law = *plan_.tree->nodes[from.node].law;
    const int64_t sent =
        to < 0 ? -1 : lengths_.NextSent(rank, to, At(*e, p.send_tag, 0));
    const int64_t received =
        source < 0 ? -1
                   : lengths_.NextReceived(source, rank, At(*e, p.recv_tag, 0));
    if (to >= 0) SetLength(e, p.send_count, p.send_size, sent);
    // Room for more than comes is the program's own.
    if (source >= 0 &&
        (PostsSizes(from) || law.missing[size_t(p.recv_count)])) {
      SetLength(e, p.recv_count, p.recv_size, received);
    }
  }

  Result<Trace> OneRank(int64_t rank) {
    reduction::Folder folder(reduction::Folder::Prediction::kOff);
    for (const auto& module : like_.sites.modules) folder.AddModule(module);
    std::vector<uint32_t> sites;
    for (const auto& site : like_.sites.sites) {
      sites.push_back(folder.AddSite(site));
    }
    bool complete = true;
    const Status s =
        ForEvents(rank, sites, [&](const TwinEvent& from, Event* e) {
          TakeAmount(rank, from, e);
          CountTraffic(rank, from, *e);
          complete = complete && e->Complete();
          if (complete) folder.Push(*e, 0, 0);
        });
    if (!s.ok()) return s;
    if (!complete) return Status::Internal("a drawn event lacks a parameter");
    return folder.Snapshot(rank, plan_.ranks);
  }

  const TwinPlan& plan_;
  const Trace& like_;
  const Grid& grid_;
  AgreedLengths lengths_;
  std::map<uint32_t, std::optional<PartAmount>> parts_;  // by node
  TrafficBySite traffic_;
  std::map<SiteKey, std::unordered_set<uint64_t>> pairs_;
  uint64_t events_ = 0;  // of the pass over the ranks at hand
  const int passes_;     // over all ranks
  int passes_done_ = 0;
  const TellTwin tell_;
};

}  // namespace

Result<MadeTwin> MakeTwinTrace(const TwinPlan& plan, const Trace& like,
                               const Grid& grid, const TellTwin& tell) {
  TraceMaker maker(plan, like, grid, tell);
  auto made = maker.Make();
  if (!made.ok()) return made.status();
  return MadeTwin{std::move(*made), maker.TakeTraffic()};
}

Result<MadeTwin> CountTwinTraffic(const TwinPlan& plan, const Trace& like,
                                  const Grid& grid) {
  TraceMaker maker(plan, like, grid, {});
  if (Status s = maker.Measure(); !s.ok()) return s;
  return MadeTwin{{}, maker.TakeTraffic()};
}

}  // namespace ranksight::online_model
