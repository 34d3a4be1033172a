#include "cli/look/timeline_report.h"

#include <fmt/core.h>

#include <cmath>
#include <map>
#include <vector>

#include "cli/base/format.h"
#include "cli/base/json.h"

namespace ranksight::cli {
namespace {

using reduction::Node;
using reduction::Result;
using reduction::Timeline;
using reduction::TimelineEvent;
using reduction::TimelineLane;
using reduction::Trace;

// nullptr where the loop has none, which no trace's has.
const Node* FirstEvent(const Node& loop) {
  const Node* first = nullptr;
  reduction::ForEachEvent(loop, [&first](const Node& event) {
    if (first == nullptr && !reduction::BeginsRun(event.call)) first = &event;
  });
  return first;
}

// Numbers things in the order in which they come.
template <class T>
class Numbered {
 public:
  size_t NumberOf(const T& thing) {
    const auto [at, is_new] = numbers_.try_emplace(thing, all_.size());
    if (is_new) all_.push_back(thing);
    return at->second;
  }
  const std::vector<T>& all() const { return all_; }

 private:
  std::map<T, size_t> numbers_;
  std::vector<T> all_;
};

int64_t Rounded(double ns) { return std::llround(ns); }

void WriteLane(const TimelineLane& lane, Numbered<const Node*>* calls,
               Numbered<std::string>* texts, JsonWriter* json) {
  json->BeginObject()
      .Member("pace", NameOf(lane.pace))
      .Member("rank", lane.rank)
      .Member("iteration", lane.iteration)
      .Member("iterations", lane.iterations)
      .Member("left_out", lane.left_out)
      .Member("compute_ns", Rounded(lane.ComputeNs()))
      .Member("call_ns", Rounded(lane.CallNs()))
      .Key("events")
      .BeginArray();
  for (const TimelineEvent& event : lane.events) {
    json->BeginArray()
        .Value(calls->NumberOf(event.node))
        .Value(texts->NumberOf(event.text))
        .Value(Rounded(event.compute_ns))
        .Value(Rounded(event.call_ns))
        .EndArray();
  }
  json->EndArray().EndObject();
}

void WriteCall(const Trace& trace, const Node& event, JsonWriter* json) {
  json->Member("call", Info(event.call).name)
      .Member("site", ToString(trace.sites, event.site));
}

std::string LaneText(const TimelineLane& lane, SiteNames* names) {
  Table table({"at", "computes", "in the call", "<call", "<call site"});
  double at = 0;
  for (const TimelineEvent& event : lane.events) {
    table.Add({Duration(at), Duration(event.compute_ns),
               Duration(event.call_ns), event.text,
               names->Text(event.node->site)});
    at += event.compute_ns + event.call_ns;
  }
  std::string out =
      fmt::format("\n{}: rank {}, iteration {} of {}\n", NameOf(lane.pace),
                  lane.rank, lane.iteration + 1, lane.iterations) +
      table.ToText();
  if (lane.left_out > 0) out += fmt::format("{} more calls\n", lane.left_out);
  return out;
}

}  // namespace

std::string TimelineBasis(const Timeline& timeline) {
  std::string basis =
      "ranks by what they compute in the loop; times from the distributions of "
      "the trace: the slowest computes at each call as long as the rank with "
      "the most there, the fastest as long as the one with the least, the "
      "median the mean";
  return basis + (timeline.has_calls
                      ? "; who computes longer waits less in calls"
                      : "; ranks shared cores, so calls take no time here");
}

std::string TimelineText(const Trace& trace, const Timeline& timeline,
                         SiteNames* names) {
  std::string out;
  const Node* const first = FirstEvent(*timeline.loop);
  if (timeline.loop == &trace.root || first == nullptr) {
    out = "the run, which has no loop";
  } else {
    out = fmt::format("one iteration of the loop that begins with {} at {}",
                      Info(first->call).name, names->Text(first->site, 1));
  }
  out += fmt::format(": {} of the time\n", Percent(timeline.share));
  out += TimelineBasis(timeline) + "\n\n";
  Table table({"<pace", "rank", "computes", "in calls", "together"});
  for (const TimelineLane& lane : timeline.lanes) {
    table.Add({NameOf(lane.pace), std::to_string(lane.rank),
               Duration(lane.ComputeNs()), Duration(lane.CallNs()),
               Duration(lane.ComputeNs() + lane.CallNs())});
  }
  out += table.ToText();
  for (const TimelineLane& lane : timeline.lanes) out += LaneText(lane, names);
  return out;
}

Result<std::string> TimelineJson(const Trace& trace) {
  const auto timeline = TimelineOf(trace);
  if (!timeline.ok()) return timeline.status();
  Numbered<const Node*> calls;
  Numbered<std::string> texts;
  JsonWriter json;
  json.BeginObject()
      .Member("ranks", trace.meta.ranks)
      .Member("share", timeline->share)
      .Member("basis", TimelineBasis(*timeline))
      .Member("has_calls", timeline->has_calls);
  const Node* const first = FirstEvent(*timeline->loop);
  if (first != nullptr) WriteCall(trace, *first, &json);
  json.Key("lanes").BeginArray();
  for (const TimelineLane& lane : timeline->lanes) {
    WriteLane(lane, &calls, &texts, &json);
  }
  json.EndArray().Key("calls").BeginArray();
  for (const Node* event : calls.all()) {
    json.BeginObject();
    WriteCall(trace, *event, &json);
    json.EndObject();
  }
  json.EndArray().Key("texts").BeginArray();
  for (const std::string& text : texts.all()) json.Value(text);
  json.EndArray().EndObject();
  return json.text();
}

}  // namespace ranksight::cli
