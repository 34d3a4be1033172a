#include "online_model/twin/stream.h"

// What calls of a twin have: each parameter by its law, by the like rank, or by
// what was drawn. Which calls there are: stream.cc.
#include <algorithm>
#include <cmath>
#include <utility>

#include "online_model/twin/draw.h"
#include "online_model/twin/requests.h"
#include "online_model/twin/window_reach.h"
#include "reduction/api/distribution.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Info;
using reduction::Param;

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

// Of a list of neighbours, or how many they are; nothing of all else.
// own: the rank whose they are.
std::optional<std::vector<int64_t>> ListOfGraph(
    const DrawnGraphs::Neighbours& graph, Call call, Param role, int64_t own) {
  const bool by_source = call == Call::MPI_Dist_graph_create_;
  switch (role) {
    case Param::kSourceCount:
    case Param::kSources:
      return by_source ? std::vector<int64_t>{own} : graph.sources;
    case Param::kDegrees:
      return std::vector<int64_t>{int64_t(graph.destinations.size())};
    case Param::kDestinationCount:
    case Param::kDestinations:
      return graph.destinations;
    default:
      return std::nullopt;
  }
}

// Whether, of what a message sends or receives, how many elements it has has a
// law, and what an element is has none.
bool ChangesSize(const TwinTree::Item& item, bool receives) {
  const MessageParams p = MessageParamsOf(item.like->call);
  const bool of_receive = receives || p.to < 0;
  const int count = of_receive ? p.recv_count : p.send_count;
  const int size = of_receive ? p.recv_size : p.send_size;
  return count >= 0 && size >= 0 && item.HasNoLaw(size_t(size)) &&
         !item.HasNoLaw(size_t(count));
}

// Sides whose product is `ranks`, to one another about as these.
std::vector<int64_t> SidesLike(const std::vector<int64_t>& like,
                               int64_t ranks) {
  std::vector<int64_t> sides(like.size(), 1);
  const auto give = [&](int64_t factor) {
    // To the side that lacks most.
    size_t least = 0;
    for (size_t d = 1; d < sides.size(); ++d) {
      if (sides[d] * like[least] < sides[least] * like[d]) least = d;
    }
    if (!sides.empty()) sides[least] *= factor;
  };
  std::vector<int64_t> factors;
  int64_t left = ranks;
  for (int64_t f = 2; f * f <= left; ++f) {
    for (; left % f == 0; left /= f) factors.push_back(f);
  }
  if (left > 1) factors.push_back(left);
  std::ranges::reverse(factors);
  for (const int64_t factor : factors) give(factor);
  return sides;
}

// Up or down, so that many amounts of a few elements come to their sum: up
// where `place` is high. Each rounded for itself, halves of one element all
// become one or none.
int64_t RoundedByPlace(int64_t amount, double scale, double place) {
  if (scale == 1 || reduction::IsSpecial(amount)) return amount;
  const double exact = double(amount) * scale;
  const double down = std::floor(exact);
  return int64_t(down) + (exact - down >= 1 - place ? 1 : 0);
}

// What only the root gives or takes, and where it is in place.
bool IsOfRole(Param p) {
  return reduction::IsAmount(p) || IsPeerCount(p) || p == Param::kInPlace ||
         p == Param::kTypeKind || p == Param::kTypeSize ||
         p == Param::kTypeExcess || p == Param::kRecvTypeKind ||
         p == Param::kRecvTypeSize || p == Param::kRecvTypeExcess;
}

// Where it is not known which of several it is: to the nearest.
constexpr double kToTheNearest = 0.5;

// From 0 to 1 for what goes from one rank to another, the same for both, and
// spread evenly along any row of ranks: multiples of two powers of the plastic
// number (Roberts, 2018, "The unreasonable effectiveness of quasirandom
// sequences").
double PlaceBetween(int64_t from, int64_t to) {
  const double at =
      double(from) * 0.7548776662466927 + double(to) * 0.5698402909980532;
  return at - std::floor(at);
}

}  // namespace

