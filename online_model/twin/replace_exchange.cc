#include "online_model/twin/replace_exchange.h"

#include <algorithm>
#include <span>
#include <utility>

namespace ranksight::online_model {
namespace {

using reduction::MessageKind;

// Takes the calls of an exchange out of one iteration, and puts drawn ones in.
class Replacer {
 public:
  Replacer(const TwinPlan& plan, int16_t which, int64_t rank)
      : plan_(plan),
        which_(which),
        drawn_(plan.exchanges[size_t(which)]),
        rank_(rank) {}

  std::vector<TwinEvent> Replace(const std::vector<TwinEvent>& events,
                                 uint64_t iteration, uint64_t iterations) {
    TakeOut(events);
    PutIn(iteration, iterations);
    return Join();
  }

 private:
  struct Placed {
    const Talk* talk = nullptr;  // that it is like
    TwinEvent event;
  };
  SiteKey SiteAt(const TwinEvent& e) const { return SiteOf(plan_, e); }
  bool IsMine(const SiteKey& site) const {
    const auto it = plan_.exchange_of.find(site);
    return it != plan_.exchange_of.end() && it->second == which_;
  }
  void TakeOut(const std::vector<TwinEvent>& events) {
    for (size_t i = 0; i < events.size(); ++i) {
      const TwinEvent& e = events[i];
      const SiteKey site = SiteAt(e);
      if (IsMine(site)) {
        places_.try_emplace(site, kept_.size());
        continue;
      }
      if (LooksForMessage(site.first) && i + 1 < events.size() &&
          IsMine(SiteAt(events[i + 1]))) {
        // It looked at what is then received.
        probes_[SiteAt(events[i + 1])] = e;
        places_.try_emplace(SiteAt(events[i + 1]), kept_.size());
        continue;
      }
      kept_.push_back(e);
    }
  }

  // Where its calls are on this rank, or else where they stand in the tree.
  size_t UsualPlace() const {
    for (const SiteKey& site : drawn_.order) {
      const auto it = places_.find(site);
      if (it != places_.end()) return it->second;
    }
    const auto behind = std::ranges::find_if(kept_, [this](const TwinEvent& e) {
      return e.node > drawn_.first_node;
    });
    return size_t(behind - kept_.begin());
  }

  void PutIn(uint64_t iteration, uint64_t iterations) {
    const size_t usual = UsualPlace();
    if (drawn_.by_round) return PutRoundsIn(usual, iteration, iterations);
    if (drawn_.before_node) return PutBeforeNode(iteration, iterations);
    if (drawn_.meetings) return PutBetweenMeetings(iteration, iterations);
    std::map<SiteKey, std::vector<TwinEvent>> calls;
    std::vector<TwinEvent> by_edge;
    std::vector<Placed> in_turn;
    for (const uint32_t i : drawn_.of_rank[size_t(rank_)]) {
      const DrawnEdge& edge = drawn_.edges[i];
      for (const Placed& call : CallsOf(edge, iteration, iterations)) {
        const TwinEvent& e = call.event;
        if (drawn_.is_star) {
          in_turn.push_back(call);
        } else {
          (drawn_.by_edge ? by_edge : calls[SiteAt(e)]).push_back(e);
        }
      }
    }
    if (drawn_.is_star) by_edge = InTurn(std::move(in_turn));
    if (drawn_.by_edge) Insert(usual, std::move(by_edge));
    for (const SiteKey& site : drawn_.order) {
      if (!drawn_.by_edge)
        Insert(PlaceOf(site, usual), WithProbes(site, std::move(calls[site])));
    }
  }

  // As its like rank went from one partner to the next and back. All others
  // have one partner, so that nobody waits in a circle.
  static std::vector<TwinEvent> InTurn(std::vector<Placed> calls) {
    std::ranges::stable_sort(calls, {}, &Placed::talk);
    std::vector<TwinEvent> events;
    for (Placed& call : calls) events.push_back(std::move(call.event));
    return events;
  }

