// ranksight extrapolate: from traces at a few sizes, the trace at another.
#include "online_model/api/extrapolate.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include "cli/base/files.h"
#include "cli/base/format.h"
#include "cli/base/json.h"
#include "cli/base/lists.h"
#include "cli/base/number_checks.h"
#include "cli/base/plugin_option.h"
#include "cli/base/print.h"
#include "cli/base/progress.h"
#include "cli/base/time_options.h"
#include "cli/commands/register.h"
#include "cli/look/checked_twin.h"
#include "cli/look/extrapolation_report.h"
#include "cli/symbols/site_names.h"
#include "online_model/api/setting.h"
#include "reduction/api/codec.h"

namespace ranksight::cli {
namespace {

struct ExtrapolateOptions {
  std::vector<std::string> files, plugins;
  int64_t ranks = 0;
  std::vector<std::string> dims;
  std::string param, output;
  bool laws = false, json = false, symbolic = false;
  bool exact = false;
  uint64_t seed = 1;
  double limit_seconds = 30;
  TimeOptions times;
};

// By the laws that one trace carries, by those that several are found to
// follow, or else with estimates where there are none. *hint: why not with
// these either. *twins: who made them.
reduction::Result<online_model::Extrapolation> Make(
    const std::vector<reduction::Trace>& inputs,
    online_model::ExtrapolationRequest request,
    const ExtrapolateOptions& options, std::string* hint,
    std::shared_ptr<online_model::TwinMaker>* twins, Progress* progress) {
  const bool carried =
      inputs.size() == 1 && online_model::IsSymbolic(inputs[0]);
  const bool laws_alone =
      options.exact || request.symbolic || inputs.size() == 1;
  // The two searches of the other way have a limit each.
  if (laws_alone) request.stop = StopAfter(options.limit_seconds);
  return carried ? online_model::FromLaws(inputs[0], request)
         : laws_alone
             ? online_model::Extrapolate(inputs, request)
             : ExtrapolateOrTwin(inputs, request, options.limit_seconds, hint,
                                 twins, progress);
}

// Of runs with more calls a refusal may take minutes, and so would the next.
constexpr uint64_t kMostTriedAgain = 500'000;

// Two ranks have one neighbour each, one has nobody to talk to. Of larger runs
// those that a law does not fit tell more likely that it is none.
constexpr int64_t kMostSpecial = 2;

// A clause that says so where the others have laws.
std::string WithoutSmallest(const std::vector<reduction::Trace>& inputs,
                            const online_model::ExtrapolationRequest& request) {
  int64_t smallest = INT64_MAX;
  for (const auto& t : inputs) smallest = std::min(smallest, t.meta.ranks);
  if (smallest > kMostSpecial) return "";
  std::vector<reduction::Trace> others;
  std::set<int64_t> sizes;
  uint64_t events = 0;
  for (const auto& t : inputs) {
    if (t.meta.ranks == smallest) continue;
    others.push_back(t);
    sizes.insert(t.meta.ranks);
    events += reduction::CountEvents(t);
  }
  online_model::ExtrapolationRequest strictly = request;
  strictly.strict = true;
  if (sizes.size() < 3 || events > kMostTriedAgain ||
      !online_model::Extrapolate(others, strictly).ok()) {
    return "";
  }
  return fmt::format(
      "; without the run on {0} it is not refused: leave that out if the "
      "program is special on {0}",
      Counted(smallest, "rank"));
}

// --dims AxB says what the target's grid is, --dims FILE=AxB what that of an
// input is. traces: of the files, in turn.
reduction::Status SetDims(const ExtrapolateOptions& options,
                          const std::vector<reduction::Trace>& traces,
                          online_model::ExtrapolationRequest* request) {
  for (const std::string& text : options.dims) {
    const size_t equals = text.rfind('=');
    const bool of_input = equals != std::string::npos;
    const auto dims = ParseShape(of_input ? text.substr(equals + 1) : text);
    if (!dims.ok()) return dims.status();
    if (!of_input) {
      request->dims = *dims;
      continue;
    }
    const std::string file = text.substr(0, equals);
    const auto at = std::ranges::find(options.files, file);
    if (at == options.files.end()) {
      return reduction::Status::Usage("--dims " + text + ": " + file +
                                      " is none of the traces");
    }
    const int64_t ranks = traces[size_t(at - options.files.begin())].meta.ranks;
    int64_t product = 1;
    for (const int64_t d : *dims) product *= d;
    if (product != ranks) {
      return reduction::Status::Usage(
          fmt::format("--dims {}: {} has {} ranks", text, file, ranks));
    }
    const auto [known, is_new] = request->input_dims.try_emplace(ranks, *dims);
    if (!is_new && known->second != *dims) {
      return reduction::Status::Usage(
          fmt::format("--dims {}: another run on {} ranks is said to have "
                      "another grid",
                      text, ranks));
    }
  }
  return reduction::Status::Ok();
}

// What runs at a value of a parameter are, of such as were made at others.
struct AtSetting {
  std::string name;
  int64_t value = 0;
  online_model::RunsAtValue made;
};

// The runs; with --param what they would be at that value. *at: about that.
reduction::Result<std::vector<reduction::Trace>> RunsFor(
    const std::vector<reduction::Trace>& read,
    const ExtrapolateOptions& options,
    const online_model::ExtrapolationRequest& request,
    std::optional<AtSetting>* at) {
  if (options.param.empty()) return read;
  const auto setting = ParseSetting(options.param);
  if (!setting.ok()) return setting.status();
  const auto& [name, value] = *setting;
  auto made =
      WithProgress("finding laws over " + name, [&](Progress* progress) {
        return online_model::RunsAtSetting(
            read, {name, value, request.own_laws, request.input_dims,
                   StopAfter(options.limit_seconds), TellTo(progress)});
      });
  if (!made.ok()) return made.status();
  *at = {name, value, std::move(*made)};
  return std::move((*at)->made.runs);
}

int Extrapolate(const ExtrapolateOptions& options) {
  online_model::ExtrapolationRequest request;
  request.ranks = options.ranks;
  request.symbolic = options.symbolic;
  request.seed = options.seed;
  if (auto s = CheckWritable(options.output); !s.ok()) return Fail(s);
  const auto loaded =
      online_model::LoadOwnLaws(options.plugins, &request.own_laws);
  if (!loaded.ok()) return Fail(loaded);
  auto read = ReadExactTraces(options.files);
  if (!read.ok()) return Fail(read.status());
  if (auto s = SetDims(options, *read, &request); !s.ok()) return Fail(s);
  const std::vector<std::string> places = PlacesNear(options.files);
  std::optional<AtSetting> setting;
  const auto inputs = RunsFor(*read, options, request, &setting);
  if (!inputs.ok()) {
    return Fail({inputs.status().code(),
                 WithNames(inputs.status().message(), *read, places)});
  }
  std::string hint;
  std::shared_ptr<online_model::TwinMaker> twins;
  // What the search has left is for another one without the smallest run.
  const online_model::Stop begun = StopAfter(options.limit_seconds);
  const std::string finding =
      fmt::format("finding the trace of {} ranks", request.ranks);
  auto made = WithProgress(finding, [&](Progress* progress) {
    request.tell_share = TellTo(progress, finding);
    // Runs at that value may have laws, or estimates, that they do not
    // share with those at others.
    auto found = setting
                     ? ExtrapolateFrom(setting->made, request)
                     : Make(*inputs, request, options, &hint, &twins, progress);
    if (setting && found.status().code() == reduction::StatusCode::kNo) {
      found = Make(*inputs, request, options, &hint, &twins, progress);
    }
    const bool is_refused = found.status().code() == reduction::StatusCode::kNo;
    if (is_refused) {
      request.stop = begun;
      hint += WithoutSmallest(*inputs, request);
    }
    request.tell_share = {};
    return found;
  });
  if (!made.ok()) {
    return Fail({made.status().code(),
                 WithNames(made.status().message(), *inputs, places) + hint});
  }
  const auto timed =
      WithProgress("forecasting its times", [&](Progress* progress) {
        return SetTimes(options.times, options.plugins, *inputs, &made->trace,
                        twins, TellTo(progress));
      });
  if (!timed.ok()) return Fail(timed);
  const auto written =
      WriteNamedTrace(made->trace, options.output, options.files);
  if (!written.ok()) return Fail(written);
  if (options.json) {
    JsonWriter json;
    json.BeginObject().Member("file", options.output);
    json.Member("file_bytes", FileBytes(options.output));
    json.Member("ranks", made->trace.meta.ranks);
    WriteReport(made->report, &json);
    if (setting) {
      WriteSetting(setting->name, setting->value, setting->made, &json);
    }
    Print(json.EndObject().text());
    return 0;
  }
  if (setting) Print(SettingText(setting->name, setting->made));
  Print(WithNames(ReportText(made->report, options.laws), *inputs, places));
  Print(fmt::format("wrote {}: {} ranks{}, {} bytes\n", options.output,
                    made->trace.meta.ranks,
                    options.symbolic ? " and laws for any number" : "",
                    FileBytes(options.output)));
  return 0;
}

}  // namespace

void RegisterExtrapolate(Commands& commands) {
  auto options = std::make_shared<ExtrapolateOptions>();
  CLI::App* app = commands.Add(
      "extrapolate", "Make the trace of a larger run from those of small ones",
      [options] { return Extrapolate(*options); });
  app->add_option("TRACES", options->files,
                  "Traces of one program at three or more rank counts, or one\n"
                  "that carries laws (--symbolic)")
      ->required();
  app->add_option("--ranks", options->ranks, "Rank count to extrapolate to")
      ->required()
      ->type_name("N")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
  app->add_option("--dims", options->dims,
                  "Shape of the grid at N ranks, slowest dimension first\n"
                  "(default: by the rule the inputs follow); FILE=AxB says\n"
                  "what that of an input is, once for each file")
      ->type_name("[FILE=]AxB")
      ->allow_extra_args(false);
  app->add_option(
         "--param", options->param,
         "At this value of a parameter of the runs, which were made with\n"
         "three values or more (record --param), each on three rank counts")
      ->type_name("NAME=VALUE");
  app->add_option("-o,--output", options->output, "Trace file to write")
      ->required()
      ->type_name("FILE");
  AddTimeOptions(app, &options->times);
  AddPluginOption(app, &options->plugins);
  CLI::Option* exact = app->add_flag(
      "--exact", options->exact,
      "Refuse where anything has no law, instead of estimating that");
  app->add_flag_function(
         "--allow-estimates,--mean-estimates", [](int64_t) {},
         "What is done anyway; accepted for scripts that say so")
      ->excludes(exact);
  app->add_option(
         "--seed", options->seed,
         "What estimates are drawn from: another number, another twin\n"
         "(default: 1)")
      ->type_name("NUMBER")
      ->excludes(exact);
  app->add_option(
         "--limit", options->limit_seconds,
         "Search for laws no longer than so, in processor time, and as\n"
         "long again where estimates are made (default: 30; 0: to the\n"
         "end): what has no law by then counts as without one, and says\n"
         "so. The law that is being searched is searched to its end")
      ->type_name("SECONDS")
      ->check(NotNegative());
  app->add_flag("--symbolic", options->symbolic,
                "Write the largest input with the laws attached: extrapolate\n"
                "and replay make a trace at any rank count from that alone");
  app->add_flag("--laws", options->laws,
                "Print the law of every parameter as well");
  app->add_flag("--json", options->json, "One JSON document on stdout");
  app->footer(
      "The largest input is held out first and must be predicted exactly from\n"
      "the others, event by event on every rank. What follows no law that is\n"
      "exact on all inputs is estimated, so that it runs, and marked call "
      "site\n"
      "by call site (docs/twins.md); with --exact nothing is written then. "
      "Exit\n"
      "1 with the reason where that cannot be done either.\n\n"
      "Example: ranksight extrapolate app.4.trace app.9.trace app.16.trace\n"
      "         --ranks 100 -o app.100.trace");
}

}  // namespace ranksight::cli