int64_t TwinStream::Kept(const TwinEvent& e, int64_t value, Param param) const {
  if (!reduction::IsRank(param) || reduction::IsSpecial(value)) return value;
  const Call call = SiteOf(plan_, e).first;
  if (Info(call).family == reduction::Family::kOneSided) {
    // As far away.
    const int64_t at = rank_ + value - int64_t(e.donor);
    return (at % plan_.ranks + plan_.ranks) % plan_.ranks;
  }
  // A rank of a larger run is none of this one.
  return std::min(value, plan_.ranks - 1);
}

int64_t TwinStream::Scalar(const TwinEvent& e, size_t param) const {
  const int64_t value = Unshared(e, param);
  // Who takes no part gives nothing.
  return value > 0 ? SharedAmount(e, param).value_or(value) : value;
}

int64_t TwinStream::Unshared(const TwinEvent& e, size_t param) const {
  if (e.by_law >= 0 && plan_.sizes.Tells(int(e.node)) &&
      Info(SiteOf(plan_, e).first).params[param] == Param::kCommSize) {
    return plan_.sizes.At(rank_, int(e.node), e.by_law);
  }
  const NodeRun& law = law_.nodes[e.node];
  const bool by_like = IsByLike(e, param);
  if (!by_like && e.by_law >= 0 && param < law.params.size() &&
      uint64_t(e.by_law) < law.params[param].size()) {
    return law.params[param].At(uint64_t(e.by_law));
  }
  if (!by_like && HasSingle(e, param)) return *law.single[param];
  const auto& params = plan_.last->runs[e.donor].nodes[e.node].params;
  const Param role = Info(plan_.tree->nodes[e.node].like->call).params[param];
  if (e.copied >= 0 && param < params.size() &&
      uint64_t(e.copied) < params[param].size()) {
    const int64_t like = params[param].At(uint64_t(e.copied));
    const auto mean = MeanAmount(e, param);
    return mean && like > 0 ? *mean : Kept(e, like, role);
  }
  // As any rank has it that makes the call.
  for (const RankRun& run : plan_.last->runs) {
    const auto& other = run.nodes[e.node].params;
    if (param < other.size() && other[param].size() > 0) {
      return Kept(e, other[param].At(0), role);
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
  if (const auto shared = SharedAmount(e, param)) {
    values.assign(size_t(length), *shared);
    return values;
  }
  const NodeRun& law = law_.nodes[e.node];
  const bool by_like = IsByLike(e, param);
  if (!by_like && e.by_law >= 0 && param < law.params.size() &&
      law.params[param].size() > 0) {
    const int64_t from = ArrayStart(law_, e.node, by, e.by_law);
    for (int64_t k = 0; k < length; ++k) {
      values.push_back(law.params[param].At(uint64_t(from + k)));
    }
    return values;
  }
  if (!by_like && HasSingle(e, param)) {
    values.assign(size_t(length), *law.single[param]);
    return values;
  }
  if (const auto mean = MeanAmount(e, param)) {
    values.assign(size_t(length), *mean);
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
  if (role == Param::kDims &&
      SiteOf(plan_, e).first == Call::MPI_Cart_create_) {
    for (int64_t k = 0; k < known; ++k) {
      values.push_back(params[param].At(uint64_t(from + k)));
    }
    return SidesLike(values, plan_.ranks);
  }
  for (int64_t k = 0; k < length; ++k) {
    const bool of_ranks = length == plan_.ranks && known == plan_.last->ranks;
    const int64_t at =
        of_ranks ? DonorOf(k, length, known) : std::min(k, known - 1);
    const int64_t value =
        known == 0 ? 0 : Kept(e, params[param].At(uint64_t(from + at)), role);
    values.push_back(
        RoundedByPlace(value, AmountScaleOf(e, param),
                       of_ranks ? PlaceInList(call, role, k) : kToTheNearest));
  }
  return values;
}

bool TwinStream::IsByLike(const TwinEvent& e, size_t param) const {
  if (e.copied >= 0 && plan_.by_like.contains({e.node, param})) return true;
  if (e.exchange < 0 || e.partner == TwinEvent::kNone) return false;
  const DrawnExchange& drawn = plan_.exchanges[size_t(e.exchange)];
  return IsTag(Info(SiteOf(plan_, e).first).params[param])
             ? drawn.tags_by_like
             : drawn.amounts_by_like;
}

// Of an amount without a law; 1 of all else.
double TwinStream::AmountScaleOf(const TwinEvent& e, size_t param) const {
  const TwinTree::Item& item = plan_.tree->nodes[e.node];
  const Param role = Info(item.like->call).params[param];
  // An element of a datatype that changes is longer, or they are more.
  if (e.exchange >= 0 && ChangesSize(item, IsOfReceive(role))) {
    return role == Param::kTypeSize || role == Param::kRecvTypeSize
               ? plan_.exchanges[size_t(e.exchange)].amount_scale
               : 1;
  }
  const bool is_type_of_all =
      IsTypeSizes(role) &&
      Info(item.like->call).family == reduction::Family::kCollective;
  if (!reduction::IsAmount(role) && !is_type_of_all &&
      !IsWindowSize(item.like->call, role)) {
    return 1;
  }
  if (!item.law->missing[param] && !IsByLike(e, param)) return 1;
  if (e.exchange >= 0) {
    return plan_.exchanges[size_t(e.exchange)].amount_scale;
  }
  const auto it = plan_.amount_scales.find(SiteOf(*item.like));
  return it == plan_.amount_scales.end() ? 1 : it->second;
}

// Of entry k of a list with one for each rank.
double TwinStream::PlaceInList(Call call, Param role, int64_t k) const {
  const auto params = Info(call).params;
  const bool both = std::ranges::count(params, Param::kCounts) > 0 &&
                    std::ranges::count(params, Param::kRecvCounts) > 0;
  if (!both) return PlaceBetween(k, k);
  const bool gives = role == Param::kCounts || role == Param::kTypeSizes;
  return gives ? PlaceBetween(rank_, k) : PlaceBetween(k, rank_);
}

// Of an amount that is no list.
double TwinStream::PlaceOfAmount(const TwinEvent& e, Param role) const {
  const Call call = SiteOf(plan_, e).first;
  const auto params = Info(call).params;
  if (Info(call).family == reduction::Family::kCollective) {
    // Where others have a list of it, it stands there at this rank's place.
    const bool in_list = std::ranges::count(params, Param::kCounts) > 0 ||
                         std::ranges::count(params, Param::kRecvCounts) > 0;
    return in_list ? PlaceBetween(rank_, rank_) : kToTheNearest;
  }
  const MessageParams roles = MessageParamsOf(call);
  const bool receives = roles.to < 0 || IsOfReceive(role);
  const int of = receives ? roles.from : roles.to;
  if (of < 0) return kToTheNearest;
  const int64_t other = e.receives && receives ? e.receives->from
                        : e.partner >= 0       ? e.partner
                                               : Scalar(e, size_t(of));
  return receives ? PlaceBetween(other, rank_) : PlaceBetween(rank_, other);
}

int64_t TwinStream::ScaledOf(const TwinEvent& e, const TwinEvent& like,
                             size_t param) const {
  const int64_t value = Scalar(like, param);
  const double scale = AmountScaleOf(like, param);
  if (scale == 1) return value;
  const Param role = Info(SiteOf(plan_, like).first).params[param];
  return RoundedByPlace(value, scale, PlaceOfAmount(e, role));
}

// What it receives is said by the like of that call.
int64_t TwinStream::ShiftValue(const TwinEvent& e, size_t param) const {
  const auto of = [&](const TwinEvent& like, size_t i) {
    return plan_.tree->nodes[like.node].law->absent[i] ? 0
                                                       : ScaledOf(e, like, i);
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
  const int at =
      reduction::ParamPlace(plan_.tree->nodes[like.node].like->call, role);
  return at < 0 ? of(e, param) : of(like, size_t(at));
}

Event TwinStream::EventOf(const TwinEvent& e,
                          const std::vector<uint32_t>& sites) const {
  const TwinTree::Item& item = plan_.tree->nodes[e.node];
  const auto params = Info(item.like->call).params;
  const MessageParams roles = MessageParamsOf(item.like->call);
  Event event(item.like->call);
  event.site = sites[item.like->site];
  std::vector<int64_t> scalars(params.size(), 0);
  const auto made = Made(e);
  const auto* graph = GraphMade(e);
  const auto in_role = InRole(e);
  for (size_t i = 0; i < params.size(); ++i) {
    const bool has_role = in_role && IsOfRole(params[i]);
    const TwinEvent& from = has_role ? *in_role : e;
    const auto neighbours =
        graph == nullptr
            ? std::nullopt
            : ListOfGraph(*graph, item.like->call, params[i], rank_);
    if (reduction::IsArray(params[i])) {
      if (neighbours) {
        event.AddArray(*neighbours);
        continue;
      }
      const size_t by = LengthIndexOf(item.like->call, i);
      if (made && params[i] == Param::kMembers) {
        event.AddArray(made->named == nullptr ? std::vector<int64_t>()
                                              : made->named->members);
        continue;
      }
      if (e.completes >= 0 && params[i] == Param::kRequests) {
        event.AddArray(references_[size_t(e.completes)]);
        continue;
      }
      event.AddArray(Array(from, i, std::max<int64_t>(scalars[by], 0)));
      continue;
    }
    int64_t value = item.law->absent[i] ? 0 : Scalar(from, i);
    if (e.completes >= 0 && params[i] == Param::kOpenCount) {
      value = int64_t(references_[size_t(e.completes)].size());
    }
    if (e.completes >= 0 && params[i] == Param::kRequestCount) {
      const bool open = std::find(params.begin(), params.end(),
                                  Param::kOpenCount) != params.end();
      value =
          open ? e.passed : int64_t(references_[size_t(e.completes)].size());
    }
    // Named also where the like asked for any source: in another order than the
    // program's own, some might take what others wait for.
    const bool is_peer = int(i) == roles.to || int(i) == roles.from;
    const bool probes = LooksForMessage(item.like->call) &&
                        params[i] == Param::kPeer &&
                        !reduction::IsSpecial(value);
    if (e.partner >= 0 && (is_peer || probes)) value = e.partner;
    if (e.receives) value = ShiftValue(e, i);
    const double scale = e.receives ? 1 : AmountScaleOf(e, i);
    if (scale != 1)
      value = RoundedByPlace(value, scale, PlaceOfAmount(e, params[i]));
    if (made) value = OfGroup(e, *made, params[i], value);
    if (params[i] == Param::kComm) value = CommOf(e);
    if (params[i] == Param::kRoot) value = RootOf(e, value);
    // As the root alone may: another may be it than in the group of the like.
    if (params[i] == Param::kInPlace && value != 0) {
      const int root = reduction::ParamPlace(item.like->call, Param::kRoot);
      if (root >= 0 && RootOf(e, Scalar(e, size_t(root))) != rank_) value = 0;
    }
    const bool is_open = item.copied || item.law->missing[i] || has_role;
    if (IsPeerCount(params[i]) && is_open && value > 0) {
      const auto* group = GroupAround(e);
      if (group != nullptr) {
        value = int64_t(group->members.size());
      } else if (value == plan_.last->ranks) {
        value = plan_.ranks;
      }
    }
    if (neighbours) value = int64_t(neighbours->size());
    if (const auto* around =
            IsPeerCount(params[i]) ? GraphAround(e) : nullptr) {
      value =
          int64_t(params[i] == Param::kPeerCount ? around->destinations.size()
                                                 : around->sources.size());
    }
    scalars[i] = value;
    event.Add(value);
  }
  if (item.IsOpen() && IsTransfer(Info(item.like->call))) MeetEnds(&event);
  return event;
}

}  // namespace ranksight::online_model
