#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "online_model/api/extrapolate.h"
#include "online_model/api/parameter.h"
#include "online_model/api/setting.h"
#include "online_model/fit/surface.h"
#include "online_model/forecast/event_table.h"
#include "online_model/forecast/parameter_cells.h"
#include "online_model/synthesize/inputs.h"
#include "online_model/synthesize/laws_at_setting.h"
#include "online_model/synthesize/same_streams.h"
#include "online_model/synthesize/symbolic.h"
#include "reduction/api/merge.h"
#include "reduction/api/same_tree.h"
#include "reduction/api/total.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

constexpr size_t kLeastValues = 3;
// Of them with laws of their own. The others check what these say.
constexpr size_t kLeastWithLaws = 2;
constexpr double kNsASecond = 1e9;

// Where laws over the setting are exact, so is what they are laws of.
std::optional<int64_t> WholeNumber(const std::string& text) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end) return std::nullopt;
  if (value < 1 || value > kLargestValue) return std::nullopt;
  return value;
}

// "size=256: 4, 8, 16 ranks"
std::string ValueText(const std::string& name, int64_t value,
                      const std::set<int64_t>& ranks) {
  std::string text = name + "=" + std::to_string(value) + ":";
  for (const int64_t n : ranks) {
    text += (n == *ranks.begin() ? " " : ", ") + std::to_string(n);
  }
  return text + " ranks";
}

// Runs at one value of the setting.
struct AtValue {
  int64_t value = 0;
  std::vector<Trace> runs;  // one for each rank count, ascending
  std::optional<FoundLaws> found;
};

// But for the mesh, whose sides may follow the setting.
bool IsSameRule(const DimsRule& a, const DimsRule& b) {
  return a.kind == b.kind && a.ndims == b.ndims && a.reversed == b.reversed &&
         a.fixed == b.fixed && a.constants == b.constants &&
         a.given == b.given && a.order == b.order &&
         a.mesh.size() == b.mesh.size();
}

class Maker {
 public:
  Maker(std::span<const Trace> inputs, const SettingRequest& request)
      : inputs_(inputs), request_(request) {}

  Result<RunsAtValue> Make() {
    for (const auto step :
         {&Maker::Group, &Maker::CheckGroups, &Maker::AlignAll,
          &Maker::FindLaws, &Maker::HoldOut, &Maker::MakeRuns}) {
      if (const Status s = (this->*step)(); !s.ok()) return s;
    }
    return std::move(out_);
  }

 private:
  std::string Named(int64_t value) const {
    return request_.name + "=" + std::to_string(value);
  }

  // All inputs by value. They differ in nothing else.
  Status Group() {
    auto others = [&](const Trace& t) {
      auto params = t.meta.params;
      params.erase(request_.name);
      return params;
    };
    for (const Trace& t : inputs_) {
      const std::string which =
          "trace of " + std::to_string(t.meta.ranks) + " ranks";
      const auto given = t.meta.params.find(request_.name);
      if (given == t.meta.params.end()) {
        return Status::Usage(which + " was made without " + request_.name +
                             " (record --param " + request_.name + "=VALUE)");
      }
      const auto value = WholeNumber(given->second);
      if (!value) {
        return Status::No(which + ": " + request_.name + "=" + given->second +
                          " is no whole number above 0, which laws are over");
      }
      if (others(t) != others(inputs_[0])) {
        return Status::Usage(which + ", " + Named(*value) +
                             ", differs from the others in another parameter");
      }
      groups_[*value].push_back(t);
    }
    return Status::Ok();
  }

  // As many values and rank counts as laws need; says what is missing.
  Status CheckGroups() {
    std::set<ParameterCells::Cell> cells;
    std::map<int64_t, std::set<int64_t>> sizes;
    for (const auto& [value, runs] : groups_) {
      for (const Trace& t : runs) {
        cells.emplace(t.meta.ranks, double(value));
        sizes[value].insert(t.meta.ranks);
      }
      out_.values.push_back(value);
    }
    if (groups_.size() < kLeastValues) {
      return Status::Usage("laws over " + request_.name +
                           " need runs at three values at least, "
                           "each on three rank counts; got " +
                           std::to_string(groups_.size()));
    }
    for (const auto& [value, ranks] : sizes) {
      if (ranks.size() >= 3) continue;
      return Status::Usage(ValueText(request_.name, value, ranks) +
                           "; laws need three rank counts at each value");
    }
    const std::string lacking = ParameterCells(cells).Lacking(request_.name);
    return lacking.empty() ? Status::Ok() : Status::Usage(lacking);
  }

