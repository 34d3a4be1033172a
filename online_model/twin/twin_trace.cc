#include "online_model/twin/twin_trace.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "online_model/api/twin.h"
#include "online_model/twin/join_ranks.h"
#include "online_model/twin/window_reach.h"
#include "reduction/api/folder.h"
#include "reduction/api/in_parallel.h"

namespace ranksight::online_model {
namespace {

using reduction::Event;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

// Ranks that one thread makes at a time: a power of two, so that their traces
// are merged as they would be one by one. Half as many are merged more often by
// one thread alone.
constexpr int64_t kBlock = 64;
// As many are made before anybody is told how far it is.
constexpr int64_t kWave = 32;

// Lengths on which both ends of a message agree, in the order of the messages
// between two ranks and with one tag: the end that has a law says it, or else
// the sender.
// Thread-safety: ranks may add at once, each what is its own, and then ask.
class AgreedLengths {
 public:
  using OtherAndTag = std::pair<int64_t, int64_t>;
  struct End {
    int64_t bytes = 0;
    bool is_law = false;
  };
  explicit AgreedLengths(int64_t ranks)
      : sent_(size_t(ranks)), posted_(size_t(ranks)) {}
  // A rank outside, which nobody is, neither sends nor receives.
  void AddSend(int64_t from, int64_t to, int64_t tag, const End& end) {
    sent_[size_t(from)][{to, tag}].push_back(end);
  }
  void AddReceive(int64_t from, int64_t to, int64_t tag, const End& end) {
    posted_[size_t(to)][{from, tag}].push_back(end);
  }
  // Of the k-th one; -1: the sender has none.
  int64_t Of(int64_t from, int64_t to, int64_t tag, size_t k) const {
    const End* const sent = Find(sent_, from, {to, tag}, k);
    if (sent == nullptr) return -1;
    const End* const posted = Find(posted_, to, {from, tag}, k);
    const bool by_receive =
        !sent->is_law && posted != nullptr && posted->is_law;
    return by_receive ? posted->bytes : sent->bytes;
  }

 private:
  using OfRank = std::map<OtherAndTag, std::vector<End>>;
  static const End* Find(const std::vector<OfRank>& all, int64_t rank,
                         const OtherAndTag& key, size_t k) {
    if (rank < 0 || rank >= int64_t(all.size())) return nullptr;
    const auto at = all[size_t(rank)].find(key);
    return at == all[size_t(rank)].end() || k >= at->second.size()
               ? nullptr
               : &at->second[k];
  }
  std::vector<OfRank> sent_, posted_;
};

class TraceMaker {
 public:
  TraceMaker(const TwinPlan& plan, const Trace& like, const Grid& grid,
             bool in_parallel, TellTwin tell)
      : plan_(plan),
        like_(like),
        grid_(grid),
        in_parallel_(in_parallel),
        lengths_(plan.ranks),
        has_open_windows_(HasOpenWindows(*plan.tree)),
        reach_(plan.ranks),
        passes_(CollectsFirst() ? 2 : 1),
        tell_(std::move(tell)) {}

  // Of the sites of exchanges, once it is made or measured.
  TrafficBySite TakeTraffic() { return std::move(counted_.traffic); }

  std::set<SiteKey> TakeMarked() { return std::move(counted_.marked); }

  // Counts alone.
  Status Measure() {
    if (Status s = CollectAmounts(); !s.ok()) return s;
    return ForRanks(
        [&](int64_t rank, Counted* counted) {
          OfRank own;
          return ForEvents(rank, SameSites(), counted,
                           [&](const TwinEvent& from, Event* e) {
                             TakeAmount(rank, from, &own, e);
                             CountTraffic(from, *e, &own, counted);
                           });
        },
        [](int64_t, int64_t) { return Status::Ok(); });
  }

  Result<Trace> Make() {
    if (Status s = CollectAmounts(); !s.ok()) return s;
    passes_done_ = passes_ - 1;
    // Of ever more ranks to the left, of each block.
    std::vector<std::vector<Trace>> of_block;
    of_block.resize(size_t(Blocks()));
    std::vector<Trace> parts;
    const Status made = ForRanks(
        [&](int64_t rank, Counted* counted) {
          auto part = OneRank(rank, counted);
          if (!part.ok()) return part.status();
          std::vector<Trace>& own = of_block[size_t(rank / kBlock)];
          own.push_back(std::move(*part));
          return JoinAsCounted(rank % kBlock + 1, &own);
        },
        [&](int64_t block, int64_t ranks) {
          std::vector<Trace>& own = of_block[size_t(block)];
          std::ranges::move(own, std::back_inserter(parts));
          own = {};
          return ranks < kBlock ? Status::Ok()
                                : JoinAsCounted(block + 1, &parts);
        });
    if (!made.ok()) return made;
    if (tell_) tell_(TwinStep::kJoining, 0);
    return JoinAll(std::move(parts));
  }

