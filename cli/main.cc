// The one command: wires the floors together. Parses the command line and
// maps whatever happens to the exit codes of the CLI contract.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "cli/base/commands.h"
#include "cli/base/completion.h"
#include "cli/base/print.h"
#include "cli/commands/register.h"

namespace ranksight::cli {
namespace {

constexpr int kWrongUsage = 2;
constexpr int kDefect = 70;
// What stands behind it is being typed (cli/shell).
constexpr const char* kComplete = "--complete";

// Commands that run a program take everything behind "--" for it.
bool RunsProgram(const std::vector<std::string>& arguments) {
  return !arguments.empty() &&
         (arguments[0] == "record" || arguments[0] == "study");
}

std::vector<std::string> CutProgramLine(std::vector<std::string>* arguments) {
  std::vector<std::string> line;
  if (!RunsProgram(*arguments)) return line;
  const auto mark = std::find(arguments->begin(), arguments->end(), "--");
  if (mark == arguments->end()) return line;
  line.assign(mark + 1, arguments->end());
  arguments->erase(mark, arguments->end());
  return line;
}

// An argument that nobody knows, and what to do about it.
std::string Unknown(const CLI::App& app, const std::string& argument) {
  if (app.get_subcommands().empty())
    return "unknown command " + argument + "; ranksight --help lists them all";
  const std::string command = app.get_subcommands()[0]->get_name();
  if (RunsProgram({command}) && argument[0] != '-') {
    return "unknown argument " + argument +
           "; what is to run stands behind --: ranksight " + command + " -- " +
           argument;
  }
  return "unknown argument " + argument + "; see ranksight " + command +
         " --help";
}

// One line. An argument nobody knows is the likelier mistake than the one
// that is missing because of it.
std::string Complaint(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = app.remaining(true);
  if (!unknown.empty() && !unknown[0].empty()) return Unknown(app, unknown[0]);
  if (app.get_subcommands().empty()) return "which command? see --help";
  const std::string text = error.what();
  return text.substr(0, text.find('\n'));
}

int ParseAndRun(std::vector<std::string> arguments) {
  CLI::App app(
      "Records MPI programs, forecasts how they scale, writes the trace of a\n"
      "larger run and replays it.",
      "ranksight");
  app.set_version_flag("--version", "ranksight " RANKSIGHT_VERSION,
                       "Print the version and exit");
  app.require_subcommand(1);
  app.footer(
      "`ranksight COMMAND --help` documents every option.\n\n"
      "Exit codes: 0 yes or done; 1 the answer is no; 2 wrong usage; 3 bad\n"
      "input; 4 file or connection trouble; 70 a defect of ranksight.");
  Commands commands(&app, CutProgramLine(&arguments));
  RegisterRecord(commands);
  RegisterStudy(commands);
  RegisterShow(commands);
  RegisterStats(commands);
  RegisterMatrix(commands);
  RegisterDiff(commands);
  RegisterCheck(commands);
  RegisterMerge(commands);
  RegisterCondense(commands);
  RegisterExtrapolate(commands);
  RegisterForecast(commands);
  RegisterMachine(commands);
  RegisterServe(commands);
  RegisterMonitor(commands);
  RegisterRuns(commands);
  RegisterKeys(commands);
  RegisterReplay(commands);
  RegisterGenerate(commands);
  RegisterSimulate(commands);
  RegisterMap(commands);
  RegisterConvert(commands);
  RegisterDoctor(commands);
  if (!arguments.empty() && arguments[0] == kComplete) {
    Print(Completions(app, std::span(arguments).subspan(1)));
    return 0;
  }
  try {
    std::reverse(arguments.begin(), arguments.end());
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    // --help and --version arrive as errors with exit code 0.
    if (error.get_exit_code() == 0) return app.exit(error);
    Note(Complaint(app, error));
    return kWrongUsage;
  }
  return commands.RunChosen();
}

}  // namespace
}  // namespace ranksight::cli

int main(int argc, char** argv) {
  using namespace ranksight::cli;
  int code = kDefect;
  try {
    code = ParseAndRun({argv + std::min(argc, 1), argv + argc});
  } catch (const std::bad_alloc&) {
    Note("out of memory");
  } catch (const std::exception& error) {
    Note(std::string("internal error: ") + error.what());
  }
  return FinishOutput(code);
}