  // Round by round what it sends and what it receives then, in one call.
  void PutRoundsIn(size_t usual, uint64_t iteration, uint64_t iterations) {
    std::vector<TwinEvent> calls;
    std::optional<uint32_t> last;
    for (const uint32_t i : drawn_.of_rank[size_t(rank_)]) {
      const DrawnEdge& edge = drawn_.edges[i];
      const Edge& like = *edge.like;
      const auto at = TalksIn(like.at_u, iteration, iterations);
      if (at.empty()) continue;
      const size_t k = size_t(at.data() - like.at_u.data());
      if (last != edge.round) calls.push_back(NobodyAt(like.at_v[k]));
      last = edge.round;
      if (edge.u == rank_) SendAt(like.at_u[k], edge.v, &calls.back());
      if (edge.v == rank_) ReceiveAt(like.at_v[k], edge.u, &calls.back());
    }
    Insert(usual, std::move(calls));
  }

  // Of a talk, the send that it is or receives.
  const Talk& SendOf(const Talk& t) const {
    return t.sent_by < 0 ? t : plan_.last->talks[size_t(t.sent_by)];
  }

  // In the order of edges, which is one of rounds.
  void PutBeforeNode(uint64_t iteration, uint64_t iterations) {
    const auto before =
        std::ranges::find(kept_, *drawn_.before_node, &TwinEvent::node);
    std::vector<TwinEvent> events;
    for (const uint32_t i : drawn_.of_rank[size_t(rank_)]) {
      for (Placed& call : CallsInOrder(drawn_.edges[i], iteration, iterations))
        events.push_back(std::move(call.event));
    }
    Insert(size_t(before - kept_.begin()), std::move(events));
  }

  // Alike at both ends.
  std::vector<Placed> CallsInOrder(const DrawnEdge& edge, uint64_t iteration,
                                   uint64_t iterations) const {
    std::vector<Placed> calls = CallsOf(edge, iteration, iterations);
    std::ranges::stable_sort(
        calls, {}, [this](const Placed& call) { return &SendOf(*call.talk); });
    return calls;
  }

  // Where the collectives around a message are, for both ends alike, and there
  // in the order of edges, which is one of rounds.
  void PutBetweenMeetings(uint64_t iteration, uint64_t iterations) {
    const MeetingsOfTalks& known = *drawn_.meetings;
    std::vector<size_t> behind{0};  // in kept_, each of the collectives
    for (size_t i = 0; i < kept_.size(); ++i) {
      if (known.meets[kept_[i].node]) behind.push_back(i + 1);
    }
    // In front of the first one other calls may have to come before.
    const size_t first = behind.size() > 1 ? behind[1] - 1 : kept_.size();
    behind[0] = std::min(UsualPlace(), first);
    std::map<size_t, std::vector<TwinEvent>> at;
    for (const uint32_t i : drawn_.of_rank[size_t(rank_)]) {
      for (Placed& call :
           CallsInOrder(drawn_.edges[i], iteration, iterations)) {
        const Talk& of = SendOf(*call.talk);
        const auto send = size_t(&of - plan_.last->talks.data());
        const uint64_t before = IterationOfLike(
            known.before[send], known.around[send] + 1, behind.size());
        at[behind[std::min<uint64_t>(before, behind.size() - 1)]].push_back(
            std::move(call.event));
      }
    }
    for (auto& [place, events] : at) Insert(place, std::move(events));
  }

  TwinEvent NobodyAt(const EdgeTalk& t) const {
    TwinEvent e = LikeTalk(t);
    e.partner = reduction::kPeerNull;
    e.receives = {e.node, e.donor, e.copied, reduction::kPeerNull};
    return e;
  }

  static void SendAt(const EdgeTalk& t, int64_t to, TwinEvent* e) {
    e->node = t.talk->node;
    e->donor = t.talk->rank;
    e->copied = int64_t(t.talk->run);
    e->partner = to;
  }

  static void ReceiveAt(const EdgeTalk& t, int64_t from, TwinEvent* e) {
    e->receives = {t.talk->node, t.talk->rank, int64_t(t.talk->run), from};
  }

  size_t PlaceOf(const SiteKey& site, size_t usual) const {
    // What is received when it comes, whenever that was, comes behind what is
    // sent: later some might wait for one another.
    const bool waits =
        MessageParamsOf(site.first).kind == MessageKind::kReceive &&
        BlocksAlone(site.first);
    const auto it = places_.find(site);
    return it == places_.end() || waits ? usual : it->second;
  }

