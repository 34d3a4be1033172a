// Messages in place of collectives.
#include <fmt/core.h>

#include "adapters/conceptual/collectives.h"
#include "adapters/conceptual/program.h"
#include "adapters/conceptual/tasks.h"

namespace ranksight::adapters::conceptual {
namespace {

constexpr const char* kOther = "u";

}  // namespace

using reduction::RankSet;

std::string Program::Others(const RankSet& set, const std::string& task) const {
  const std::string condition = ConditionText(set, trace_.meta.ranks, kOther);
  if (condition.empty()) return "ALL OTHER TASKS";
  return fmt::format("TASKS {} SUCH THAT {} /\\ {} <> {}", kOther, condition,
                     kOther, task);
}

Program::Statements Program::Messages(const Item& item, const RankSet& set,
                                      const Operands& operands) const {
  const auto message = [&](const std::string& bytes) {
    return fmt::format("SEND A {} BYTE MESSAGE USING TAG {} TO ", bytes,
                       free_tag_);
  };
  const auto from = [&](const std::string& task, const std::string& bytes) {
    return Statement{
        fmt::format("TASK {} {}{}", task, message(bytes), Others(set, task)),
        {},
        ""};
  };
  const auto to = [&](const std::string& task, const std::string& bytes) {
    return Statement{Sentence(set, {fmt::format("{} <> {}", kTask, task)},
                              message(bytes) + "TASK " + task),
                     {},
                     ""};
  };
  const std::string first = std::to_string(set.At(0));
  switch (PatternOf(item.node->call)) {
    case Pattern::kSynchronize:
      return {to(first, "0"), from(first, "0")};
    case Pattern::kMulticast:
      return {from(operands.root, operands.bytes)};
    case Pattern::kReduce:
      return {to(operands.root, operands.bytes)};
    case Pattern::kReduceToAll:
      return {to(first, operands.bytes), from(first, operands.bytes)};
    case Pattern::kReduceThenMulticast:
    case Pattern::kMulticastToAll:
    case Pattern::kReduceToEach:
      // Its size may name the task, which is the sender.
      return {{fmt::format("FOR EACH {} IN {}", kTask, RangesText(set)),
               {from(kTask, operands.bytes)},
               ""}};
    case Pattern::kNone:
      break;  // refused before
  }
  return {};
}

}  // namespace ranksight::adapters::conceptual
