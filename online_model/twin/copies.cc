#include "online_model/api/copies.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "online_model/structure/dims_rule.h"
#include "online_model/synthesize/site_sums.h"
#include "online_model/twin/copied_comms.h"
#include "online_model/twin/copier.h"
#include "online_model/twin/join_ranks.h"
#include "online_model/twin/size_fit.h"
#include "reduction/api/cursor.h"

namespace ranksight::online_model {
namespace {

using reduction::Cursor;
using reduction::Event;
using reduction::Family;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

// Of one run by what is scaled alike.
Result<std::map<CopiedKind, double>> BytesByKind(const Trace& trace) {
  std::map<CopiedKind, double> bytes;
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    auto cursor = Cursor::Open(trace, rank);
    if (!cursor.ok()) return cursor.status();
    while (cursor->Next()) {
      const Event& event = cursor->event();
      bytes[CopiedKindOf(event.call())] +=
          double(std::max<int64_t>(0, reduction::SendBytes(event)));
    }
  }
  return bytes;
}

// Of all runs, and what copies of the smaller ones would have been off.
class ByRuns {
 public:
  ByRuns(std::span<const Trace> runs, int64_t like, int64_t ranks)
      : runs_(runs), times_(double(ranks) / double(like)), ranks_(ranks) {}

  // What the runs do together, at the wanted size.
  Fitted FitOf(const std::function<double(size_t)>& value_of) const {
    std::vector<SizedValue> points;
    for (size_t i = 0; i < runs_.size(); ++i) {
      points.push_back({runs_[i].meta.ranks, value_of(i)});
    }
    return FitTotal(points, {ranks_});
  }
  // As many ranks as the largest run has, so many times.
  double TimesLargest() const {
    return double(ranks_) / double(runs_.back().meta.ranks);
  }
  // As wide as from what was made to the far end of what the runs say, and as
  // the largest run was from copies of those up to as many times smaller.
  double WidthOf(double made,
                 const std::function<double(size_t)>& value_of) const {
    const Fitted fit = FitOf(value_of);
    double width = std::max(std::abs(made - (fit.value - fit.half_width)),
                            std::abs(made - (fit.value + fit.half_width)));
    const double last = value_of(runs_.size() - 1);
    const auto many = double(runs_.back().meta.ranks);
    for (size_t i = 0; i + 1 < runs_.size(); ++i) {
      const double times = many / double(runs_[i].meta.ranks);
      if (times > times_ * kAbout) continue;
      const double copied = value_of(i) * times;
      if (copied > 0) {
        width = std::max(width, made * std::abs(1 - last / copied));
      } else if (last > 0) {
        // What smaller runs have none of may be nothing again.
        width = std::max(width, made);
      }
    }
    return width;
  }

 private:
  // 12 ranks are 1.5 times 8, 36 are 1.5 times 24; 16 are not much less.
  static constexpr double kAbout = 1.2;

