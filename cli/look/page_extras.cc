#include "cli/look/page_extras.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "cli/base/json.h"
#include "cli/base/link_options.h"
#include "cli/look/checked_twin.h"
#include "cli/look/extrapolation_report.h"
#include "cli/look/timeline_report.h"
#include "cli/look/traffic_blocks.h"
#include "online_model/api/extrapolate.h"
#include "online_model/api/named_network.h"
#include "reduction/api/message_kind.h"
#include "reduction/api/totals.h"

namespace ranksight::cli {
namespace {

using reduction::Result;
using reduction::Status;

constexpr int64_t kMostBlocks = 128;
// Cells of a picture of all ranks, 64 a side.
constexpr int64_t kMostCells = 4096;
// A page does not wait for more.
constexpr int64_t kMostRanks = 65536;
// Of a run of which a twin is made to say what is estimated: about 0.5 GB
// beside runs that are received.
constexpr uint64_t kMostEstimatedEvents = uint64_t{1} << 22;
// Processor time of each of the two searches before that, as `extrapolate` has
// it.
constexpr double kEstimateSeconds = 30;

Status FitsPage(int64_t ranks) {
  if (ranks <= kMostRanks) return Status::Ok();
  return Status::No("of more than " + std::to_string(kMostRanks) +
                    " ranks `ranksight matrix`, `show --timeline` and "
                    "`stats --by-rank` say it");
}

// Whether it gives other ranks data otherwise than by a message of its own.
bool IsOtherExchange(const reduction::EventTotal& total) {
  using reduction::Family;
  const Family family = reduction::Info(total.call).family;
  return total.sent > 0 &&
         reduction::MessageKindOf(total.call) ==
             reduction::MessageKind::kNone &&
         (family == Family::kCollective ||
          family == Family::kPersistentCollective ||
          family == Family::kNeighbourhood || family == Family::kOneSided);
}

// What gives most comes first.
Result<std::vector<reduction::EventTotal>> OtherExchanges(
    const reduction::Trace& trace) {
  auto by_site = reduction::TotalsBySite(trace);
  if (!by_site.ok()) return by_site.status();
  auto totals = reduction::TotalsByCall(*by_site);
  std::erase_if(totals, [](const auto& t) { return !IsOtherExchange(t); });
  std::ranges::stable_sort(totals, std::greater(),
                           &reduction::EventTotal::sent);
  return totals;
}

// What `extrapolate` would make at a size that was measured, where laws do not
// give all: which call sites are exact all the same, and what is estimated of
// the others. *why_not: why none is made.
Result<online_model::Extrapolation> EstimatedAt(
    const std::vector<reduction::Trace>& traces,
    const online_model::ExtrapolationRequest& how, std::string* why_not) {
  for (const auto& trace : traces) {
    const auto totals = reduction::TotalsBySite(trace);
    if (!totals.ok()) return totals.status();
    uint64_t events = 0;
    for (const auto& total : *totals) events += total.count;
    if (events > kMostEstimatedEvents) {
      *why_not = "a run makes " + std::to_string(events) +
                 " calls, too many for a page; `ranksight extrapolate` may";
      return Status::No(*why_not);
    }
  }
  std::string hint;
  std::shared_ptr<online_model::TwinMaker> maker;
  auto made = ExtrapolateOrTwin(traces, how, kEstimateSeconds, &hint, &maker);
  if (hint.starts_with(kNotEstimatedEither)) {
    *why_not = hint.substr(kNotEstimatedEither.size());
  }
  return made;
}

}  // namespace

Result<std::string> MatrixJson(const reduction::Trace& trace) {
  if (const Status fits = FitsPage(trace.meta.ranks); !fits.ok()) return fits;
  const auto blocks = BlocksOf(trace, kMostBlocks);
  if (!blocks.ok()) return blocks.status();
  const auto others = OtherExchanges(trace);
  if (!others.ok()) return others.status();
  JsonWriter json;
  json.BeginObject()
      .Member("ranks", blocks->ranks)
      .Member("side", blocks->side)
      .Member("block", blocks->block)
      .Key("cells")
      .BeginArray();
  for (const auto& [at, traffic] : blocks->cells) {
    json.BeginArray()
        .Value(at.first)
        .Value(at.second)
        .Value(traffic.bytes)
        .Value(traffic.messages)
        .EndArray();
  }
  json.EndArray().Key("others").BeginArray();
  for (const auto& total : *others) {
    json.BeginArray()
        .Value(reduction::Info(total.call).name)
        .Value(total.count)
        .EndArray();
  }
  json.EndArray().EndObject();
  return json.text();
}

Result<std::string> MatrixJsonAt(const std::vector<reduction::Trace>& traces,
                                 int64_t ranks,
                                 online_model::ExtrapolationRequest how) {
  if (const Status fits = FitsPage(ranks); !fits.ok()) return fits;
  how.ranks = ranks;
  how.strict = true;
  const auto made = online_model::Extrapolate(traces, how);
  if (!made.ok()) return made.status();
  return MatrixJson(made->trace);
}

Result<std::string> TimelinePageJson(const reduction::Trace& trace) {
  if (const Status fits = FitsPage(trace.meta.ranks); !fits.ok()) return fits;
  return TimelineJson(trace);
}

Result<std::string> LoadPageJson(const reduction::Trace& trace,
                                 const std::optional<RankLayout>& on) {
  if (const Status fits = FitsPage(trace.meta.ranks); !fits.ok()) return fits;
  return LoadJson(trace, kMostCells, on);
}

std::optional<RankLayout> LayoutOn(const PlaceOptions& places,
                                   const reduction::Trace& trace) {
  if (!places.given() || online_model::AnySharedCores({&trace, 1})) {
    return std::nullopt;
  }
  auto grid = FindPlaces(places, trace.meta.ranks);
  if (!grid.ok() || int64_t(grid->places.size()) != trace.meta.ranks) {
    return std::nullopt;
  }
  return RankLayout{RankLayout::Kind::kNetwork, std::move(grid->sides),
                    std::move(grid->places)};
}

Result<std::string> LawsJson(const std::vector<reduction::Trace>& traces,
                             online_model::ExtrapolationRequest how) {
  if (traces.empty()) return Status::No("no run to look at");
  // The laws found are the same for any target that fits the shape; the
  // largest size measured does.
  for (const auto& trace : traces) {
    how.ranks = std::max(how.ranks, trace.meta.ranks);
  }
  how.strict = true;
  auto found = online_model::Extrapolate(traces, how);
  JsonWriter json;
  json.BeginObject();
  if (!found.ok()) {
    json.Member("refused", found.status().message()).Member("ranks", how.ranks);
    if (found.status().code() == reduction::StatusCode::kNo) {
      std::string why_not;
      found = EstimatedAt(traces, how, &why_not);
      if (!why_not.empty()) json.Member("not_estimated", why_not);
    }
    if (!found.ok()) return json.EndObject().text();
  }
  json.Member("exact", found->report.exact)
      .Member("held_out_ranks", found->report.held_out_ranks)
      .Key("laws")
      .BeginArray();
  for (const std::string& law : found->report.laws) json.Value(law);
  json.EndArray();
  WriteEstimates(found->report.estimates, &json);
  return json.EndObject().text();
}

}  // namespace ranksight::cli
