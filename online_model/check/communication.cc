#include <algorithm>
#include <optional>
#include <set>

#include "online_model/api/check.h"
#include "reduction/api/partners.h"
#include "reduction/api/shown_text.h"
#include "reduction/api/totals.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

struct Quantity {
  const char* name;
  Amount PlaceAmounts::*amount;
};
constexpr Quantity kQuantities[] = {{"calls", &PlaceAmounts::calls},
                                    {"bytes", &PlaceAmounts::bytes},
                                    {"pairs", &PlaceAmounts::pairs}};

// Where functions have no names.
constexpr const char* kNoName = "?";

bool HasNames(const Communication& c) {
  for (const auto& [ranks, places] : c.places) {
    for (const auto& [place, amounts] : places) {
      if (place.where != kNoName) return true;
    }
  }
  return false;
}

Communication WithoutNames(const Communication& c) {
  Communication without = c;
  for (auto& [ranks, places] : without.places) {
    places.clear();
    for (const auto& [place, amounts] : c.places.at(ranks)) {
      PlaceAmounts& all = places[{place.call, kNoName}];
      for (const Quantity& q : kQuantities) {
        (all.*q.amount).least += (amounts.*q.amount).least;
        (all.*q.amount).most += (amounts.*q.amount).most;
      }
    }
  }
  return without;
}

// One run's amounts. Sites of one name are added up before runs are compared.
struct Counted {
  uint64_t calls = 0, bytes = 0, pairs = 0;
};

Result<std::map<NamedSite, Counted>> Count(const Trace& trace,
                                           const NameSite& name) {
  const auto totals = reduction::TotalsBySite(trace);
  if (!totals.ok()) return totals.status();
  const auto pairs = reduction::PairsBySite(trace);
  std::map<NamedSite, Counted> places;
  for (const reduction::EventTotal& total : *totals) {
    const std::string where = name(trace, total.site);
    Counted& at =
        places[{std::string(Info(total.call).name),
                where.empty() ? kNoName : reduction::ShownName(where)}];
    at.calls += total.count;
    at.bytes += total.sent > 0 ? total.sent : total.received;
    const auto found = pairs.find({total.call, total.site});
    if (found != pairs.end()) at.pairs += found->second;
  }
  return places;
}

// A run that has nothing at a place has none of it, and so had those before.
void AddRun(const std::map<NamedSite, Counted>& run, bool is_first,
            PlacesOfSize* places) {
  for (const auto& [place, counted] : run) {
    const auto [at, is_new] = places->try_emplace(place);
    PlaceAmounts& amounts = at->second;
    if (is_first) {
      amounts = {{counted.calls, counted.calls},
                 {counted.bytes, counted.bytes},
                 {counted.pairs, counted.pairs}};
      continue;
    }
    amounts.calls.Add(counted.calls);
    amounts.bytes.Add(counted.bytes);
    amounts.pairs.Add(counted.pairs);
  }
  for (auto& [place, amounts] : *places) {
    if (!run.contains(place)) amounts.calls.least = 0;
    if (!run.contains(place)) amounts.bytes.least = 0;
    if (!run.contains(place)) amounts.pairs.least = 0;
  }
}

std::vector<std::string> SettingsOf(const reduction::Meta& meta) {
  std::vector<std::string> settings;
  for (const auto& [name, value] : meta.params) {
    settings.push_back(reduction::ShownName(name + '=' + value));
  }
  return settings;
}

Amount AmountAt(const Communication& c, int64_t ranks, const NamedSite& place,
                const Quantity& quantity) {
  const auto size = c.places.find(ranks);
  if (size == c.places.end()) return {};
  const auto at = size->second.find(place);
  return at == size->second.end() ? Amount{} : at->second.*quantity.amount;
}

std::string Growth(const Communication& c, const NamedSite& place,
                   const Quantity& quantity) {
  std::map<int64_t, uint64_t> values;
  for (const auto& [ranks, places] : c.places) {
    values[ranks] = AmountAt(c, ranks, place, quantity).most;
  }
  return GrowthOf(values);
}

