#include "adapters/conceptual/program.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "adapters/base/program_name.h"
#include "adapters/conceptual/tasks.h"

namespace ranksight::adapters::conceptual {

using reduction::Call;
using reduction::Parameter;
using reduction::RankSet;
using reduction::Result;
using reduction::Section;
using reduction::Status;

namespace {

// Longer rules say little to a reader. Doubling it lets twice as many cases
// stand where a call has its own computation for each.
constexpr size_t kMostComputeText = 400;

bool HasNull(const Section& peers) {
  return !peers.empty() && peers.Min() == reduction::kPeerNull;
}

// Where a peer is there; others repeat the one before.
std::pair<Section, Section> Split(const Section& peers) {
  int64_t last = 0;
  reduction::SectionCursor find(&peers);
  while (!find.done() && reduction::IsSpecial(last = find.Next())) {
  }
  const Section filled = Mapped(peers, [&](int64_t v) {
    return last = reduction::IsSpecial(v) ? last : v;
  });
  return {filled, Mapped(peers, [](int64_t v) {
            return reduction::IsSpecial(v) ? 0 : 1;
          })};
}

RankSet RanksOf(const Sequences& sequences) {
  RankSet set;
  for (const auto& [rank, section] : sequences) set.Append(rank);
  return set;
}

int64_t LargestTag(const Item& item) {
  int64_t largest = -1;
  for (const Item& child : item.children) {
    largest = std::max(largest, LargestTag(child));
  }
  for (const Half& half : item.halves) {
    for (const auto& [rank, tags] : half.tag.ByRank()) {
      if (!tags.empty()) largest = std::max(largest, tags.Max());
    }
  }
  return largest;
}

double MeanCompute(const reduction::EventTimes& times) {
  const auto count = double(times.compute.Occurrences());
  return count == 0 ? 0 : times.TotalCompute() / count;
}

// 0: everywhere less than half of one.
int64_t LargestValue(const Sequences& sequences) {
  int64_t largest = 0;
  for (const auto& [rank, section] : sequences) {
    if (!section.empty()) largest = std::max(largest, section.Max());
  }
  return largest;
}

}  // namespace

Status Program::No(const Item& item, const std::string& why) const {
  return Status::No(
      std::string(reduction::Info(item.node->call).name) + " at " +
      reduction::ToString(trace_.sites, item.node->site, 1) + ": " + why);
}

Sequences Program::Of(const Parameter& p, const Domain& domain,
                      const std::vector<int64_t>* only) {
  Sequences all;
  for (const auto& [rank, section] : p.ByRank()) {
    if (only != nullptr &&
        !std::binary_search(only->begin(), only->end(), rank)) {
      continue;
    }
    all.push_back({rank, domain.Stretch(rank, section)});
  }
  return all;
}

void Program::ScaleBytes(Sequences* sequences) const {
  if (options_.bytes_scale == 1) return;
  for (auto& [rank, section] : *sequences) {
    section = Mapped(section, [&](int64_t v) {
      return int64_t(std::llround(double(v) * options_.bytes_scale));
    });
  }
}

Result<std::string> Program::Text(const Item& item, const char* what,
                                  const Sequences& sequences,
                                  const Scope& scope) const {
  std::string text =
      ExpressionText(sequences, scope.domain.levels(), trace_.meta.ranks);
  if (!text.empty()) return text;
  if (!item.node->is_event()) {
    return Status::No(
        std::string("the trip counts of a loop follow no short "
                    "rule over its ranks and visits"));
  }
  return No(item, std::string(what) +
                      " follows no short rule over its ranks and visits");
}

std::string Program::Sentence(const RankSet& set,
                              const std::vector<std::string>& guards,
                              const std::string& what) const {
  if (guards.empty() && set.size() == 1) {
    return fmt::format("TASK {} {}", set.At(0), what);
  }
  std::string conditions = ConditionText(set, trace_.meta.ranks, kTask);
  for (const std::string& guard : guards) {
    conditions += (conditions.empty() ? "" : " /\\ ") + guard;
  }
  if (conditions.empty()) {
    return fmt::format("ALL TASKS{} {}",
                       Names(what, kTask) ? std::string(" ") + kTask : "",
                       what);
  }
  return fmt::format("TASKS {} SUCH THAT {} {}", kTask, conditions, what);
}

Status Program::Repeat(const Item& item, const Scope& scope, const Inner& inner,
                       Statements* out) {
  const std::string index = fmt::format("i{}", loops_);
  auto domain = scope.domain.Inside(item.trips, index);
  if (!domain.ok()) return domain.status();
  const int64_t most = MostTrips(item.trips);
  if (most == 0) return Status::Ok();
  const Sequences trips = Of(item.trips, scope.domain);
  auto times = Text(item, "how often it happens", trips, scope);
  if (!times.ok()) return times.status();
  const bool always = *times == std::to_string(most);
  const bool of_task = Names(*times, kTask);
  // Ranks that never get there are in no set of the items inside.
  const bool by_rank =
      most == 1 && std::all_of(trips.begin(), trips.end(), [](const auto& t) {
        return t.second.IsConstant();
      });
  Scope inside = {std::move(*domain), scope.guards};
  loops_ += most > 1;
  std::string guard;
  if (!always && !by_rank) {
    guard = most == 1 ? ConditionOf(*times)
                      : fmt::format("{} < {}", index, Grouped(*times));
    if (of_task) inside.guards.push_back(guard);
  }
  Statements body;
  if (Status s = inner(inside, &body); !s.ok()) return s;
  loops_ -= most > 1;
  if (body.empty()) return Status::Ok();
  const bool condition = !guard.empty() && !of_task;
  if (most > 1 && !Names(LaidOut(body, 0), index)) {
    out->push_back(
        {"FOR " + (always ? *times : Grouped(*times)) + " REPETITIONS",
         std::move(body), ""});
    return Status::Ok();
  }
  if (condition) {
    Statement only = {"IF " + guard + " THEN", std::move(body), ""};
    body.clear();
    body.push_back(std::move(only));
  }
  if (most > 1) {
    out->push_back(
        {fmt::format("FOR EACH {} IN {{0, ..., {}}}", index, most - 1),
         std::move(body), ""});
  } else {
    std::move(body.begin(), body.end(), std::back_inserter(*out));
  }
  return Status::Ok();
}

Status Program::Children(const Item& loop, const Scope& scope,
                         Statements* out) {
  for (const Item& child : loop.children) {
    const auto inner = [&](const Scope& inside, Statements* body) {
      return child.node->is_event() ? Event(child, inside, body)
                                    : Children(child, inside, body);
    };
    if (Status s = Repeat(child, scope, inner, out); !s.ok()) return s;
  }
  return Status::Ok();
}

// The mean of all where what stands before each call follows no short rule.
std::string Program::MicrosecondsText(const Item& item, const Scope& scope,
                                      double scale) {
  const auto us = [scale](double ns) {
    return int64_t(std::llround(ns * scale / 1e3));
  };
  Sequences each = Of(item.compute, scope.domain);
  for (auto& [rank, section] : each) {
    section = Mapped(section, [&](int64_t ns) { return us(double(ns)); });
  }
  std::string text =
      ExpressionText(each, scope.domain.levels(), trace_.meta.ranks);
  const bool is_ruled = !text.empty() && text.size() <= kMostComputeText;
  const int64_t mean = us(MeanCompute(item.node->times));
  if (is_ruled ? LargestValue(each) > 0 : mean > 0) {
    return is_ruled ? Grouped(text) : std::to_string(mean);
  }
  if (item.node->times.TotalCompute() * scale > 0) {
    notes_.insert("computation of less than 0.5 us is left out");
  }
  return "";
}

void Program::Compute(const Item& item, const Scope& scope, Statements* out) {
  const double scale =
      options_.compute_scale * options_.ScaleAt(item.node->site);
  const std::string us = MicrosecondsText(item, scope, scale);
  if (us.empty()) return;
  out->push_back({Sentence(item.trips.Ranks(), scope.guards,
                           fmt::format("COMPUTE FOR {} MICROSECONDS", us)),
                  {},
                  ""});
}

Status Program::Event(const Item& item, const Scope& scope, Statements* out) {
  if (item.node->call == Call::MPI_Init_) return Status::Ok();
  Statements body;
  Compute(item, scope, &body);
  ++calls_;
  if (!item.comm.empty()) {
    if (Status s = Collective(item, scope, &body); !s.ok()) return s;
  }
  for (const Half& half : item.halves) {
    if (Status s = Message(item, half, scope, &body); !s.ok()) return s;
  }
  if (Status s = Await(item, scope, &body); !s.ok()) return s;
  if (body.empty()) return Status::Ok();
  body[0].comment = fmt::format("{}: {} {}", calls_ - 1,
                                reduction::Info(item.node->call).name,
                                SiteComment(trace_, options_, item.node->site));
  std::move(body.begin(), body.end(), std::back_inserter(*out));
  return Status::Ok();
}

Status Program::Message(const Item& item, const Half& half, const Scope& scope,
                        Statements* out) {
  Sequences peers, there;
  // Where a neighbour is missing at some rounds, who it is and whether there is
  // one follow simpler rules apart.
  for (const auto& [rank, section] : half.peer.ByRank()) {
    auto [filled, present] =
        HasNull(section)
            ? Split(section)
            : std::pair(section, Section::Constant(1, section.size()));
    peers.push_back({rank, scope.domain.Stretch(rank, filled)});
    there.push_back({rank, scope.domain.Stretch(rank, present)});
  }
  if (peers.empty()) return Status::Ok();
  auto exists = Text(item, "whether there is a peer", there, scope);
  if (!exists.ok()) return exists.status();
  std::vector<std::string> guards = scope.guards;
  if (*exists != "1") guards.push_back(ConditionOf(*exists));
  Sequences bytes = Of(half.bytes, scope.domain);
  ScaleBytes(&bytes);
  auto peer = Text(item, "its peer", peers, scope);
  auto tag = Text(item, "its tag", Of(half.tag, scope.domain), scope);
  auto size = Text(item, "its size", bytes, scope);
  for (const auto* text : {&peer, &tag, &size}) {
    if (!text->ok()) return text->status();
  }
  const std::string what = fmt::format(
      "{}{} A {} BYTE MESSAGE USING TAG {} {} TASK {}",
      half.waits ? "" : "ASYNCHRONOUSLY ", half.sends ? "SEND" : "RECEIVE",
      Grouped(*size), Grouped(*tag), half.sends ? "TO UNSUSPECTING" : "FROM",
      Grouped(*peer));
  out->push_back({Sentence(RanksOf(peers), guards, what), {}, ""});
  return Status::Ok();
}

Status Program::Await(const Item& item, const Scope& scope, Statements* out) {
  const Sequences awaits = Of(item.awaits, scope.domain);
  if (awaits.empty()) return Status::Ok();
  auto text = Text(item, "whether it leaves nothing open", awaits, scope);
  if (!text.ok()) return text.status();
  std::vector<std::string> guards = scope.guards;
  if (*text != "1") guards.push_back(ConditionOf(*text));
  out->push_back(
      {Sentence(RanksOf(awaits), guards, "AWAIT COMPLETION"), {}, ""});
  return Status::Ok();
}

Status Program::Write(const Item& root) {
  const Scope all;
  free_tag_ = LargestTag(root) + 1;
  return Children(root, all, &statements_);
}

}  // namespace ranksight::adapters::conceptual
