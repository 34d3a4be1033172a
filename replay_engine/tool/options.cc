#include "replay_engine/tool/options.h"

#include <CLI/CLI.hpp>

#include "reduction/api/exchanges.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Status;

// CLI::Range lets "nan" through.
const CLI::Validator kFactor(
    [](std::string& text) {
      double x = -1;
      return CLI::detail::lexical_cast(text, x) && x >= 0 && x <= 1e9
                 ? std::string()
                 : "'" + text + "' is no factor from 0 to 1e9";
    },
    "");

Status ParseExchanges(const std::vector<std::string>& words, ToolOptions* o) {
  for (const std::string& word : words) {
    const Status s = reduction::ReadExchanges(word, &o->exchanges);
    if (!s.ok()) return s;
  }
  return Status::Ok();
}

Status ParseTuning(const std::vector<std::string>& words, ToolOptions* o) {
  Tuning& tuning = o->replay.tuning;
  for (const std::string& word : words) {
    if (word == "order") {
      tuning.order = true;
    } else if (word == "balance") {
      tuning.balance = true;
    } else if (word == "pace") {
      tuning.pace = true;
    } else {
      return Status::Usage("--tune '" + word +
                           "': order, balance and pace are known");
    }
  }
  if (tuning.Any() && o->torus.empty()) {
    return Status::Usage("--tune needs --torus");
  }
  if (o->torus == "mpi" && (!o->map.empty() || !o->order.empty())) {
    return Status::Usage("--torus mpi says itself where ranks sit");
  }
  tuning.bytes_scale = o->bytes_scale;
  return Status::Ok();
}

void AddPlacement(CLI::App* app, ToolOptions* o,
                  std::vector<std::string>* tunings) {
  app->add_option("--tune", *tunings,
                  "order,balance,pace: post the sends that follow one another "
                  "as suits the torus; any of the three, comma-separated")
      ->delimiter(',')
      ->allow_extra_args(false);
  app->add_option("--torus", o->torus,
                  "The machine, as `ranksight map` takes it; mpi: as the MPI "
                  "library says, with the places of the ranks");
  app->add_option("--map", o->map, "Map file with the places of the ranks");
  app->add_option("--order", o->order,
                  "Order of the mapping without a map file");
  app->add_option("--ranks-per-node", o->ranks_per_node,
                  "Ranks on each node; 0: as few as will do")
      ->check(CLI::Range(0, 1 << 20));
}

// The lines of a variable of the environment.
void AddLinesOf(const char* name, std::vector<std::string>* lines) {
  const char* text = std::getenv(name);
  std::istringstream in(text == nullptr ? "" : text);
  for (std::string line; std::getline(in, line);) lines->push_back(line);
}

}  // namespace

reduction::Result<ToolOptions> ParseOptions(int argc, char** argv) {
  ToolOptions o;
  bool no_compute = false, no_pin = false;
  std::vector<std::string> site_scales, exchanges, tunings;
  CLI::App app(
      "Replays a trace as real, timed MPI calls. Runs under an MPI launcher "
      "with as many ranks as the trace has.",
      "ranksight-replay");
  app.add_option("FILE", o.file, "Trace to replay")->required();
  app.add_option("--compute-scale", o.replay.compute_scale,
                 "Multiply computation between calls")
      ->check(kFactor);
  app.add_option("--bytes-scale", o.bytes_scale, "Multiply message sizes")
      ->check(kFactor);
  app.add_option("--site-scale", site_scales,
                 "TEXT=FACTOR: multiply computation before the calls of sites "
                 "whose call path (as `ranksight stats` prints it) holds TEXT")
      ->allow_extra_args(false);
  app.add_option("--exchange", exchanges,
                 "CALL=p2p: messages in place of a collective (alltoall, "
                 "bcast, ... or all)")
      ->allow_extra_args(false);
  app.add_option("--scratch", o.scratch,
                 "Folder, seen by all ranks, for the files that stand in for "
                 "the program's")
      ->capture_default_str();
  app.add_flag("--wildcards", o.replay.wildcards,
               "Receives from any source stay such; else they ask for what "
               "they matched in the recording");
  app.add_flag("--align", o.align,
               "Receives from any source that the recording says no match of "
               "ask for what a walk of all ranks finds before the start");
  app.add_flag("--no-compute", no_compute, "Leave computation out");
  app.add_flag("--mean-compute", o.replay.mean_compute,
               "Compute the mean of each call site each time, on every rank");
  app.add_flag("--sleep", o.sleep, "Sleep instead of computing");
  app.add_flag("--no-pin", no_pin,
               "Bind no rank to a core; else each has one of its own, where a "
               "host has enough and the launcher has bound none");
  app.add_option("--seed", o.replay.seed, "Of durations and payload");
  app.add_flag("--partial", o.partial,
               "Replay a partial trace; it may not come to an end");
  app.add_option("--stall", o.stall_s,
                 "Give up (exit code 1) when a rank does not get past an "
                 "event in so many seconds; 0 waits for ever")
      ->check(CLI::Range(0, 1000000));
  AddPlacement(&app, &o, &tunings);
  app.add_flag("--json", o.json, "Print the result as JSON");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    o.help = app.help();
  } catch (const CLI::ParseError& e) {
    return reduction::Status::Usage(e.what());
  }
  o.replay.compute = !no_compute;
  o.pin = !no_pin;
  AddLinesOf(kSiteScales, &site_scales);
  auto scales = reduction::ReadSiteScales(site_scales);
  if (!scales.ok()) return scales.status();
  o.site_scales = std::move(*scales);
  if (Status s = ParseExchanges(exchanges, &o); !s.ok()) return s;
  if (Status s = ParseTuning(tunings, &o); !s.ok()) return s;
  return o;
}

}  // namespace ranksight::replay_engine
