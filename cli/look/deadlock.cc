#include "cli/look/deadlock.h"

#include <fmt/core.h>

#include "cli/base/files.h"
#include "cli/base/json.h"
#include "cli/base/print.h"
#include "cli/base/progress.h"

namespace ranksight::cli {

using reduction::Result;
using replay_engine::ProgressOptions;
using replay_engine::Standing;

namespace {

constexpr int kLargestExponent = 40;  // a TiB
// Ranks of a circle that are printed; a long one says little more.
constexpr size_t kMostPrinted = 16;

const char* NameOf(Deadlock::Kind kind) {
  switch (kind) {
    case Deadlock::Kind::kNone:
      return "none";
    case Deadlock::Kind::kSends:
      return "sends";
    case Deadlock::Kind::kCollectives:
      return "collectives";
    case Deadlock::Kind::kAlways:
      return "always";
  }
  return "";
}

std::string Verdict(const Deadlock& s, int64_t ranks) {
  switch (s.kind) {
    case Deadlock::Kind::kNone:
      return fmt::format(
          "ends whatever the MPI library holds back: {} ranks, {} events\n",
          ranks, s.progress.events);
    case Deadlock::Kind::kSends:
      return fmt::format(
          "potential deadlock: ends only where sends of up to {} bytes return "
          "before they are received; else {} of {} ranks stand\n",
          s.bytes, s.progress.standing, ranks);
    case Deadlock::Kind::kCollectives:
      return fmt::format(
          "potential deadlock: ends only where sends, and collectives that do "
          "not need all, return early; else {} of {} ranks stand\n",
          s.progress.standing, ranks);
    case Deadlock::Kind::kAlways:
      return fmt::format(
          "deadlock: {} of {} ranks stand, whatever the MPI "
          "library does\n",
          s.progress.standing, ranks);
  }
  return "";
}

}  // namespace

Result<Deadlock> FindDeadlock(
    const reduction::Trace& trace, bool wildcards, double bytes_scale,
    const std::function<void(double share)>& tell_share) {
  ProgressOptions options;
  options.tell_share = tell_share;
  options.wildcards = wildcards;
  options.bytes_scale = bytes_scale;
  const auto with = [&](int64_t buffered_bytes) {
    options.buffered_bytes = buffered_bytes;
    return replay_engine::CheckProgress(trace, options);
  };
  auto worst = with(replay_engine::kNoBuffering);
  if (!worst.ok()) return worst.status();
  if (worst->ends) return Deadlock{{}, 0, std::move(*worst)};
  auto best = with(replay_engine::kAllBuffered);
  if (!best.ok()) return best.status();
  if (!best->ends) {
    return Deadlock{Deadlock::Kind::kAlways, 0, std::move(*best)};
  }
  int below = -1, enough = kLargestExponent;
  const auto largest = with(int64_t{1} << enough);
  if (!largest.ok()) return largest.status();
  if (!largest->ends) {
    return Deadlock{Deadlock::Kind::kCollectives, 0, std::move(*worst)};
  }
  while (enough - below > 1) {
    const int middle = (below + enough) / 2;
    const auto progress = with(int64_t{1} << middle);
    if (!progress.ok()) return progress.status();
    (progress->ends ? enough : below) = middle;
  }
  return Deadlock{Deadlock::Kind::kSends, int64_t{1} << enough,
                  std::move(*worst)};
}

std::string DeadlockText(const Deadlock& s, int64_t ranks, SiteNames* names) {
  std::string text = Verdict(s, ranks);
  const std::vector<Standing>& chain = s.progress.chain;
  for (size_t i = 0; i < chain.size() && i < kMostPrinted; ++i) {
    text +=
        fmt::format("  rank {}, event {}: {}\n    waits for {}\n    at {}\n",
                    chain[i].rank, chain[i].event, chain[i].call, chain[i].why,
                    names->Text(chain[i].site));
  }
  if (chain.size() > kMostPrinted) {
    text += fmt::format("  ... and {} more\n", chain.size() - kMostPrinted);
  }
  if (!chain.empty()) {
    text += s.progress.circle
                ? "  and so on in a circle\n"
                : fmt::format("  and rank {} has ended\n", chain.back().on);
  }
  if (!s.progress.mismatch.empty()) {
    text += fmt::format("collectives do not go together: {}\n",
                        s.progress.mismatch);
  }
  return text;
}

std::string DeadlockJson(const Deadlock& s, int64_t ranks, SiteNames* names) {
  JsonWriter json;
  json.BeginObject()
      .Member("deadlock", NameOf(s.kind))
      .Member("ranks", ranks)
      .Member("events", s.progress.events)
      .Member("standing", s.progress.standing);
  if (s.kind == Deadlock::Kind::kSends) json.Member("buffer_bytes", s.bytes);
  json.Member("circle", s.progress.circle).Key("waits").BeginArray();
  for (const Standing& at : s.progress.chain) {
    json.BeginObject()
        .Member("rank", at.rank)
        .Member("event", at.event)
        .Member("call", at.call)
        .Member("on", at.on)
        .Member("for", at.why)
        .Member("site", names->Text(at.site))
        .EndObject();
  }
  return json.EndArray()
      .Member("mismatch", s.progress.mismatch)
      .EndObject()
      .text();
}

Result<Deadlock> LookForDeadlock(const reduction::Trace& trace,
                                 const WorkOptions& work) {
  return WithProgress("looking for calls that wait", [&](Progress* progress) {
    return FindDeadlock(trace, work.wildcards, work.what_if.bytes_scale,
                        TellTo(progress));
  });
}

void ExplainStall(const reduction::Trace& trace, const std::string& file,
                  const WorkOptions& work) {
  const auto found = LookForDeadlock(trace, work);
  if (!found.ok() || found->kind == Deadlock::Kind::kNone) return;
  SiteNames names(trace.sites, PlacesNear({&file, 1}));
  NoteLines(DeadlockText(*found, trace.meta.ranks, &names));
}

}  // namespace ranksight::cli
