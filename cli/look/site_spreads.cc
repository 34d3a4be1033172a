#include "cli/look/site_spreads.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "cli/base/format.h"
#include "reduction/api/contract.h"
#include "reduction/api/rank_walk.h"
#include "reduction/api/shown_text.h"

namespace ranksight::cli {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

// Of one site, by rank.
struct OfRanks {
  std::vector<double> calls, bytes, partners;
};
using Key = std::pair<std::string, std::string>;  // site, call
using BySite = std::map<Key, OfRanks>;

double BytesOf(const reduction::Event& e) {
  const auto& info = Info(e.call());
  if (info.collective) return double(reduction::SendBytes(e));
  const reduction::Request r = reduction::MessageOf(e);
  using Kind = reduction::Request::Kind;
  if (r.kind == Kind::kBoth) return double(r.send_bytes);
  return r.kind == Kind::kSend || r.kind == Kind::kReceive ? double(r.bytes)
                                                           : 0;
}

// Whose one end that counts goes to or comes from nobody: no message.
bool IsToNobody(const reduction::Event& e) {
  const reduction::Request r = reduction::MessageOf(e);
  using Kind = reduction::Request::Kind;
  if (r.kind == Kind::kBoth) return r.send_peer == reduction::kPeerNull;
  return (r.kind == Kind::kSend || r.kind == Kind::kReceive) &&
         r.peer == reduction::kPeerNull;
}

// -1: nobody.
int64_t PartnerOf(const reduction::Event& e) {
  const reduction::Request r = reduction::MessageOf(e);
  using Kind = reduction::Request::Kind;
  if (r.kind == Kind::kNone || r.kind == Kind::kOther) return -1;
  const int64_t peer = r.kind == Kind::kBoth ? r.send_peer : r.peer;
  return reduction::IsSpecial(peer) ? -1 : peer;
}

Status AddRank(const Trace& trace, int64_t rank, BySite* sites) {
  auto walk = reduction::RankWalk::Open(trace, rank);
  if (!walk.ok()) return walk.status();
  std::map<uint32_t, std::string> names;
  std::map<Key, std::set<int64_t>> partners;
  while (walk->Next()) {
    const reduction::Event& e = walk->event();
    auto [name, is_new] = names.try_emplace(e.site);
    if (is_new) name->second = ToString(trace.sites, e.site);
    const Key key{name->second, std::string(Info(e.call()).name)};
    OfRanks& of = (*sites)[key];
    // Ranks that never come there count, with 0.
    for (auto* each : {&of.calls, &of.bytes, &of.partners}) {
      each->resize(size_t(trace.meta.ranks));
    }
    if (IsToNobody(e)) continue;
    of.calls[size_t(rank)] += 1;
    of.bytes[size_t(rank)] += BytesOf(e);
    const int64_t partner = PartnerOf(e);
    if (partner >= 0) partners[key].insert(partner);
  }
  for (const auto& [key, seen] : partners) {
    (*sites)[key].partners[size_t(rank)] = double(seen.size());
  }
  return walk->status();
}

Result<BySite> SitesOf(const Trace& trace) {
  BySite sites;
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    if (Status s = AddRank(trace, rank, &sites); !s.ok()) return s;
  }
  return sites;
}

Spread SpreadOf(std::vector<double> a, std::vector<double> b) {
  const size_t ranks = std::max(a.size(), b.size());
  a.resize(ranks);
  b.resize(ranks);
  std::ranges::sort(a);
  std::ranges::sort(b);
  Spread s;
  double apart = 0;
  for (size_t r = 0; r < ranks; ++r) {
    s.a += a[r];
    s.b += b[r];
    apart += std::abs(a[r] - b[r]);
  }
  const auto against_b = [&](double v) {
    return s.b > 0 ? v / s.b : v > 0 ? 1.0 : 0.0;
  };
  s.off = against_b(std::abs(s.a - s.b));
  s.apart = against_b(apart);
  return s;
}

bool IsEstimated(const Trace& trace, const SiteSpread& s) {
  return std::ranges::any_of(trace.meta.estimates, [&](const auto& e) {
    return e.call == s.call && e.site == s.site;
  });
}

void WriteSpread(std::string_view name, const Spread& s, JsonWriter* json) {
  json->Key(name)
      .BeginObject()
      .Member("a", s.a)
      .Member("b", s.b)
      .Member("off", s.off)
      .Member("apart", s.apart)
      .EndObject();
}

}  // namespace

Result<std::vector<SiteSpread>> SpreadsOf(const Trace& a, const Trace& b) {
  RANKSIGHT_REQUIRE(a.meta.ranks == b.meta.ranks);
  auto of_a = SitesOf(a), of_b = SitesOf(b);
  if (!of_a.ok()) return of_a.status();
  if (!of_b.ok()) return of_b.status();
  for (const auto& [key, of] : *of_b) (void)(*of_a)[key];
  std::vector<SiteSpread> spreads;
  for (const auto& [key, of] : *of_a) {
    const OfRanks& other = (*of_b)[key];
    SiteSpread s;
    std::tie(s.site, s.call) = key;
    s.estimated = IsEstimated(a, s) || IsEstimated(b, s);
    s.calls = SpreadOf(of.calls, other.calls);
    s.bytes = SpreadOf(of.bytes, other.bytes);
    s.partners = SpreadOf(of.partners, other.partners);
    spreads.push_back(std::move(s));
  }
  return spreads;
}

std::string SpreadsText(const std::vector<SiteSpread>& spreads) {
  Table table({"<call", "calls A", "calls B", "off", "apart", "bytes A",
               "bytes B", "off", "apart", "pairs A", "pairs B", "off", "apart",
               "<call site"});
  for (const SiteSpread& s : spreads) {
    std::vector<std::string> cells{(s.estimated ? "~" : "") + s.call};
    for (const Spread* q : {&s.calls, &s.bytes, &s.partners}) {
      cells.push_back(fmt::format("{:.0f}", q->a));
      cells.push_back(fmt::format("{:.0f}", q->b));
      cells.push_back(Percent(q->off));
      cells.push_back(Percent(q->apart));
    }
    cells.push_back(reduction::ShownName(s.site));
    table.Add(cells);
  }
  return table.ToText();
}

void WriteSpreads(const std::vector<SiteSpread>& spreads, JsonWriter* json) {
  json->BeginArray();
  for (const SiteSpread& s : spreads) {
    json->BeginObject()
        .Member("call", s.call)
        .Member("site", s.site)
        .Member("estimated", s.estimated);
    WriteSpread("calls", s.calls, json);
    WriteSpread("bytes", s.bytes, json);
    WriteSpread("partners", s.partners, json);
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace ranksight::cli