  // One tree for all, so that laws at one value are of the same events as those
  // at another.
  Status AlignAll() {
    for (const auto& [value, runs] : groups_) {
      auto by_size = OneOfEachSize(runs);
      if (!by_size.ok()) return At(value, by_size.status());
      at_.push_back({value, std::move(*by_size), {}});
    }
    std::vector<Trace> all;
    for (AtValue& a : at_) {
      for (Trace& t : a.runs) all.push_back(std::move(t));
    }
    const Status s = reduction::Align(all);
    if (!s.ok()) return s;
    size_t next = 0;
    for (AtValue& a : at_) {
      for (Trace& t : a.runs) t = std::move(all[next++]);
    }
    return Status::Ok();
  }

  Status At(int64_t value, const Status& s) const {
    return {s.code(), Named(value) + ": " + s.message()};
  }

  Status FindLaws() {
    Status refused = Status::Ok();
    size_t left = at_.size();  // values that may have laws
    for (AtValue& a : at_) {
      const Status s = FindLawsAt(&a);
      if (!s.ok() && s.code() != reduction::StatusCode::kNo) return s;
      if (s.ok()) continue;
      if (refused.ok()) refused = At(a.value, s);
      if (--left < kLeastWithLaws) return refused;
    }
    return ChooseTree(refused);
  }

  Status FindLawsAt(AtValue* a) const {
    ExtrapolationRequest request;
    if (const auto& tell = request_.tell_share) {
      const double from = double(a - at_.data()), all = double(at_.size());
      request.tell_share = [&tell, from, all](double share) {
        tell((from + share) / all);
      };
    }
    request.ranks = a->runs.back().meta.ranks;
    request.own_laws = request_.own_laws;
    request.input_dims = request_.input_dims;
    request.stop = request_.stop;
    auto found = FindSymbolicLaws(a->runs, request);
    if (!found.ok()) return found.status();
    a->found = std::move(*found);
    return Status::Ok();
  }

  // And rule of the grid, that most values have laws in. The runs at the
  // others, such as where sides of a grid come out alike, are held out.
  Status ChooseTree(const Status& refused) {
    size_t most = 0;
    for (const AtValue& a : at_) {
      std::vector<const AtValue*> same;
      for (const AtValue& b : at_) {
        if (a.found && b.found &&
            IsSameRule(a.found->laws.rule, b.found->laws.rule) &&
            reduction::SameTree(a.found->traces.back().root,
                                b.found->traces.back().root)) {
          same.push_back(&b);
        }
      }
      if (same.size() <= most) continue;
      most = same.size();
      with_laws_ = std::move(same);
    }
    if (most >= kLeastWithLaws) return Status::Ok();
    if (!refused.ok()) return refused;
    return Status::No(
        "the program has other loops, or another grid, at each "
        "value of " +
        request_.name);
  }

  Result<SymbolicLaws> LawsFrom(std::span<const AtValue* const> values,
                                int64_t wanted) const {
    std::vector<LawsAtValue> known;
    for (const AtValue* a : values) known.push_back({a->value, a->found->laws});
    // Of two values two numbers may be chosen: those held out check them.
    const int most_free = int(at_.size()) - 1;
    auto laws =
        LawsAtSetting(known, wanted, most_free, request_.own_laws, Base());
    if (laws.ok()) return laws;
    return Status::No("over " + request_.name + ": " + laws.status().message());
  }

  // In whose tree laws are.
  const Trace& Base() const { return with_laws_[0]->found->traces.back(); }

  Result<Trace> Predicted(const SymbolicLaws& laws, int64_t ranks) const {
    const auto grid = laws.rule.GridFor(ranks);
    if (!grid) {
      return Status::No(std::to_string(ranks) + " ranks do not form a " +
                        laws.rule.ToString());
    }
    return InstantiateTrace(laws.root, Base(), *grid);
  }

  // Every run at that value, from laws over the setting.
  Status Compare(const SymbolicLaws& laws, const AtValue& a, uint64_t* events) {
    for (const Trace& run : a.runs) {
      auto made = Predicted(laws, run.meta.ranks);
      const auto same = made.ok() ? CompareStreams(*made, run)
                                  : Result<uint64_t>(made.status());
      if (!same.ok()) {
        return At(a.value, {same.status().code(),
                            "run of " + std::to_string(run.meta.ranks) +
                                " ranks, predicted from the other values: " +
                                same.status().message()});
      }
      *events += *same;
    }
    return Status::Ok();
  }