  std::vector<TwinEvent> WithProbes(const SiteKey& site,
                                    std::vector<TwinEvent> calls) const {
    const auto probe = probes_.find(site);
    if (probe == probes_.end()) return calls;
    std::vector<TwinEvent> with;
    for (TwinEvent& e : calls) {
      with.push_back(probe->second);
      with.back().partner = e.partner;
      with.push_back(std::move(e));
    }
    return with;
  }

  std::vector<Placed> CallsOf(const DrawnEdge& edge, uint64_t iteration,
                              uint64_t iterations) const {
    const bool at_u = edge.u == rank_;
    const auto& talks = at_u ? edge.like->at_u : edge.like->at_v;
    std::vector<Placed> calls;
    for (const EdgeTalk& t : TalksIn(talks, iteration, iterations)) {
      TwinEvent e = LikeTalk(t);
      e.partner = at_u ? edge.v : edge.u;
      // Calls that answer one another go together, whichever of several
      // messages they were about; so does what is asked and its answer.
      const auto place = uint64_t(&t - talks.data());
      const uint64_t message = edge.like->is_answered   ? place / 2
                               : edge.like->is_mirrored ? place
                                                        : MessageOf(*t.talk);
      calls.insert(calls.end(), TimesOf(edge, message, iteration), {t.talk, e});
    }
    return calls;
  }

  uint64_t MessageOf(const Talk& t) const {
    const auto mine = int64_t(&t - plan_.last->talks.data());
    return uint64_t(std::min(mine, t.taken_by >= 0 ? t.taken_by : t.sent_by));
  }

  // How often a message is there, drawn alike for both ends.
  size_t TimesOf(const DrawnEdge& edge, uint64_t message,
                 uint64_t iteration) const {
    if (drawn_.message_scale == 1) return 1;
    Draws draws(drawn_.seed + uint64_t(edge.u));
    draws = Draws(draws.Next() + uint64_t(edge.v));
    draws = Draws(draws.Next() + message);
    draws = Draws(draws.Next() + iteration);
    return size_t(draws.Round(drawn_.message_scale));
  }

  // Those that are like the iteration's.
  std::span<const EdgeTalk> TalksIn(const std::vector<EdgeTalk>& talks,
                                    uint64_t iteration,
                                    uint64_t iterations) const {
    if (talks.empty()) return {};
    const uint64_t known = IterationsOf(plan_.last->runs[talks[0].talk->rank],
                                        drawn_.exchange.loop);
    const uint64_t wanted = IterationOfLike(iteration, iterations, known);
    const auto of =
        std::ranges::equal_range(talks, wanted, {}, &EdgeTalk::iteration);
    return {of.begin(), of.end()};
  }

  TwinEvent LikeTalk(const EdgeTalk& t) const {
    TwinEvent e;
    e.node = t.talk->node;
    e.donor = t.talk->rank;
    e.copied = int64_t(t.talk->run);
    e.exchange = which_;
    return e;
  }

  void Insert(size_t place, std::vector<TwinEvent> events) {
    if (!events.empty()) inserted_.emplace_back(place, std::move(events));
  }

  std::vector<TwinEvent> Join() {
    std::stable_sort(
        inserted_.begin(), inserted_.end(),
        [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<TwinEvent> all;
    size_t next = 0;
    for (size_t i = 0; i <= kept_.size(); ++i) {
      for (; next < inserted_.size() && inserted_[next].first == i; ++next) {
        all.insert(all.end(), inserted_[next].second.begin(),
                   inserted_[next].second.end());
      }
      if (i < kept_.size()) all.push_back(kept_[i]);
    }
    return all;
  }

  const TwinPlan& plan_;
  const int16_t which_;
  const DrawnExchange& drawn_;
  const int64_t rank_;
  std::vector<TwinEvent> kept_;
  std::map<SiteKey, size_t> places_;  // in kept_
  std::map<SiteKey, TwinEvent> probes_;
  std::vector<std::pair<size_t, std::vector<TwinEvent>>> inserted_;
};

}  // namespace

std::vector<TwinEvent> ReplaceExchange(const TwinPlan& plan, int16_t which,
                                       int64_t rank,
                                       const std::vector<TwinEvent>& events,
                                       uint64_t iteration,
                                       uint64_t iterations) {
  return Replacer(plan, which, rank).Replace(events, iteration, iterations);
}

}  // namespace ranksight::online_model
