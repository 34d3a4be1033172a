#include "replay_engine/tool/options.h"

#include <CLI/CLI.hpp>

namespace ranksight::replay_engine {

reduction::Result<ToolOptions> ParseOptions(int argc, char** argv) {
  ToolOptions o;
  bool no_compute = false;
  CLI::App app(
      "Replays a trace as real, timed MPI calls. Runs under an MPI launcher "
      "with as many ranks as the trace has.",
      "ranksight-replay");
  app.add_option("FILE", o.file, "Trace to replay")->required();
  app.add_option("--compute-scale", o.replay.compute_scale,
                 "Multiply computation between calls")
      ->check(CLI::Range(0.0, 1e9));
  app.add_option("--bytes-scale", o.bytes_scale, "Multiply message sizes")
      ->check(CLI::Range(0.0, 1e9));
  app.add_flag("--no-compute", no_compute, "Leave computation out");
  app.add_flag("--sleep", o.sleep, "Sleep instead of computing");
  app.add_option("--seed", o.replay.seed, "Of durations and payload");
  app.add_flag("--partial", o.partial,
               "Replay a partial trace; it may not come to an end");
  app.add_option("--stall", o.stall_s,
                 "Give up (exit code 1) when a rank does not get past an "
                 "event in so many seconds; 0 waits for ever")
      ->check(CLI::Range(0, 1000000));
  app.add_flag("--json", o.json, "Print the result as JSON");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    o.help = app.help();
  } catch (const CLI::ParseError& e) {
    return reduction::Status::Usage(e.what());
  }
  o.replay.compute = !no_compute;
  return o;
}

}  // namespace ranksight::replay_engine
