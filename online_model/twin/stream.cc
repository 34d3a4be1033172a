#include "online_model/twin/stream.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "reduction/api/distribution.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Info;
using reduction::MessageKind;
using reduction::Param;

bool LooksForMessage(Call call) {
  return call == Call::MPI_Probe_ || call == Call::MPI_Iprobe_;
}

bool IsOfReceive(Param param) {
  switch (param) {
    case Param::kRecvTag:
    case Param::kRecvCount:
    case Param::kRecvTypeKind:
    case Param::kRecvTypeSize:
    case Param::kRecvTypeExcess:
      return true;
    default:
      return false;
  }
}

// Where `wanted` of `there` iterations is among `known`.
uint64_t IterationOfLike(uint64_t wanted, uint64_t there, uint64_t known) {
  if (there == known || there == 0) return wanted;
  return wanted * known / there;
}

int64_t Scaled(int64_t amount, double scale) {
  if (scale == 1 || reduction::IsSpecial(amount)) return amount;
  return int64_t(std::llround(double(amount) * scale));
}

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
  SiteKey SiteAt(const TwinEvent& e) const {
    return SiteOf(*plan_.tree->nodes[e.node].like);
  }
  bool IsMine(const SiteKey& site) const {
    const auto it = plan_.exchange_of.find(site);
    return it != plan_.exchange_of.end() && it->second == which_;
  }
  const CompletionStyle* StyleAt(const SiteKey& site) const {
    const auto it = plan_.styles.find(site);
    if (it == plan_.styles.end()) return nullptr;
    const bool mine =
        std::any_of(it->second.of.begin(), it->second.of.end(),
                    [this](const SiteKey& maker) { return IsMine(maker); });
    return mine ? &it->second : nullptr;
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
      const CompletionStyle* style = StyleAt(site);
      if (style != nullptr && style->kind != CompletionStyle::Kind::kAll) {
        places_.try_emplace(site, kept_.size());
        expansions_.try_emplace(site, Expansion(e, style));
        continue;
      }
      kept_.push_back(e);
      kept_.back().style = style;
    }
  }

  static TwinEvent Expansion(const TwinEvent& e, const CompletionStyle* style) {
    TwinEvent expansion = e;
    expansion.style = style;
    expansion.expands = true;
    return expansion;
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
    std::map<SiteKey, std::vector<TwinEvent>> calls;
    std::vector<TwinEvent> by_edge;
    for (const uint32_t i : drawn_.of_rank[size_t(rank_)]) {
      const DrawnEdge& edge = drawn_.edges[i];
      for (const TwinEvent& e : CallsOf(edge, iteration, iterations)) {
        (drawn_.by_edge ? by_edge : calls[SiteAt(e)]).push_back(e);
      }
    }
    if (drawn_.by_edge) Insert(usual, std::move(by_edge));
    for (const SiteKey& site : drawn_.order) {
      if (!drawn_.by_edge)
        Insert(PlaceOf(site, usual), WithProbes(site, std::move(calls[site])));
    }
    InsertExpansions(usual);
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
    InsertExpansions(usual);
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

  void InsertExpansions(size_t usual) {
    for (const auto& [site, expansion] : expansions_) {
      Insert(std::max(PlaceOf(site, usual), usual), {expansion});
    }
  }

  size_t PlaceOf(const SiteKey& site, size_t usual) const {
    // What is received when it comes, whenever that was, comes behind what is
    // sent: later some might wait for one another.
    const bool waits =
        MessageParamsOf(site.first).kind == MessageKind::kReceive &&
        !Info(site.first).makes_request;
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

  std::vector<TwinEvent> CallsOf(const DrawnEdge& edge, uint64_t iteration,
                                 uint64_t iterations) const {
    const bool at_u = edge.u == rank_;
    const auto& talks = at_u ? edge.like->at_u : edge.like->at_v;
    std::vector<TwinEvent> calls;
    for (const EdgeTalk& t : TalksIn(talks, iteration, iterations)) {
      calls.push_back(LikeTalk(t));
      calls.back().partner = at_u ? edge.v : edge.u;
    }
    return calls;
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
  std::map<SiteKey, TwinEvent> probes_, expansions_;
  std::vector<std::pair<size_t, std::vector<TwinEvent>>> inserted_;
};

// Says of each completion which requests it completes.
class RequestBook {
 public:
  RequestBook(const TwinPlan& plan, std::vector<std::vector<int64_t>>* lists)
      : plan_(plan), lists_(lists) {
    for (const auto& [site, style] : plan.styles) {
      watched_.insert(style.of.begin(), style.of.end());
    }
  }

  void Add(const TwinEvent& e, std::vector<TwinEvent>* out) {
    const reduction::Node& like = *plan_.tree->nodes[e.node].like;
    if (e.style != nullptr) return Complete(e, out);
    if (Info(like.call).makes_request) {
      if (watched_.count(SiteOf(like)) > 0)
        open_.push_back({made_, SiteOf(like)});
      ++made_;
    }
    out->push_back(e);
  }

 private:
  struct Open {
    uint64_t number;
    SiteKey maker;
  };

  // What it completes, oldest first, no longer open.
  std::vector<uint64_t> TakeAll(const CompletionStyle& style) {
    std::vector<uint64_t> numbers;
    std::vector<Open> left;
    for (const Open& o : open_) {
      if (style.of.count(o.maker) > 0) {
        numbers.push_back(o.number);
      } else {
        left.push_back(o);
      }
    }
    open_ = std::move(left);
    return numbers;
  }

  void Complete(const TwinEvent& e, std::vector<TwinEvent>* out) {
    const CompletionStyle& style = *e.style;
    std::vector<uint64_t> numbers = TakeAll(style);
    const auto passed = int64_t(numbers.size());
    if (!e.expands) return Push(e, numbers, passed, out);
    if (style.kind == CompletionStyle::Kind::kEach && style.newest_first) {
      std::reverse(numbers.begin(), numbers.end());
    }
    const size_t taken = style.kind == CompletionStyle::Kind::kEach
                             ? 1
                             : size_t(std::max(1.0, std::round(style.taken)));
    for (size_t i = 0; i < numbers.size(); i += taken) {
      const size_t end = std::min(i + taken, numbers.size());
      Push(e,
           {numbers.begin() + ptrdiff_t(i), numbers.begin() + ptrdiff_t(end)},
           passed, out);
    }
    if (style.ends_with_none) Push(e, {}, passed, out);
  }

  void Push(const TwinEvent& e, const std::vector<uint64_t>& numbers,
            int64_t passed, std::vector<TwinEvent>* out) {
    std::vector<int64_t> references;
    for (const uint64_t n : numbers) references.push_back(int64_t(made_ - n));
    std::sort(references.rbegin(), references.rend());
    out->push_back(e);
    out->back().completes = int32_t(lists_->size());
    out->back().passed =
        e.style->passes_open ? int64_t(numbers.size()) : passed;
    lists_->push_back(std::move(references));
  }

  const TwinPlan& plan_;
  std::set<SiteKey> watched_;
  std::vector<std::vector<int64_t>>* lists_;
  std::vector<Open> open_;
  uint64_t made_ = 0;
};

}  // namespace

TwinStream::TwinStream(const TwinPlan& plan, int64_t rank, const RankRun& law)
    : plan_(plan),
      rank_(rank),
      donor_(DonorOf(rank, plan.ranks, plan.last->ranks)),
      law_(law) {
  Body(0, 0, 0);
  ResolveRequests();
}

void TwinStream::Visit(int at, int64_t by_law, int64_t copied) {
  const bool copies = plan_.tree->nodes[size_t(at)].copied;
  const auto& like = plan_.last->runs[size_t(donor_)].nodes[size_t(at)].starts;
  uint64_t from = 0, known = 0;
  if (copied >= 0 && size_t(copied) + 1 < like.size()) {
    from = like[size_t(copied)];
    known = like[size_t(copied) + 1] - from;
  }
  if (copies) {
    const auto scale = plan_.trip_scales.find(at);
    const uint64_t count =
        scale == plan_.trip_scales.end()
            ? known
            : uint64_t(std::llround(double(known) * scale->second));
    for (uint64_t k = 0; k < count; ++k) {
      Body(at, TwinEvent::kNone,
           int64_t(from + IterationOfLike(k, count, known)));
    }
    return;
  }
  const auto& starts = law_.nodes[size_t(at)].starts;
  const uint64_t begin = starts[size_t(by_law)];
  const uint64_t count = starts[size_t(by_law) + 1] - begin;
  for (uint64_t k = 0; k < count; ++k) {
    const int64_t as = known == 0
                           ? TwinEvent::kNone
                           : int64_t(from + IterationOfLike(k, count, known));
    Body(at, int64_t(begin + k), as);
  }
}

void TwinStream::Body(int at, int64_t by_law, int64_t copied) {
  const TwinTree::Item& item = plan_.tree->nodes[size_t(at)];
  if (item.like->is_event()) {
    TwinEvent e;
    e.node = uint32_t(at);
    e.donor = uint32_t(donor_);
    e.by_law = by_law;
    e.copied = copied;
    const auto it = plan_.exchange_of.find(SiteOf(*item.like));
    if (it != plan_.exchange_of.end()) e.exchange = it->second;
    events_.push_back(e);
    return;
  }
  const size_t begin = events_.size();
  for (const int child : item.children) Visit(child, by_law, copied);
  for (size_t i = 0; i < plan_.exchanges.size(); ++i) {
    const DrawnExchange& drawn = plan_.exchanges[i];
    if (drawn.is_drawn && drawn.exchange.loop == at) {
      Rewrite(int16_t(i), uint64_t(by_law), begin);
    }
  }
}

void TwinStream::Rewrite(int16_t which, uint64_t iteration, size_t begin) {
  const int loop = plan_.exchanges[size_t(which)].exchange.loop;
  const std::vector<TwinEvent> old(events_.begin() + ptrdiff_t(begin),
                                   events_.end());
  const std::vector<TwinEvent> now =
      Replacer(plan_, which, rank_)
          .Replace(old, iteration, IterationsOf(law_, loop));
  events_.resize(begin);
  events_.insert(events_.end(), now.begin(), now.end());
}

void TwinStream::ResolveRequests() {
  std::vector<TwinEvent> resolved;
  RequestBook book(plan_, &references_);
  for (const TwinEvent& e : events_) book.Add(e, &resolved);
  events_ = std::move(resolved);
}

int64_t TwinStream::Kept(int64_t value, Param param) const {
  // A rank of a larger run is none of this one.
  if (!reduction::IsRank(param) || value < plan_.ranks) return value;
  return plan_.ranks - 1;
}

int64_t TwinStream::Scalar(const TwinEvent& e, size_t param) const {
  const NodeRun& law = law_.nodes[e.node];
  if (e.by_law >= 0 && param < law.params.size() &&
      uint64_t(e.by_law) < law.params[param].size()) {
    return law.params[param].At(uint64_t(e.by_law));
  }
  if (param < law.single.size() && law.single[param]) return *law.single[param];
  const auto& params = plan_.last->runs[e.donor].nodes[e.node].params;
  const Param role = Info(plan_.tree->nodes[e.node].like->call).params[param];
  if (e.copied >= 0 && param < params.size() &&
      uint64_t(e.copied) < params[param].size()) {
    return Kept(params[param].At(uint64_t(e.copied)), role);
  }
  // As any rank has it that makes the call.
  for (const RankRun& run : plan_.last->runs) {
    const auto& other = run.nodes[e.node].params;
    if (param < other.size() && other[param].size() > 0) {
      return Kept(other[param].At(0), role);
    }
  }
  return reduction::kNotKept;
}

int64_t TwinStream::ArrayStart(const RankRun& run, uint32_t node, size_t length,
                               int64_t occurrence) const {
  auto& starts = starts_[{&run, {node, length}}];
  if (starts.empty()) {
    const ValueList& lengths = run.nodes[node].params[length];
    starts.push_back(0);
    for (uint64_t k = 0; k < lengths.size(); ++k) {
      starts.push_back(starts.back() + std::max<int64_t>(lengths.At(k), 0));
    }
  }
  return starts[size_t(occurrence)];
}

std::vector<int64_t> TwinStream::Array(const TwinEvent& e, size_t param,
                                       int64_t length) const {
  std::vector<int64_t> values;
  const Call call = plan_.tree->nodes[e.node].like->call;
  const Param role = Info(call).params[param];
  const size_t by = LengthIndexOf(call, param);
  const NodeRun& law = law_.nodes[e.node];
  if (e.by_law >= 0 && param < law.params.size() &&
      law.params[param].size() > 0) {
    const int64_t from = ArrayStart(law_, e.node, by, e.by_law);
    for (int64_t k = 0; k < length; ++k) {
      values.push_back(law.params[param].At(uint64_t(from + k)));
    }
    return values;
  }
  if (param < law.single.size() && law.single[param]) {
    values.assign(size_t(length), *law.single[param]);
    return values;
  }
  const RankRun& like = plan_.last->runs[e.donor];
  const auto& params = like.nodes[e.node].params;
  if (e.copied < 0 || param >= params.size() || params[param].size() == 0) {
    values.assign(size_t(length), 0);
    return values;
  }
  const int64_t from = ArrayStart(like, e.node, by, e.copied);
  const int64_t known = ArrayStart(like, e.node, by, e.copied + 1) - from;
  for (int64_t k = 0; k < length; ++k) {
    const bool of_ranks = length == plan_.ranks && known == plan_.last->ranks;
    const int64_t at =
        of_ranks ? DonorOf(k, length, known) : std::min(k, known - 1);
    const int64_t value =
        known == 0 ? 0 : Kept(params[param].At(uint64_t(from + at)), role);
    values.push_back(Scaled(value, AmountScaleOf(e, param)));
  }
  return values;
}

// Of an amount without a law; 1 of all else.
double TwinStream::AmountScaleOf(const TwinEvent& e, size_t param) const {
  const TwinTree::Item& item = plan_.tree->nodes[e.node];
  const Param role = Info(item.like->call).params[param];
  if (!item.law->missing[param] || !reduction::IsAmount(role)) return 1;
  if (e.exchange >= 0) {
    return plan_.exchanges[size_t(e.exchange)].amount_scale;
  }
  const auto it = plan_.amount_scales.find(SiteOf(*item.like));
  return it == plan_.amount_scales.end() ? 1 : it->second;
}

// What it receives is said by the like of that call.
int64_t TwinStream::ShiftValue(const TwinEvent& e, size_t param) const {
  const auto of = [&](const TwinEvent& like, size_t i) {
    return plan_.tree->nodes[like.node].law->absent[i]
               ? 0
               : Scaled(Scalar(like, i), AmountScaleOf(like, i));
  };
  const Call call = plan_.tree->nodes[e.node].like->call;
  const MessageParams roles = MessageParamsOf(call);
  if (int(param) == roles.to) return e.partner;
  if (int(param) == roles.from) return e.receives->from;
  const Param role = Info(call).params[param];
  if (!IsOfReceive(role)) return of(e, param);
  TwinEvent like = e;
  like.node = e.receives->node;
  like.donor = e.receives->donor;
  like.copied = e.receives->copied;
  const auto params = Info(plan_.tree->nodes[like.node].like->call).params;
  const auto at = std::find(params.begin(), params.end(), role);
  return at == params.end() ? of(e, param)
                            : of(like, size_t(at - params.begin()));
}

Event TwinStream::EventOf(const TwinEvent& e,
                          const std::vector<uint32_t>& sites) const {
  const TwinTree::Item& item = plan_.tree->nodes[e.node];
  const auto params = Info(item.like->call).params;
  const MessageParams roles = MessageParamsOf(item.like->call);
  Event event(item.like->call);
  event.site = sites[item.like->site];
  std::vector<int64_t> scalars(params.size(), 0);
  for (size_t i = 0; i < params.size(); ++i) {
    if (reduction::IsArray(params[i])) {
      const size_t by = LengthIndexOf(item.like->call, i);
      if (e.completes >= 0 && params[i] == Param::kRequests) {
        event.AddArray(references_[size_t(e.completes)]);
        continue;
      }
      event.AddArray(Array(e, i, std::max<int64_t>(scalars[by], 0)));
      continue;
    }
    int64_t value = item.law->absent[i] ? 0 : Scalar(e, i);
    if (e.completes >= 0 && params[i] == Param::kOpenCount) {
      value = int64_t(references_[size_t(e.completes)].size());
    }
    if (e.completes >= 0 && params[i] == Param::kRequestCount) {
      const bool open = std::find(params.begin(), params.end(),
                                  Param::kOpenCount) != params.end();
      value =
          open ? e.passed : int64_t(references_[size_t(e.completes)].size());
    }
    const bool is_peer =
        int(i) == roles.to || int(i) == roles.from ||
        (LooksForMessage(item.like->call) && params[i] == Param::kPeer);
    if (e.partner >= 0 && is_peer && !reduction::IsSpecial(value)) {
      value = e.partner;
    }
    value = e.receives ? ShiftValue(e, i) : Scaled(value, AmountScaleOf(e, i));
    scalars[i] = value;
    event.Add(value);
  }
  return event;
}

}  // namespace ranksight::online_model