// What varies from run to run decides nothing where runs overlap; where they do
// not, more runs may.
Verdict Compare(const Amount& before, const Amount& after) {
  if (before == after) return Verdict::kSame;
  const bool varies = before.least != before.most || after.least != after.most;
  if (!varies) {
    return after.most > before.most ? Verdict::kWorse : Verdict::kBetter;
  }
  const bool overlap = before.least <= after.most && after.least <= before.most;
  return overlap ? Verdict::kSame : Verdict::kCannotTell;
}

std::optional<AmountChange> ChangeOf(const Communication& before,
                                     const Communication& after,
                                     const std::vector<int64_t>& ranks,
                                     const NamedSite& place,
                                     const Quantity& quantity) {
  AmountChange change;
  change.place = place;
  change.quantity = quantity.name;
  for (const int64_t n : ranks) {
    const Amount was = AmountAt(before, n, place, quantity);
    const Amount is = AmountAt(after, n, place, quantity);
    change.sizes.push_back({n, was, is});
    change.verdict = Both(change.verdict, Compare(was, is));
  }
  if (change.verdict == Verdict::kSame) return std::nullopt;
  change.grew = Growth(before, place, quantity);
  change.grows = Growth(after, place, quantity);
  return change;
}

std::vector<int64_t> RanksOfBoth(const Communication& before,
                                 const Communication& after) {
  std::vector<int64_t> ranks;
  for (const auto& [n, places] : before.places) {
    if (after.places.contains(n)) ranks.push_back(n);
  }
  return ranks;
}

}  // namespace

std::string_view NameOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSame:
      return "same";
    case Verdict::kBetter:
      return "better";
    case Verdict::kWorse:
      return "worse";
    case Verdict::kCannotTell:
      break;
  }
  return "cannot tell";
}

Verdict Both(Verdict a, Verdict b) {
  for (const Verdict v :
       {Verdict::kWorse, Verdict::kCannotTell, Verdict::kBetter}) {
    if (a == v || b == v) return v;
  }
  return Verdict::kSame;
}

void Amount::Add(uint64_t value) {
  least = std::min(least, value);
  most = std::max(most, value);
}

Result<Communication> CommunicationOf(std::span<const Trace> traces,
                                      const NameSite& name) {
  Communication c;
  for (const Trace& trace : traces) {
    const auto& meta = trace.meta;
    if (!meta.complete) {
      return Status::No("a run of " + std::to_string(meta.ranks) +
                        " ranks is not complete");
    }
    if (&trace == &traces[0]) {
      c.program = reduction::ShownName(meta.program);
      c.settings = SettingsOf(meta);
    } else if (c.program != reduction::ShownName(meta.program) ||
               c.settings != SettingsOf(meta)) {
      return Status::Usage("traces of several programs or settings");
    }
    const auto counted = Count(trace, name);
    if (!counted.ok()) return counted.status();
    AddRun(*counted, c.runs[meta.ranks]++ == 0, &c.places[meta.ranks]);
  }
  return c;
}

Result<CommunicationCheck> CompareCommunication(const Communication& before,
                                                const Communication& after) {
  // Where one side has no names of functions, neither is compared by them.
  if (HasNames(before) != HasNames(after)) {
    return CompareCommunication(WithoutNames(before), WithoutNames(after));
  }
  if (before.program != after.program) {
    return Status::Usage("the baseline is of " + before.program + ", not of " +
                         after.program);
  }
  if (before.settings != after.settings) {
    return Status::Usage("the baseline was recorded with other settings");
  }
  CommunicationCheck check;
  check.ranks = RanksOfBoth(before, after);
  if (check.ranks.empty()) {
    check.verdict = Verdict::kCannotTell;
    check.reason = "no rank count is in both";
    return check;
  }
  std::set<NamedSite> all;
  for (const int64_t n : check.ranks) {
    for (const auto& [place, amounts] : before.places.at(n)) all.insert(place);
    for (const auto& [place, amounts] : after.places.at(n)) all.insert(place);
  }
  check.places = all.size();
  for (const NamedSite& place : all) {
    for (const Quantity& quantity : kQuantities) {
      auto change = ChangeOf(before, after, check.ranks, place, quantity);
      if (!change) continue;
      check.verdict = Both(check.verdict, change->verdict);
      check.changes.push_back(std::move(*change));
    }
  }
  if (check.verdict == Verdict::kCannotTell) {
    check.reason = "it varies from run to run, and more runs may tell";
  }
  return check;
}

}  // namespace ranksight::online_model
