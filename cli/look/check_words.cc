#include "cli/look/check_words.h"

#include <fmt/core.h>

#include "cli/base/format.h"
#include "cli/base/lists.h"

namespace ranksight::cli {

using online_model::NameOf;
using online_model::Verdict;

std::string SecondsWords(double seconds) { return Duration(seconds * 1e9); }

std::string AmountWords(const online_model::Amount& amount) {
  if (amount.least == amount.most) return std::to_string(amount.most);
  return fmt::format("{} to {}", amount.least, amount.most);
}

std::string PlaceWords(const online_model::NamedSite& place) {
  return place.where == "?" ? place.call : place.call + " in " + place.where;
}

std::string ChangeWords(const online_model::AmountChange& change) {
  std::string text = change.quantity;
  const char* separator = " ";
  for (const auto& at : change.sizes) {
    if (at.before == at.after) continue;
    text += fmt::format("{}{} -> {} at {}", separator, AmountWords(at.before),
                        AmountWords(at.after), Counted(at.ranks, "rank"));
    separator = ", ";
  }
  if (!change.grew.empty() && !change.grows.empty()) {
    text += change.grew == change.grows
                ? fmt::format("; grows as {}, as before", change.grows)
                : fmt::format("; grew as {}, grows as {}", change.grew,
                              change.grows);
  }
  return text + ": " + std::string(NameOf(change.verdict));
}

std::string CommunicationWords(const online_model::CommunicationCheck& check) {
  if (check.ranks.empty()) {
    return fmt::format("communication: {}, {}", NameOf(check.verdict),
                       check.reason);
  }
  std::string last;
  uint64_t changed = 0;
  for (const auto& change : check.changes) {
    const std::string place = PlaceWords(change.place);
    changed += place != last;
    last = place;
  }
  std::string text = fmt::format(
      "communication: {}, {} of {} places not as before, at {} ranks",
      NameOf(check.verdict), changed, check.places,
      JoinNumbers(check.ranks, ", "));
  return check.reason.empty() ? text : text + "; " + check.reason;
}

std::string TimeWords(const online_model::TimeCheck& check) {
  const char* what =
      check.processor_time ? "processor time of a mean rank" : "run time";
  std::string_view name = NameOf(check.verdict);
  if (check.verdict == Verdict::kWorse) name = "slower";
  if (check.verdict == Verdict::kBetter) name = "faster";
  if (check.verdict == Verdict::kSame) name = "not slower";
  std::string text(name);
  if (check.HasInterval()) {
    text += fmt::format(", {:.3f} times as long ({:.3f} to {:.3f}, {})",
                        check.ratio, check.low, check.high,
                        Counted(int64_t(check.pairs), "pair") + " of runs");
  }
  text += fmt::format(", {} {} -> {}", what, SecondsWords(check.before),
                      SecondsWords(check.after));
  return check.reason.empty() ? text : text + "; " + check.reason;
}

std::string GrownWords(const online_model::TimeCheck& check) {
  if (check.grown.call.empty()) return "";
  return fmt::format("most of it, {}, {} {}", SecondsWords(check.grown_seconds),
                     check.grown_in_call ? "in" : "is computed before",
                     PlaceWords(check.grown));
}

std::string BudgetWords(const online_model::BudgetCheck& check) {
  std::string_view name = NameOf(check.verdict);
  if (check.verdict == Verdict::kWorse) name = "over";
  if (check.verdict == Verdict::kSame) name = "within";
  std::string text =
      fmt::format("{}, {} ({} to {}), the limit {}", name,
                  SecondsWords(check.seconds), SecondsWords(check.low),
                  SecondsWords(check.high), SecondsWords(check.within));
  return check.reason.empty() ? text : text + "; " + check.reason;
}

std::string MarkdownCode(std::string_view text) {
  // A cell ends at a bar, even in code, and code at a backtick.
  std::string out = "`";
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '`' ? '\'' : c;
  }
  return out + '`';
}

}  // namespace ranksight::cli
