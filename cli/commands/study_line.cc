#include "cli/commands/study_line.h"

#include "cli/base/locate.h"
#include "cli/base/network_option.h"
#include "cli/base/number_checks.h"
#include "cli/base/plugin_option.h"

namespace ranksight::cli {

void AddStudyOptions(CLI::App* app, StudyOptions* options) {
  CLI::Option* ranks =
      app->add_option("--ranks", options->ranks,
                      "Rank counts to run, comma-separated, in this order")
          ->type_name("N1,N2,...");
  app->add_option("--forecast", options->forecast,
                  "Rank counts to forecast, comma-separated")
      ->type_name("N1,N2,...");
  CLI::Option* extrapolate =
      app->add_option("--extrapolate", options->extrapolate,
                      "Also write the trace at this rank count")
          ->type_name("N")
          ->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
  app->add_option("-o,--output", options->output,
                  "File for the extrapolated trace\n"
                  "(default: <program>.<N>.trace in the study's folder)")
      ->type_name("FILE")
      ->needs(extrapolate);
  app->add_option("--repeat", options->repeat,
                  "How often to run each size; repetitions show the noise")
      ->type_name("K")
      ->check(CLI::Range(int64_t{1}, kMostRepetitions))
      ->capture_default_str();
  app->add_option("--patience", options->patience_seconds,
                  "Seconds that a busy machine may take to store a run")
      ->type_name("SECONDS")
      ->check(AboveZero())
      ->capture_default_str();
  app->add_option("--launcher", options->launcher,
                  "How to start the program; {ranks} is replaced by the rank\n"
                  "count, without it -n RANKS is added (default:\n" +
                      DefaultLauncher() + ")")
      ->type_name("TEMPLATE");
  app->add_option("--folder", options->folder,
                  "Folder for report.html, report.txt, forecast.json, traces\n"
                  "and the output of the runs; made when it is not there")
      ->type_name("DIR")
      ->capture_default_str();
  app->add_option("--store", options->store,
                  "Keep the runs in this side-car store and use those of the\n"
                  "same build that it holds already (default: this study's\n"
                  "runs alone)")
      ->type_name("DIR");
  CLI::Option* submit =
      app->add_option("--submit", options->submit,
                      "File a job for each run instead of making it: this\n"
                      "command, {ranks} replaced, and a script's name behind\n"
                      "it. Again: only what is not there or under way")
          ->expected(0, 1)
          ->default_str("sbatch --ntasks={ranks}")
          ->type_name("COMMAND");
  app->add_option("--collect", options->collect,
                  "Go on with the jobs that --submit filed for the study in\n"
                  "this folder")
      ->type_name("DIR")
      ->excludes(ranks)
      ->excludes(submit);
  AddLinkOptions(app, &options->places);
  AddNetworkOption(app, "for runs whose ranks share cores", &options->network);
  AddPluginOption(app, &options->plugins);
  app->add_flag("--json", options->json,
                "One JSON document on stdout at the end; times in seconds");
}

}  // namespace ranksight::cli