 private:
  // What ranks have in common, of those that one thread makes.
  struct Counted {
    uint64_t events = 0;
    TrafficBySite traffic;
    std::set<SiteKey> marked;
    std::map<uint32_t, std::optional<PartAmount>> parts;  // by node
  };
  // What is of one rank alone: its partners by site, and how many messages
  // there were to and from each so far.
  struct OfRank {
    std::map<SiteKey, std::unordered_set<int64_t>> partners;
    std::map<AgreedLengths::OtherAndTag, size_t> sent, received;
    WindowReach::OfRank windows;
  };

  int64_t Blocks() const { return (plan_.ranks + kBlock - 1) / kBlock; }

  // one(rank, counted) of all ranks, from several threads where laws may be
  // asked so; then ended(block, its ranks), in order and from one.
  template <class One, class Ended>
  Status ForRanks(const One& one, const Ended& ended) {
    counted_ = {};
    for (int64_t first = 0; first < Blocks(); first += kWave) {
      const auto blocks = size_t(std::min(kWave, Blocks() - first));
      std::vector<Counted> counted(blocks);
      std::vector<Status> status(blocks);
      const auto do_block = [&](size_t i) {
        const int64_t begin = (first + int64_t(i)) * kBlock;
        const int64_t end = std::min(begin + kBlock, plan_.ranks);
        for (int64_t r = begin; r < end && status[i].ok(); ++r) {
          status[i] = one(r, &counted[i]);
        }
      };
      if (in_parallel_) {
        reduction::InParallel(blocks, do_block);
      } else {
        for (size_t i = 0; i < blocks; ++i) do_block(i);
      }
      for (size_t i = 0; i < blocks; ++i) {
        if (!status[i].ok()) return status[i];
        if (Status s = AddCounted(counted[i]); !s.ok()) return s;
        const int64_t begin = (first + int64_t(i)) * kBlock;
        const int64_t end = std::min(begin + kBlock, plan_.ranks);
        if (Status s = ended(first + int64_t(i), end - begin); !s.ok()) {
          return s;
        }
        TellRank(end - 1);
      }
    }
    return Status::Ok();
  }

  Status AddCounted(const Counted& counted) {
    counted_.events += counted.events;
    for (const auto& [site, traffic] : counted.traffic) {
      AddTo(&counted_.traffic[site], traffic);
    }
    counted_.marked.insert(counted.marked.begin(), counted.marked.end());
    return CheckEvents(counted_.events);
  }

  static void AddTo(SiteTraffic* sum, const SiteTraffic& more) {
    sum->messages += more.messages;
    sum->bytes += more.bytes;
    sum->partners += more.partners;
    sum->elements += more.elements;
  }

  Status CheckEvents(uint64_t events) const {
    if (events <= kMostTwinEvents) return Status::Ok();
    return Status::No("a twin of " + std::to_string(plan_.ranks) +
                      " ranks would have more than " +
                      std::to_string(kMostTwinEvents) + " events");
  }

  void CountTraffic(const TwinEvent& from, const Event& e, OfRank* own,
                    Counted* counted) const {
    if (from.exchange < 0) return CountPart(from, e, counted);
    const MessageEnd end = CountedEnd(MessageParamsOf(e.call()));
    const int64_t other = At(e, end.other, -1);
    if (other < 0) return;
    const SiteKey site = SiteOf(*plan_.tree->nodes[from.node].like);
    SiteTraffic& traffic = counted->traffic[site];
    traffic.messages += 1;
    traffic.bytes += double(At(e, end.count, 0)) * double(At(e, end.size, 1));
    traffic.elements += double(At(e, end.count, 0));
    traffic.partners += own->partners[site].insert(other).second;
  }

