#include "cli/look/check_report.h"

#include <fmt/core.h>

#include "cli/base/format.h"
#include "cli/base/json.h"
#include "cli/base/lists.h"
#include "cli/look/check_words.h"

namespace ranksight::cli {
namespace {

using online_model::AmountChange;
using online_model::BudgetCheck;
using online_model::NameOf;
using online_model::TimeCheck;
using online_model::Verdict;

void WriteAmount(std::string_view key, const online_model::Amount& amount,
                 JsonWriter* json) {
  json->Key(key).BeginArray().Value(amount.least).Value(amount.most).EndArray();
}

void WriteChange(const AmountChange& change, JsonWriter* json) {
  json->BeginObject()
      .Member("call", change.place.call)
      .Member("where", change.place.where)
      .Member("quantity", change.quantity)
      .Member("verdict", NameOf(change.verdict))
      .Member("grew", change.grew)
      .Member("grows", change.grows);
  json->Key("sizes").BeginArray();
  for (const AmountChange::At& at : change.sizes) {
    json->BeginObject().Member("ranks", at.ranks);
    WriteAmount("before", at.before, json);
    WriteAmount("after", at.after, json);
    json->EndObject();
  }
  json->EndArray().EndObject();
}

void WriteTime(const TimeCheck& time, JsonWriter* json) {
  json->BeginObject()
      .Member("ranks", time.ranks)
      .Member("verdict", NameOf(time.verdict))
      .Member("reason", time.reason)
      .Member("pairs", time.pairs)
      .Member("processor_time", time.processor_time)
      .Member("before_s", time.before)
      .Member("after_s", time.after);
  if (time.HasInterval()) {
    json->Member("ratio", time.ratio)
        .Member("low", time.low)
        .Member("high", time.high)
        .Member("alpha", time.alpha);
  }
  if (!time.grown.call.empty()) {
    json->Key("grown")
        .BeginObject()
        .Member("call", time.grown.call)
        .Member("where", time.grown.where)
        .Member("in_call", time.grown_in_call)
        .Member("seconds", time.grown_seconds)
        .EndObject();
  }
  json->EndObject();
}

std::string MarkdownRow(const std::string& what, const std::string& before,
                        const std::string& after, Verdict verdict) {
  return "| " + what + " | " + before + " | " + after + " | " +
         std::string(NameOf(verdict)) + " |\n";
}

// The cases of a suite, and how many of them failed or were skipped.
struct Cases {
  std::string text;
  int all = 0, failed = 0, skipped = 0;