  // The runs at values whose laws are not used; the largest where all are.
  Status HoldOut() {
    std::span<const AtValue* const> known = with_laws_;
    if (known.size() == at_.size()) known = known.first(known.size() - 1);
    for (const AtValue& a : at_) {
      if (std::ranges::find(known, &a) != known.end()) continue;
      const auto laws = LawsFrom(known, a.value);
      const Status s =
          laws.ok() ? Compare(*laws, a, &out_.held_out_events) : laws.status();
      if (!s.ok()) return s;
      out_.held_out.push_back(a.value);
    }
    // Where one kind of law is taken for all values, it was not found at all.
    uint64_t again = 0;
    for (const AtValue* a : with_laws_) {
      const auto laws = LawsFrom(with_laws_, a->value);
      const Status s = laws.ok() ? Compare(*laws, *a, &again) : laws.status();
      if (!s.ok()) return s;
    }
    return Status::Ok();
  }

  Status MakeRuns() {
    auto laws = LawsFrom(with_laws_, request_.value);
    if (!laws.ok()) return laws.status();
    EventTable table;
    for (const AtValue& a : at_) {
      for (const Trace& t : groups_[a.value]) table.Add(t, double(a.value));
    }
    // Of each rank count the run at the nearest value.
    std::map<int64_t, std::pair<const AtValue*, const Trace*>> nearest;
    for (const AtValue& a : at_) {
      for (const Trace& t : a.runs) {
        auto& [at, run] = nearest[t.meta.ranks];
        if (at == nullptr || std::abs(request_.value - a.value) <
                                 std::abs(request_.value - at->value)) {
          at = &a;
          run = &t;
        }
      }
    }
    for (const auto& [ranks, from] : nearest) {
      auto made = Predicted(*laws, ranks);
      if (!made.ok()) return At(request_.value, made.status());
      const auto& [at, run] = from;
      made->meta = run->meta;
      made->meta.params[request_.name] = std::to_string(request_.value);
      made->meta.job += "-at-" + Named(request_.value);
      made->meta.memory = {};
      SetTimes(table, *run, at->value, &*made);
      out_.runs.push_back(std::move(*made));
    }
    out_.like = with_laws_[0]->found->traces;
    out_.like.back().meta = out_.runs.back().meta;
    out_.laws = std::make_shared<const SymbolicLaws>(std::move(*laws));
    return Status::Ok();
  }

  // As laws in rank count and setting say, in proportion to what was measured.
  void SetTimes(const EventTable& table, const Trace& run, int64_t value,
                Trace* made) {
    const double n = double(run.meta.ranks), wanted = double(request_.value);
    const auto ratio = [&](const Series& series) {
      const auto [at, is_new] = fits_.try_emplace(&series);
      if (is_new) at->second = FitSurface(table.Points(series));
      const SurfaceFit& fit = at->second;
      const double now = fit.At(n, double(value)).value;
      const double then = fit.At(n, wanted).value;
      return now > 0 && then > 0 ? then / now : 1;
    };
    std::map<std::pair<reduction::Call, uint32_t>, double> often;
    reduction::ForEachEvent(made->root, [&](const Node& e) {
      often[{e.call, e.site}] += double(reduction::TotalOf(e.trips));
    });
    MoveTimes(
        run,
        [&](const Node& e, size_t) {
          const int64_t found = table.Find(run, e);
          if (found < 0) return TimeFactors();
          const EventSeries& event = table.events()[size_t(found)];
          // Laws are of all occurrences, factors of each.
          const double was = double(reduction::TotalOf(e.trips));
          const double is = often[{e.call, e.site}];
          const double fewer = is > 0 ? was / is : 1;
          return TimeFactors{ratio(event.series[kCompute]) * fewer,
                             ratio(event.series[kCall]) * fewer,
                             {}};
        },
        made);
    SetElapsed(SecondsOf(run) * ratio(table.elapsed()) * kNsASecond,
               &made->meta);
  }

  const std::span<const Trace> inputs_;
  const SettingRequest& request_;
  std::map<int64_t, std::vector<Trace>> groups_;  // as given, by value
  std::vector<AtValue> at_;                       // ascending by value
  std::vector<const AtValue*> with_laws_;         // in one tree, likewise
  std::map<const Series*, SurfaceFit> fits_;      // of all events, by series
  RunsAtValue out_;
};

}  // namespace

Result<Extrapolation> ExtrapolateFrom(const RunsAtValue& at,
                                      const ExtrapolationRequest& request) {
  auto made = ExtrapolateBy(*at.laws, at.like, request);
  if (made.ok()) made->report.held_out_events = at.held_out_events;
  return made;
}

Result<RunsAtValue> RunsAtSetting(std::span<const Trace> inputs,
                                  const SettingRequest& request) {
  return Maker(inputs, request).Make();
}

}  // namespace ranksight::online_model
