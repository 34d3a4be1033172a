#include "cli/look/page_extras.h"

#include <map>
#include <utility>

#include "cli/base/json.h"
#include "cli/look/traffic.h"
#include "online_model/api/extrapolate.h"

namespace ranksight::cli {
namespace {

using reduction::Result;
using reduction::Status;

constexpr int64_t kMostBlocks = 128;
constexpr int64_t kMostRanks = 65536;

}  // namespace

Result<std::string> MatrixJson(const reduction::Trace& trace) {
  const int64_t ranks = trace.meta.ranks;
  if (ranks > kMostRanks) return Status::No("too many ranks for a matrix");
  const int64_t block = (ranks + kMostBlocks - 1) / kMostBlocks;
  std::map<std::pair<int64_t, int64_t>, Traffic> cells;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    const auto sent = TrafficFrom(trace, rank);
    if (!sent.ok()) return sent.status();
    for (const auto& [to, traffic] : *sent) {
      Traffic& cell = cells[{rank / block, to / block}];
      cell.messages += traffic.messages;
      cell.bytes += traffic.bytes;
    }
  }
  JsonWriter json;
  json.BeginObject()
      .Member("ranks", ranks)
      .Member("side", (ranks + block - 1) / block)
      .Member("block", block)
      .Key("cells")
      .BeginArray();
  for (const auto& [at, traffic] : cells) {
    json.BeginArray()
        .Value(at.first)
        .Value(at.second)
        .Value(traffic.bytes)
        .Value(traffic.messages)
        .EndArray();
  }
  json.EndArray().EndObject();
  return json.text();
}

Result<std::string> LawsJson(const std::vector<reduction::Trace>& traces) {
  if (traces.empty()) return Status::No("no run to look at");
  // The laws found are the same for any target that fits the shape; the
  // largest size measured does.
  online_model::ExtrapolationRequest request;
  for (const auto& trace : traces) {
    request.ranks = std::max(request.ranks, trace.meta.ranks);
  }
  const auto found = online_model::Extrapolate(traces, request);
  if (!found.ok()) return Status::No(found.status().message());
  JsonWriter json;
  json.BeginObject()
      .Member("exact", found->report.exact)
      .Member("held_out_ranks", found->report.held_out_ranks)
      .Key("laws")
      .BeginArray();
  for (const std::string& law : found->report.laws) json.Value(law);
  json.EndArray().EndObject();
  return json.text();
}

}  // namespace ranksight::cli