  void Add(const std::string& name, Verdict verdict, const std::string& says) {
    ++all;
    text +=
        "  <testcase classname=\"ranksight\" name=\"" + EscapeXml(name) + "\"";
    if (verdict == Verdict::kWorse) {
      ++failed;
      text += ">\n    <failure message=\"" + EscapeXml(says) +
              "\"/>\n  </testcase>\n";
    } else if (verdict == Verdict::kCannotTell) {
      ++skipped;
      text += ">\n    <skipped message=\"" + EscapeXml(says) +
              "\"/>\n  </testcase>\n";
    } else {
      text += "/>\n";
    }
  }
};

}  // namespace

Verdict VerdictOf(const CheckReport& report) {
  Verdict verdict = report.compared.verdict;
  for (const TimeCheck& t : report.times) {
    verdict = online_model::Both(verdict, t.verdict);
  }
  for (const BudgetCheck& b : report.budget) {
    verdict = online_model::Both(verdict, b.verdict);
  }
  return verdict;
}

std::string CheckText(const CheckReport& report) {
  std::string text = CommunicationWords(report.compared) + '\n';
  for (const AmountChange& change : report.compared.changes) {
    text += fmt::format("  {}: {}\n", PlaceWords(change.place),
                        ChangeWords(change));
  }
  for (const TimeCheck& time : report.times) {
    text += fmt::format("time at {}: {}\n", Counted(time.ranks, "rank"),
                        TimeWords(time));
    const std::string grown = GrownWords(time);
    if (!grown.empty()) text += "  " + grown + '\n';
  }
  for (const BudgetCheck& budget : report.budget) {
    text += fmt::format("budget at {}: {}\n", Counted(budget.ranks, "rank"),
                        BudgetWords(budget));
  }
  return text + std::string(NameOf(VerdictOf(report))) + '\n';
}

std::string CheckJson(const CheckReport& report) {
  JsonWriter json;
  json.BeginObject()
      .Member("program", report.communication.program)
      .Member("verdict", NameOf(VerdictOf(report)));
  json.Key("communication")
      .BeginObject()
      .Member("verdict", NameOf(report.compared.verdict))
      .Member("reason", report.compared.reason)
      .Member("places", report.compared.places);
  json.Key("ranks").BeginArray();
  for (const int64_t n : report.compared.ranks) json.Value(n);
  json.EndArray().Key("changes").BeginArray();
  for (const AmountChange& c : report.compared.changes) WriteChange(c, &json);
  json.EndArray().EndObject().Key("times").BeginArray();
  for (const TimeCheck& time : report.times) WriteTime(time, &json);
  json.EndArray().Key("budget").BeginArray();
  for (const BudgetCheck& b : report.budget) {
    json.BeginObject()
        .Member("ranks", b.ranks)
        .Member("within_s", b.within)
        .Member("verdict", NameOf(b.verdict))
        .Member("reason", b.reason)
        .Member("seconds", b.seconds)
        .Member("low", b.low)
        .Member("high", b.high)
        .EndObject();
  }
  return json.EndArray().EndObject().text();
}

std::string CheckMarkdown(const CheckReport& report) {
  std::string text = fmt::format("### Ranksight: {}, {}\n\n{}\n",
                                 MarkdownCode(report.communication.program),
                                 NameOf(VerdictOf(report)),
                                 CommunicationWords(report.compared));
  if (report.compared.changes.empty() && report.times.empty() &&
      report.budget.empty()) {
    return text;
  }
  text += "\n| what | before | after | |\n|---|---|---|---|\n";
  for (const AmountChange& c : report.compared.changes) {
    const std::string where = MarkdownCode(PlaceWords(c.place));
    for (const AmountChange::At& at : c.sizes) {
      if (at.before == at.after) continue;
      text +=
          MarkdownRow(fmt::format("{}: {} at {}", where, c.quantity,
                                  Counted(at.ranks, "rank")),
                      AmountWords(at.before), AmountWords(at.after), c.verdict);
    }
    if (c.grew != c.grows) {
      text += MarkdownRow(where + ": " + c.quantity + " over ranks", c.grew,
                          c.grows, c.verdict);
    }
  }
  for (const TimeCheck& t : report.times) {
    text += MarkdownRow("time at " + Counted(t.ranks, "rank"),
                        SecondsWords(t.before),
                        SecondsWords(t.after) + ": " + TimeWords(t), t.verdict);
    const std::string grown = GrownWords(t);
    if (!grown.empty())
      text += MarkdownRow(MarkdownCode(grown), "", "", t.verdict);
  }
  for (const BudgetCheck& b : report.budget) {
    text += MarkdownRow("budget at " + Counted(b.ranks, "rank"),
                        SecondsWords(b.within), BudgetWords(b), b.verdict);
  }
  return text;
}

std::string CheckJunit(const CheckReport& report) {
  Cases cases;
  cases.Add("communication", report.compared.verdict,
            CommunicationWords(report.compared));
  for (const AmountChange& c : report.compared.changes) {
    cases.Add(c.quantity + " of " + PlaceWords(c.place), c.verdict,
              ChangeWords(c));
  }
  for (const TimeCheck& t : report.times) {
    const std::string grown = GrownWords(t);
    cases.Add("time at " + Counted(t.ranks, "rank"), t.verdict,
              TimeWords(t) + (grown.empty() ? "" : "; " + grown));
  }
  for (const BudgetCheck& b : report.budget) {
    cases.Add("budget at " + Counted(b.ranks, "rank"), b.verdict,
              BudgetWords(b));
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n"
      "{}</testsuite>\n",
      EscapeXml("ranksight check " + report.communication.program), cases.all,
      cases.failed, cases.skipped, cases.text);
}

std::string CheckBenchmark(const CheckReport& report) {
  JsonWriter json;
  json.BeginArray();
  const auto add = [&](const std::string& name, std::string_view unit,
                       auto value, const std::string& range) {
    json.BeginObject().Member("name", name).Member("unit", unit);
    json.Member("value", value).Member("range", range).EndObject();
  };
  const std::string& program = report.communication.program;
  for (const auto& [ranks, places] : report.communication.places) {
    uint64_t calls = 0, bytes = 0;
    for (const auto& [place, amounts] : places) {
      calls += amounts.calls.most;
      bytes += amounts.bytes.most;
    }
    const std::string at = program + ", " + Counted(ranks, "rank") + ": ";
    add(at + "calls", "calls", calls, "");
    add(at + "bytes", "bytes", bytes, "");
  }
  for (const TimeCheck& t : report.times) {
    const double half = t.after * (t.high - t.low) / 2;
    add(program + ", " + Counted(t.ranks, "rank") + ": time", "s", t.after,
        t.HasInterval() ? fmt::format("± {:.3g}", half) : "");
  }
  return json.EndArray().text();
}

}  // namespace ranksight::cli
