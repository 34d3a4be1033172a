// Collectives of a program: which members, then the statements of the
// substitute (collectives.h).
#include <fmt/core.h>

#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "adapters/conceptual/align.h"
#include "adapters/conceptual/collectives.h"
#include "adapters/conceptual/program.h"
#include "adapters/conceptual/tasks.h"

namespace ranksight::adapters::conceptual {
namespace {

using reduction::RankSet;
using reduction::Section;
using reduction::Status;

// Bytes as elements, which REDUCE wants; says which.
const char* MakeElements(Sequences* amounts) {
  int64_t size = 8;
  for (const auto& [rank, section] : *amounts) {
    reduction::SectionCursor next(&section);
    uint64_t times = 0;
    while (!next.done()) {
      if (next.NextRun(&times) % size != 0) size = 4;
    }
  }
  for (auto& [rank, section] : *amounts) {
    section =
        Mapped(section, [size](int64_t v) { return (v + size - 1) / size; });
  }
  return size == 8 ? "DOUBLEWORDS" : "INTEGERS";
}

}  // namespace

Status Program::Collective(const Item& item, const Scope& scope,
                           Statements* out) {
  // The language has no communicators: only who is in them matters.
  std::map<std::vector<int64_t>, std::set<int64_t>> comms;
  for (const auto& [comm, ranks] : MembersOf(item)) {
    if (comm >= 0 && ranks.size() > 1) comms[ranks].insert(comm);
  }
  for (const auto& [ranks, numbers] : comms) {
    if (Status s = CollectiveOf(item, scope, numbers, ranks, out); !s.ok()) {
      return s;
    }
  }
  return Status::Ok();
}

Status Program::CollectiveOf(const Item& item, const Scope& scope,
                             const std::set<int64_t>& comms,
                             const std::vector<int64_t>& members,
                             Statements* out) {
  Sequences mine = Of(item.comm, scope.domain, &members);
  for (auto& [rank, section] : mine) {
    section =
        Mapped(section, [&](int64_t v) { return int64_t(comms.count(v)); });
  }
  auto now = Text(item, "its communicator", mine, scope);
  if (!now.ok()) return now.status();
  if (!scope.guards.empty() || Names(*now, kTask)) {
    return No(item, "its ranks make it at different rounds of a loop");
  }
  Sequences amounts = Of(item.amount, scope.domain, &members);
  ScaleBytes(&amounts);
  auto root =
      Text(item, "its root", Of(item.root, scope.domain, &members), scope);
  auto bytes = Text(item, "its size", amounts, scope);
  // Some statements count elements and not bytes: from here on amounts are in
  // elements.
  const char* elements = MakeElements(&amounts);
  auto count = Text(item, "its size", amounts, scope);
  for (const auto* text : {&root, &bytes, &count}) {
    if (!text->ok()) return text->status();
  }
  const bool to_all = PatternOf(item.node->call) == Pattern::kMulticastToAll;
  if (Names(*root, kTask) || (Names(*bytes, kTask) && !to_all)) {
    return No(item, "its ranks disagree on its root or size");
  }
  const Operands operands = {Grouped(*root), Grouped(*bytes),
                             Grouped(*count) + " " + elements};
  Statements made = options_.exchanges.count(item.node->call) > 0
                        ? Messages(item, Section::Of(members), operands)
                        : Substitute(item, Section::Of(members), operands);
  if (*now == "1") {
    std::move(made.begin(), made.end(), std::back_inserter(*out));
  } else {
    out->push_back({"IF " + ConditionOf(*now) + " THEN", std::move(made), ""});
  }
  return Status::Ok();
}

Program::Statements Program::Substitute(const Item& item, const RankSet& set,
                                        const Operands& operands) const {
  const auto one = [&](const std::string& what) {
    return Statement{Sentence(set, {}, what), {}, ""};
  };
  const auto multicast = [&](const std::string& root,
                             const std::string& bytes) {
    return Statement{fmt::format("TASK {} MULTICASTS A {} BYTE MESSAGE TO {}",
                                 root, bytes, Others(set, root)),
                     {},
                     ""};
  };
  const std::string reduce = "REDUCE " + operands.elements;
  const std::string first = std::to_string(set.At(0));
  switch (PatternOf(item.node->call)) {
    case Pattern::kSynchronize:
      return {one("SYNCHRONIZE")};
    case Pattern::kMulticast:
      return {multicast(operands.root, operands.bytes)};
    case Pattern::kReduce:
      return {one(reduce + " TO TASK " + operands.root)};
    case Pattern::kReduceToAll:
      return {one(reduce)};
    case Pattern::kReduceThenMulticast:
      return {one(reduce + " TO TASK " + first),
              multicast(first,
                        fmt::format("({} * {})", set.size(), operands.bytes))};
    case Pattern::kMulticastToAll:
      return {one(fmt::format("MULTICAST A {} BYTE MESSAGE TO {}",
                              operands.bytes, Others(set, kTask)))};
    case Pattern::kReduceToEach:
      return {{"FOR EACH r IN " + RangesText(set),
               {one(reduce + " TO TASK r")},
               ""}};
    case Pattern::kNone:
      break;  // refused before
  }
  return {};
}

}  // namespace ranksight::adapters::conceptual