  std::span<const Trace> runs_;
  const double times_;
  const int64_t ranks_;
};

std::vector<reduction::SiteEstimate> EstimatesOf(
    const SumsBySite& made, const ByRuns& by_runs,
    const std::vector<SumsBySite>& of_runs) {
  std::vector<reduction::SiteEstimate> all;
  for (const auto& [name, sums] : made) {
    if (sums.family == Family::kEnvironment) continue;
    const auto width = [&](double value, const auto& value_of) {
      return by_runs.WidthOf(value, [&](size_t i) {
        const auto at = of_runs[i].find(name);
        return at == of_runs[i].end() ? 0.0 : value_of(at->second);
      });
    };
    const auto pairs = double(sums.pairs.size());
    reduction::SiteEstimate e{name.first, name.second};
    e.messages = sums.messages;
    e.messages_width =
        width(e.messages, [](const SiteSums& s) { return s.messages; });
    e.bytes = sums.bytes;
    e.bytes_width = width(e.bytes, [](const SiteSums& s) { return s.bytes; });
    e.partners = pairs;
    e.partners_width =
        width(pairs, [](const SiteSums& s) { return double(s.pairs.size()); });
    all.push_back(std::move(e));
  }
  // What the largest run alone does, of which the copied one has nothing.
  for (const auto& [name, sums] : of_runs.back()) {
    if (made.contains(name) || sums.family == Family::kEnvironment) continue;
    const double times = by_runs.TimesLargest();
    all.push_back({name.first, name.second, 0, sums.messages * times, 0,
                   sums.bytes * times, 0, double(sums.pairs.size()) * times});
  }
  return all;
}

uint64_t CountParameters(const Trace& trace) {
  uint64_t count = 0;
  ForEachEvent(trace.root,
               [&](const reduction::Node& n) { count += n.params.size(); });
  return count;
}

bool IsSquare(int64_t n) {
  const auto root = int64_t(std::llround(std::sqrt(double(n))));
  return root * root == n;
}

// Whether the program may have so many ranks, as far as its runs tell: where
// all are on squares, or on powers of two, it may take no other number.
Status CheckRanks(std::span<const Trace> runs, int64_t ranks) {
  const auto all_runs = [&](const auto& is_one) {
    return std::ranges::all_of(
        runs, [&](const Trace& t) { return is_one(t.meta.ranks); });
  };
  if (all_runs(IsSquare) && !IsSquare(ranks)) {
    return Status::No("all runs are on squares, which " +
                      std::to_string(ranks) + " is not");
  }
  if (all_runs(IsPowerOfTwo) && !IsPowerOfTwo(ranks)) {
    return Status::No("all runs are on powers of two, of which " +
                      std::to_string(ranks) + " is none");
  }
  return Status::Ok();
}

// The runs that may be copied, the likeliest first: the largest that goes into
// the ranks, unless it is less than half of the largest, and then that.
std::vector<size_t> RunsToCopy(std::span<const Trace> runs, int64_t ranks) {
  std::vector<size_t> order;
  for (size_t i = runs.size(); i-- > 0;) {
    if (runs[i].meta.ranks <= ranks) order.push_back(i);
  }
  if (order.empty()) return order;
  const int64_t largest = runs[order.front()].meta.ranks;
  std::ranges::stable_sort(order, {}, [&](size_t i) {
    const int64_t n = runs[i].meta.ranks;
    return ranks % n == 0 ? (2 * n >= largest ? 0 : 2) : (n == largest ? 1 : 3);
  });
  return order;
}

Result<Extrapolation> CopiesOf(
    size_t which, std::span<const Trace> runs,
    const std::vector<SumsBySite>& of_runs,
    const std::vector<std::map<CopiedKind, double>>& bytes,
    const std::set<std::string>& growing, const ExtrapolationRequest& request) {
  const int64_t ranks = request.ranks;
  const Trace& like = runs[which];
  const CopiedRanks copied{like.meta.ranks, ranks};
  auto comms = CopiedComms::Find(like, growing, copied);
  if (!comms.ok()) return comms.status();
  Copier copier(like, copied, std::move(*comms));
  if (Status s = copier.See(); !s.ok()) return s;
  const ByRuns by_runs(runs, like.meta.ranks, ranks);
  const double share = double(ranks) / double(like.meta.ranks);
  for (const auto& [kind, sent] : bytes[which]) {
    if (sent <= 0) continue;
    const Fitted fit = by_runs.FitOf([&](size_t i) {
      const auto at = bytes[i].find(kind);
      return at == bytes[i].end() ? 0.0 : at->second;
    });
    copier.Scale(kind, fit.value / (sent * share));
  }
  SumsBySite sums;
  auto made = copier.Make(request.tell_share, &sums);
  if (!made.ok()) return made.status();
  Extrapolation out;
  out.trace = std::move(*made);
  out.report.estimates = EstimatesOf(sums, by_runs, of_runs);
  SetMetaOfTwin(like, ranks, &out);
  out.report.copied_ranks = like.meta.ranks;
  out.report.dims = {ranks};
  out.report.estimated = CountParameters(out.trace);
  out.report.laws = {"each rank does what one of the run on " +
                     std::to_string(like.meta.ranks) + " ranks did"};
  out.trace.meta.laws = out.report.laws;
  return out;
}

}  // namespace

Result<Extrapolation> MakeOfCopies(std::span<const Trace> inputs,
                                   const ExtrapolationRequest& request) {
  std::map<int64_t, const Trace*> by_size;
  for (const Trace& t : inputs) by_size.try_emplace(t.meta.ranks, &t);
  std::vector<Trace> runs;
  std::vector<SumsBySite> sums;
  std::vector<std::map<CopiedKind, double>> bytes;
  for (const auto& [size, trace] : by_size) {
    auto of_run = SumSites(*trace);
    if (!of_run.ok()) return of_run.status();
    auto kinds = BytesByKind(*trace);
    if (!kinds.ok()) return kinds.status();
    runs.push_back(*trace);
    sums.push_back(std::move(*of_run));
    bytes.push_back(std::move(*kinds));
  }
  if (Status s = CheckRanks(runs, request.ranks); !s.ok()) return s;
  const auto growing = GrowingMakers(runs);
  Status why = Status::Ok();  // of the likeliest
  for (const size_t which : RunsToCopy(runs, request.ranks)) {
    const Trace& like = runs[which];
    const double events = double(reduction::CountEvents(like)) *
                          double(request.ranks) / double(like.meta.ranks);
    Status of_run = Status::No("copies of it would have more than " +
                               std::to_string(kMostWalked) + " events");
    if (events <= double(kMostWalked)) {
      auto made = CopiesOf(which, runs, sums, bytes, growing, request);
      if (made.ok()) return made;
      of_run = made.status();
    }
    if (why.ok()) why = of_run;
  }
  return why.ok() ? Status::No("no run has as few ranks") : why;
}

}  // namespace ranksight::online_model