  void CountPart(const TwinEvent& from, const Event& e,
                 Counted* counted) const {
    if (plan_.groups.empty()) return;
    const reduction::Node& like = *plan_.tree->nodes[from.node].like;
    auto [it, is_new] = counted->parts.try_emplace(from.node);
    if (is_new) it->second = PartAmountOf(plan_.tree->nodes[from.node]);
    if (!it->second) return;
    SiteTraffic& traffic = counted->traffic[SiteOf(like)];
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

  bool CollectsFirst() const { return HasLawfulEnds() || has_open_windows_; }

  Status CollectAmounts() {
    if (!CollectsFirst()) return Status::Ok();
    const Status s = ForRanks(
        [&](int64_t rank, Counted* counted) {
          WindowReach::OfRank windows;
          return ForEvents(
              rank, SameSites(), counted, [&](const TwinEvent& from, Event* e) {
                if (OnlyAmounts(from)) AddLengths(rank, from, *e);
                if (!has_open_windows_) return;
                reach_.Add(rank, SiteOf(plan_, from), *e, &windows);
              });
        },
        [](int64_t, int64_t) { return Status::Ok(); });
    reach_.Settle();
    return s;
  }

  // A window is at least as large as what reaches into it.
  void WidenWindow(int64_t rank, const TwinEvent& from, OfRank* own, Event* e,
                   Counted* counted) const {
    if (!has_open_windows_) return;
    const SiteKey site = SiteOf(plan_, from);
    const int size = reduction::ParamPlace(site.first, reduction::Param::kSize);
    const auto window = own->windows.Make(site);
    if (!window || !MakesWindow(site.first)) return;
    const int64_t unit =
        std::max<int64_t>(1, e->Get(reduction::Param::kDispUnit));
    const int64_t bytes = reach_.BytesOf(rank, *window, unit);
    if (bytes <= At(*e, size, 0)) return;
    e->MutableValues()[e->offsets()[size_t(size)]] = bytes;
    counted->marked.insert(site);
  }

  void AddLengths(int64_t rank, const TwinEvent& from, const Event& e) {
    const TwinTree::Item& item = plan_.tree->nodes[from.node];
    const MessageParams p = MessageParamsOf(e.call());
    const int64_t to = At(e, p.to, -1), source = At(e, p.from, -1);
    if (to >= 0) {
      lengths_.AddSend(rank, to, At(e, p.send_tag, 0),
                       EndOf(item, e, p.send_count, p.send_size));
    }
    if (source >= 0 && PostsSizes(from)) {
      lengths_.AddReceive(source, rank, At(e, p.recv_tag, 0),
                          EndOf(item, e, p.recv_count, p.recv_size));
    }
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
  Status ForEvents(int64_t rank, const std::vector<uint32_t>& sites,
                   Counted* counted, F f) const {
    BadLaw bad;
    const auto law = RunByLaw(*plan_.tree, grid_, rank, &bad);
    if (!law.ok()) return law.status();
    const TwinStream stream(plan_, rank, *law);
    counted->events += stream.events().size();
    if (Status s = CheckEvents(counted->events); !s.ok()) return s;
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
  void TakeAmount(int64_t rank, const TwinEvent& from, OfRank* own,
                  Event* e) const {
    if (!OnlyAmounts(from)) return;
    const MessageParams p = MessageParamsOf(e->call());
    const int64_t to = At(*e, p.to, -1), source = At(*e, p.from, -1);
    const TwinTree::Item& item = plan_.tree->nodes[from.node];
    const auto next = [](auto* of, int64_t other, int64_t tag) {
      return (*of)[{other, tag}]++;
    };
    const int64_t send_tag = At(*e, p.send_tag, 0);
    const int64_t recv_tag = At(*e, p.recv_tag, 0);
    const int64_t sent = to < 0 ? -1
                                : lengths_.Of(rank, to, send_tag,
                                              next(&own->sent, to, send_tag));
    const int64_t received =
        source < 0 ? -1
                   : lengths_.Of(source, rank, recv_tag,
                                 next(&own->received, source, recv_tag));
    if (to >= 0) SetLength(e, p.send_count, p.send_size, sent);
    // Room for more than comes is the program's own.
    if (source >= 0 && (PostsSizes(from) || item.is_rounded ||
                        item.law->missing[size_t(p.recv_count)])) {
      SetLength(e, p.recv_count, p.recv_size, received);
    }
  }

  Result<Trace> OneRank(int64_t rank, Counted* counted) const {
    reduction::Folder folder(reduction::Folder::Prediction::kOff);
    const std::vector<uint32_t> sites = AddSites(like_.sites, &folder);
    bool complete = true, ended = false, goes_on = false;
    OfRank own;
    const Status s =
        ForEvents(rank, sites, counted, [&](const TwinEvent& from, Event* e) {
          TakeAmount(rank, from, &own, e);
          WidenWindow(rank, from, &own, e, counted);
          if (from.style != nullptr)
            counted->marked.insert(SiteOf(plan_, from));
          CountTraffic(from, *e, &own, counted);
          goes_on = goes_on || ended;
          ended = e->call() == reduction::Call::MPI_Finalize_;
          complete = complete && e->Complete();
          if (complete) folder.Push(*e, 0, 0);
        });
    if (!s.ok()) return s;
    if (!complete) return Status::Internal("a drawn event lacks a parameter");
    if (goes_on) {
      return Status::No("rank " + std::to_string(rank) +
                        " would go on after MPI_Finalize");
    }
    return folder.Snapshot(rank, plan_.ranks);
  }

  const TwinPlan& plan_;
  const Trace& like_;
  const Grid& grid_;
  const bool in_parallel_;
  AgreedLengths lengths_;
  const bool has_open_windows_;
  WindowReach reach_;
  Counted counted_;   // of the pass over the ranks at hand
  const int passes_;  // over all ranks
  int passes_done_ = 0;
  const TellTwin tell_;
};

}  // namespace

Result<MadeTwin> MakeTwinTrace(const TwinPlan& plan, const Trace& like,
                               const Grid& grid, bool in_parallel,
                               const TellTwin& tell) {
  TraceMaker maker(plan, like, grid, in_parallel, tell);
  auto made = maker.Make();
  if (!made.ok()) return made.status();
  return MadeTwin{std::move(*made), maker.TakeTraffic(), maker.TakeMarked()};
}

Result<MadeTwin> CountTwinTraffic(const TwinPlan& plan, const Trace& like,
                                  const Grid& grid) {
  TraceMaker maker(plan, like, grid, false, {});
  if (Status s = maker.Measure(); !s.ok()) return s;
  return MadeTwin{{}, maker.TakeTraffic(), {}};
}

}  // namespace ranksight::online_model
