#include "online_model/twin/exchange.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "online_model/synthesize/node_name.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::MessageKind;
using reduction::Node;

bool IsMissing(const TwinTree::Item& item, int param) {
  return param >= 0 && item.law->missing[size_t(param)];
}

// Whether who, whether or how often has no law.
bool IsIrregular(const TwinTree::Item& item, const MessageParams& p) {
  return item.copied || item.is_drawn || IsMissing(item, p.to) ||
         IsMissing(item, p.from) || IsMissing(item, p.send_tag) ||
         IsMissing(item, p.recv_tag);
}

bool HasOpenAmount(const TwinTree::Item& item, const MessageParams& p) {
  return item.vanishes || item.is_rounded || IsMissing(item, p.send_count) ||
         IsMissing(item, p.recv_count);
}

// Sets of sites, united as messages show.
class SiteSets {
 public:
  size_t IndexOf(const SiteKey& site) {
    const auto [at, added] = index_.try_emplace(site, parent_.size());
    if (added) {
      parent_.push_back(at->second);
      sites_.push_back(site);
    }
    return at->second;
  }
  size_t RootOf(size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void Unite(size_t a, size_t b) { parent_[RootOf(a)] = RootOf(b); }
  const std::vector<SiteKey>& sites() const { return sites_; }

 private:
  std::map<SiteKey, size_t> index_;
  std::vector<size_t> parent_;
  std::vector<SiteKey> sites_;
};

std::vector<int> PathTo(const TwinTree& tree, int node) {
  std::vector<int> path;
  for (int n = node; n >= 0; n = tree.nodes[size_t(n)].parent) {
    path.push_back(n);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

bool Has(const std::vector<SiteKey>& sites, const SiteKey& site) {
  return std::find(sites.begin(), sites.end(), site) != sites.end();
}

// Whether every message is received in the iteration in which it is sent.
bool StaysInIterations(const TwinTree& tree, const Exchange& exchange,
                       InputRun* input) {
  CountIterations(tree, exchange.loop, input);
  for (const Talk& t : input->talks) {
    if (!Has(exchange.sites, SiteOf(*tree.nodes[t.node].like))) continue;
    if (t.taken_by == Talk::kNone) continue;
    if (input->talks[size_t(t.taken_by)].iteration != t.iteration) {
      return false;
    }
  }
  return true;
}

bool IsBoth(Call call) {
  const auto& info = reduction::Info(call);
  return reduction::MessageKindOf(call) == MessageKind::kBoth &&
         !info.makes_request && !info.makes_persistent;
}

bool IsShift(const MessageParams& p, const InputRun& input, const Talk& t) {
  return p.kind == MessageKind::kBoth &&
         ParamOf(input, t, p.to, -1) != ParamOf(input, t, p.from, -1);
}

// Why an exchange cannot be drawn, as far as one input tells.
std::string Unmatched(const TwinTree& tree, const Exchange& exchange,
                      const InputRun& input) {
  for (const Talk& t : input.talks) {
    const Node& like = *tree.nodes[t.node].like;
    if (!Has(exchange.sites, SiteOf(like))) continue;
    const MessageParams p = MessageParamsOf(like.call);
    const int64_t to = ParamOf(input, t, p.to, reduction::kPeerNull);
    const int64_t from = ParamOf(input, t, p.from, reduction::kPeerNull);
    const bool receives = from >= 0 || from == reduction::kPeerAny;
    const bool open_send = to >= 0 && t.taken_by == Talk::kNone;
    const bool open_receive = receives && t.sent_by == Talk::kNone;
    if (open_send || open_receive) {
      return "its messages and receives do not go together";
    }
  }
  return "";
}

// Whether all ranks run the loop as often: who does not has no place for what
// others say to it there.
bool AllRunAlike(const InputRun& input, int loop) {
  return std::ranges::all_of(input.runs, [&](const RankRun& run) {
    return IterationsOf(run, loop) == IterationsOf(input.runs[0], loop);
  });
}

void PlaceLoop(const TwinTree& tree, std::vector<InputRun>* inputs,
               Exchange* exchange) {
  exchange->loop = LoopAround(tree, exchange->sites);
  while (exchange->loop > 0 &&
         !std::all_of(inputs->begin(), inputs->end(), [&](InputRun& input) {
           return StaysInIterations(tree, *exchange, &input) &&
                  (!tree.sets_apart || AllRunAlike(input, exchange->loop));
         })) {
    exchange->loop = tree.nodes[size_t(exchange->loop)].parent;
  }
}

// Whether receives say as much as is sent, where one input tells.
bool PostsSizes(const TwinTree& tree, const Exchange& exchange,
                const InputRun& input) {
  return std::ranges::all_of(input.talks, [&](const Talk& t) {
    if (t.sent_by == Talk::kNone || !IsOf(exchange, tree, t)) return true;
    const Talk& send = input.talks[size_t(t.sent_by)];
    const MessageParams mine = MessageParamsOf(tree.nodes[t.node].like->call);
    const MessageParams theirs =
        MessageParamsOf(tree.nodes[send.node].like->call);
    return ParamOf(input, t, mine.recv_count, 0) *
               ParamOf(input, t, mine.recv_size, 1) ==
           ParamOf(input, send, theirs.send_count, 0) *
               ParamOf(input, send, theirs.send_size, 1);
  });
}

void JudgeShifts(const TwinTree& tree, const InputRun& input,
                 Exchange* exchange) {
  bool others = false;
  for (const Talk& t : input.talks) {
    if (!IsOf(*exchange, tree, t)) continue;
    const MessageParams p = MessageParamsOf(tree.nodes[t.node].like->call);
    exchange->shifts |= IsShift(p, input, t);
    others |= p.kind != MessageKind::kBoth;
  }
  if (exchange->shifts && others && exchange->refused.empty()) {
    exchange->refused =
        "some of its calls send to one rank and receive from another, others "
        "do not do both";
  }
}

void Judge(const TwinTree& tree, std::vector<InputRun>* inputs,
           Exchange* exchange) {
  bool exact_sends = true;
  for (size_t n = 1; n < tree.nodes.size(); ++n) {
    const TwinTree::Item& item = tree.nodes[n];
    if (!item.like->is_event() || !Has(exchange->sites, SiteOf(*item.like))) {
      continue;
    }
    const MessageParams p = MessageParamsOf(item.like->call);
    exchange->irregular |= IsIrregular(item, p);
    exchange->amounts |= HasOpenAmount(item, p);
    exchange->sizes |=
        IsMissing(item, p.send_size) || IsMissing(item, p.recv_size);
    exchange->comms |= IsMissing(
        item, reduction::ParamPlace(item.like->call, reduction::Param::kComm));
    if (p.kind != MessageKind::kReceive)
      exact_sends &= !item.copied && !item.is_drawn;
  }
  exchange->exact_sends = exact_sends;
  for (const InputRun& input : *inputs) {
    if (!exchange->refused.empty()) break;
    exchange->refused = Unmatched(tree, *exchange, input);
    JudgeShifts(tree, input, exchange);
    exchange->posts_sizes &= PostsSizes(tree, *exchange, input);
  }
}

// A set of sites each, where anything has no law.
std::vector<Exchange> Judged(const TwinTree& tree, SiteSets sets,
                             std::vector<InputRun>* inputs) {
  std::map<size_t, Exchange> by_root;
  for (size_t i = 0; i < sets.sites().size(); ++i) {
    by_root[sets.RootOf(i)].sites.push_back(sets.sites()[i]);
  }
  std::vector<Exchange> found;
  for (auto& [root, exchange] : by_root) {
    Judge(tree, inputs, &exchange);
    if (exchange.irregular || exchange.amounts || exchange.sizes ||
        exchange.comms) {
      found.push_back(std::move(exchange));
    }
  }
  return found;
}

// How many collectives that every rank makes stand before each node.
std::vector<int> PhasesOf(const TwinTree& tree, const InputRun& input) {
  std::vector<int> phases;
  int phase = 0;
  for (size_t n = 0; n < tree.nodes.size(); ++n) {
    phases.push_back(phase);
    const TwinTree::Item& item = tree.nodes[n];
    if (!item.like->is_event() || item.copied ||
        reduction::Info(item.like->call).family !=
            reduction::Family::kCollective) {
      continue;
    }
    phase += std::ranges::none_of(
        input.runs, [n](const RankRun& run) { return run.nodes[n].empty(); });
  }
  return phases;
}

// What blocks in one loop is drawn together, or one rank might be in one
// exchange while the other is in another: but for collectives of all between
// them, which nobody passes in another order. Drawn together, one rank's calls
// might stand before these and the other's behind.
void UniteBlocking(const TwinTree& tree, const InputRun& largest,
                   const std::vector<Exchange>& found, SiteSets* sets) {
  const std::vector<int> phases = PhasesOf(tree, largest);
  std::map<std::pair<int, int>, size_t> first_in;  // by loop and phase
  std::vector<std::pair<std::pair<int, int>, size_t>> both;
  for (const Exchange& exchange : found) {
    if (!exchange.irregular || exchange.shifts) continue;
    for (size_t n = 0; n < tree.nodes.size(); ++n) {
      const TwinTree::Item& item = tree.nodes[n];
      if (!item.like->is_event() || !Has(exchange.sites, SiteOf(*item.like))) {
        continue;
      }
      int loop = item.parent;
      while (tree.nodes[size_t(loop)].copied) {
        loop = tree.nodes[size_t(loop)].parent;
      }
      const size_t index = sets->IndexOf(SiteOf(*item.like));
      const std::pair<int, int> place{loop, phases[n]};
      if (tree.draws_together && IsBoth(item.like->call)) {
        both.emplace_back(place, index);
      }
      if (!BlocksAlone(item.like->call)) continue;
      const auto [first, is_new] = first_in.try_emplace(place, index);
      if (!is_new) sets->Unite(first->second, index);
    }
  }
  // Who sends and receives in one call waits as well, if for one rank alone.
  for (const auto& [place, index] : both) {
    const auto first = first_in.find(place);
    if (first != first_in.end()) sets->Unite(first->second, index);
  }
}

struct EdgeKey {
  int64_t u, v;
  uint64_t message;  // where each is its own; the round of a shift
  auto operator<=>(const EdgeKey&) const = default;
};

class EdgeCollector {
 public:
  EdgeCollector(const TwinTree& tree, const Exchange& exchange, EdgeForm form,
                const InputRun& input)
      : tree_(tree), exchange_(exchange), form_(form), input_(input) {}

  EdgeList Collect() {
    for (size_t i = 0; i < input_.talks.size(); ++i) {
      if (!Has(exchange_.sites,
               SiteOf(*tree_.nodes[input_.talks[i].node].like))) {
        continue;
      }
      form_ == EdgeForm::kShift ? AddShift(i) : Add(i);
    }
    list_.ranks = input_.ranks;
    list_.sides = input_.sides;
    list_.both_ways = form_ == EdgeForm::kBothWays;
    for (auto& [key, edge] : edges_) {
      edge.is_mirrored = IsMirrored(edge);
      edge.is_answered = edge.is_mirrored && Alternates(edge);
      list_.edges.push_back(std::move(edge));
    }
    return std::move(list_);
  }

 private:
  // The message that the call sends; the round is which call of its iteration
  // it is.
  void AddShift(size_t i) {
    const Talk& t = input_.talks[i];
    const bool goes_on = last_ != nullptr && last_->rank == t.rank &&
                         last_->iteration == t.iteration;
    round_ = goes_on ? round_ + 1 : 0;
    last_ = &t;
    if (t.taken_by < 0) return;
    const Talk& other = input_.talks[size_t(t.taken_by)];
    Edge& edge = edges_[{t.rank, other.rank, round_}];
    edge.u = t.rank;
    edge.v = other.rank;
    edge.round = uint32_t(round_);
    edge.at_u.push_back({t.iteration, &t});
    edge.at_v.push_back({t.iteration, &other});
    AddMessage(t, &edge);
  }

  bool IsSend(const EdgeTalk& t) const {
    return MessageParamsOf(tree_.nodes[t.talk->node].like->call).to >= 0;
  }

  bool IsMirrored(const Edge& edge) const {
    return std::ranges::equal(
        edge.at_u, edge.at_v, [this](const EdgeTalk& a, const EdgeTalk& b) {
          return a.iteration == b.iteration && IsSend(a) != IsSend(b);
        });
  }

  bool Alternates(const Edge& edge) const {
    return std::ranges::adjacent_find(
               edge.at_u, [this](const EdgeTalk& a, const EdgeTalk& b) {
                 return a.iteration != b.iteration || IsSend(a) == IsSend(b);
               }) == edge.at_u.end();
  }

  void AddMessage(const Talk& t, Edge* edge) const {
    const MessageParams p = MessageParamsOf(tree_.nodes[t.node].like->call);
    ++edge->messages;
    edge->bytes += double(ParamOf(input_, t, p.send_count, 0)) *
                   double(ParamOf(input_, t, p.send_size, 1));
  }

  void Add(size_t i) {
    const Talk& t = input_.talks[i];
    const MessageParams p = MessageParamsOf(tree_.nodes[t.node].like->call);
    const int64_t to =
        t.taken_by < 0 ? -1 : int64_t(input_.talks[size_t(t.taken_by)].rank);
    const int64_t from =
        t.sent_by < 0 ? -1 : int64_t(input_.talks[size_t(t.sent_by)].rank);
    if (to >= 0) AddMessage(t, &Add(t, t.rank, to, i));
    if (from >= 0 && p.kind != MessageKind::kBoth) {
      (void)Add(t, from, t.rank, size_t(t.sent_by));
    }
  }

  Edge& Add(const Talk& t, int64_t from, int64_t to, size_t send) {
    EdgeKey key{from, to, form_ == EdgeForm::kFresh ? send : 0};
    if (form_ == EdgeForm::kBothWays && to < from) std::swap(key.u, key.v);
    Edge& edge = edges_[key];
    edge.u = key.u;
    edge.v = key.v;
    (int64_t(t.rank) == key.u ? edge.at_u : edge.at_v)
        .push_back({t.iteration, &t});
    return edge;
  }

  const TwinTree& tree_;
  const Exchange& exchange_;
  EdgeForm form_;
  const InputRun& input_;
  std::map<EdgeKey, Edge> edges_;
  EdgeList list_;
  const Talk* last_ = nullptr;  // of shifts
  uint64_t round_ = 0;
};

}  // namespace

bool BlocksAlone(Call call) {
  const MessageKind kind = reduction::MessageKindOf(call);
  const auto& info = reduction::Info(call);
  return (kind == MessageKind::kSend || kind == MessageKind::kReceive) &&
         !info.makes_request && !info.makes_persistent;
}

int LoopAround(const TwinTree& tree, const std::vector<SiteKey>& sites) {
  std::vector<int> common;
  for (size_t n = 1; n < tree.nodes.size(); ++n) {
    const Node& like = *tree.nodes[n].like;
    if (!like.is_event() || !Has(sites, SiteOf(like))) continue;
    std::vector<int> path = PathTo(tree, tree.nodes[n].parent);
    if (common.empty()) {
      common = std::move(path);
      continue;
    }
    const auto differs =
        std::mismatch(common.begin(), common.end(), path.begin(), path.end());
    common.erase(differs.first, common.end());
  }
  while (common.size() > 1 && tree.nodes[size_t(common.back())].copied) {
    common.pop_back();
  }
  return common.empty() ? 0 : common.back();
}

bool IsOf(const Exchange& exchange, const TwinTree& tree, const Talk& t) {
  return Has(exchange.sites, SiteOf(*tree.nodes[t.node].like));
}

TrafficBySite TrafficOf(const TwinTree& tree, const Exchange& exchange,
                        const InputRun& input) {
  TrafficBySite traffic;
  std::set<std::tuple<SiteKey, int64_t, int64_t>> pairs;
  for (const SiteKey& site : exchange.sites) traffic[site] = {};
  for (const Talk& t : input.talks) {
    if (!IsOf(exchange, tree, t)) continue;
    const SiteKey site = SiteOf(*tree.nodes[t.node].like);
    const MessageEnd end = CountedEnd(MessageParamsOf(site.first));
    int64_t other = ParamOf(input, t, end.other, -1);
    // What is drawn names whom it receives from.
    if (other == reduction::kPeerAny && exchange.irregular && t.sent_by >= 0) {
      other = int64_t(input.talks[size_t(t.sent_by)].rank);
    }
    if (other < 0) continue;
    SiteTraffic& at = traffic[site];
    at.messages += 1;
    at.bytes += double(ParamOf(input, t, end.count, 0)) *
                double(ParamOf(input, t, end.size, 1));
    at.elements += double(ParamOf(input, t, end.count, 0));
    at.partners += pairs.insert({site, t.rank, other}).second;
  }
  return traffic;
}

TrafficBySite TrafficOfParts(const TwinTree& tree, const InputRun& input) {
  TrafficBySite traffic;
  for (size_t n = 1; n < tree.nodes.size(); ++n) {
    const Node& like = *tree.nodes[n].like;
    if (!like.is_event()) continue;
    const auto at = PartAmountOf(tree.nodes[n]);
    if (!at) continue;
    SiteTraffic& sum = traffic[SiteOf(like)];
    for (int64_t r = 0; r < input.ranks; ++r) {
      const NodeRun& run = input.runs[size_t(r)].nodes[n];
      Talk t;
      t.rank = uint32_t(r);
      t.node = uint32_t(n);
      for (t.run = 0; !run.empty() && t.run < run.starts.back(); ++t.run) {
        sum.messages += 1;
        sum.bytes += double(ParamOf(input, t, at->count, 0)) *
                     double(ParamOf(input, t, at->size, 1));
      }
    }
  }
  return traffic;
}

std::vector<Exchange> FindExchanges(const TwinTree& tree,
                                    std::vector<InputRun>* inputs) {
  SiteSets sets;
  for (const InputRun& input : *inputs) {
    for (const Talk& t : input.talks) {
      const size_t mine = sets.IndexOf(SiteOf(*tree.nodes[t.node].like));
      if (t.taken_by == Talk::kNone) continue;
      const Talk& other = input.talks[size_t(t.taken_by)];
      sets.Unite(mine, sets.IndexOf(SiteOf(*tree.nodes[other.node].like)));
    }
  }
  UniteBlocking(tree, inputs->back(), Judged(tree, sets, inputs), &sets);
  std::vector<Exchange> found = Judged(tree, sets, inputs);
  for (Exchange& exchange : found) PlaceLoop(tree, inputs, &exchange);
  return found;
}

EdgeForm FormOf(const TwinTree& tree, const Exchange& exchange,
                const InputRun& input) {
  if (exchange.shifts) return EdgeForm::kShift;
  std::map<std::pair<int64_t, int64_t>, std::set<uint64_t>> pairs;
  uint64_t messages = 0, iterations = 0;
  for (const Talk& t : input.talks) {
    const Node& like = *tree.nodes[t.node].like;
    if (!Has(exchange.sites, SiteOf(like)) || t.taken_by < 0) continue;
    const int64_t to = input.talks[size_t(t.taken_by)].rank;
    pairs[{t.rank, to}].insert(t.iteration);
    iterations = std::max(iterations, t.iteration + 1);
    ++messages;
  }
  uint64_t mutual = 0, meetings = 0;
  for (const auto& [pair, in] : pairs) {
    mutual += pairs.count({pair.second, pair.first});
    meetings += in.size();
  }
  // A pair in nine of ten: a few may meet one way only.
  if (10 * mutual >= 9 * pairs.size()) return EdgeForm::kBothWays;
  // Partners that stay meet in most iterations.
  const bool stay =
      iterations <= 1 || 2 * meetings >= iterations * pairs.size();
  return stay ? EdgeForm::kOneWay : EdgeForm::kFresh;
}

EdgeList EdgesOf(const TwinTree& tree, const Exchange& exchange, EdgeForm form,
                 const InputRun& input) {
  return EdgeCollector(tree, exchange, form, input).Collect();
}

}  // namespace ranksight::online_model
