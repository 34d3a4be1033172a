// ranksight generate: a trace as a benchmark program.
#include "adapters/api/generate.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/base/files.h"
#include "cli/base/json.h"
#include "cli/base/output_folder.h"
#include "cli/base/print.h"
#include "cli/base/progress.h"
#include "cli/base/time_options.h"
#include "cli/base/what_if_options.h"
#include "cli/commands/register.h"
#include "cli/symbols/site_names.h"
#include "online_model/api/extrapolate.h"
#include "online_model/api/laws_in_c.h"
#include "reduction/api/exchanges.h"

namespace ranksight::cli {
namespace {

using reduction::Status;

struct GenerateCommand {
  std::vector<std::string> files;
  std::string to, folder;
  adapters::GenerateOptions options;
  WhatIfOptions what_if;
  bool json = false;
};

// What is to be otherwise, as the program's defaults.
Status TakeWhatIf(const reduction::Sites& sites, GenerateCommand* command) {
  const WhatIfOptions& what_if = command->what_if;
  adapters::GenerateOptions& options = command->options;
  for (const std::string& text : what_if.exchanges) {
    const Status s = reduction::ReadExchanges(text, &options.exchanges);
    if (!s.ok()) return s;
  }
  options.compute_scale = what_if.ComputeScale();
  options.bytes_scale = what_if.bytes_scale;
  auto factors = SiteFactors(what_if, sites);
  if (!factors.ok()) return factors.status();
  options.site_scale = std::move(*factors);
  return Status::Ok();
}

int ReportMade(const GenerateCommand& command,
               const adapters::Generated& made) {
  if (command.json) {
    JsonWriter json;
    json.BeginObject().Member("folder", command.folder);
    json.Member("calls", made.calls).Member("body_lines", made.body_lines);
    json.Key("files").BeginArray();
    for (const std::string& file : made.files) json.Value(file);
    json.EndArray().Key("notes").BeginArray();
    for (const std::string& note : made.notes) json.Value(note);
    Print(json.EndArray().EndObject().text());
    return 0;
  }
  for (const std::string& note : made.notes) Note(note);
  std::string list;
  for (const std::string& file : made.files) {
    list += (list.empty() ? "" : ", ") + file;
  }
  Print("wrote " + command.folder + ": " + list + " (" +
        std::to_string(made.calls) + " calls, " +
        std::to_string(made.body_lines) + " lines of main)\n");
  return 0;
}

// The laws of a symbolic trace, for a program of any rank count.
Status AddLaws(const reduction::Trace& trace,
               adapters::GenerateOptions* options) {
  auto laws = online_model::ToC(trace);
  if (!laws.ok()) return laws.status();
  const auto text = [](const online_model::LawInC& law) {
    return adapters::LawText{law.value, law.of_run, law.step,
                             law.loop,  law.firsts, law.first,
                             law.place, law.period, law.absent};
  };
  adapters::LawTexts& texts = options->laws.emplace();
  texts.lists = laws->lists;
  texts.shape = laws->shape;
  texts.powers_of_two = laws->powers_of_two;
  texts.growth_ranks = laws->growth_ranks;
  for (const auto& node : laws->nodes) {
    adapters::LawTexts::Node& copy = texts.nodes.emplace_back();
    copy.trips = text(node.trips);
    copy.growth = node.growth;
    copy.growth_after = node.growth_after;
    for (const auto& param : node.params) copy.params.push_back(text(param));
  }
  return Status::Ok();
}

// The trace itself, or the largest of several with the laws that all follow.
reduction::Result<reduction::Trace> ReadInput(const GenerateCommand& command) {
  if (command.files.size() == 1) return ReadExactTrace(command.files[0]);
  if (command.to != "c") {
    return Status::Usage("several traces make a program in C only");
  }
  auto inputs = ReadExactTraces(command.files);
  if (!inputs.ok()) return inputs.status();
  online_model::ExtrapolationRequest request;
  request.symbolic = true;
  for (const reduction::Trace& trace : *inputs) {
    request.ranks = std::max(request.ranks, trace.meta.ranks);
  }
  auto made =
      WithProgress("finding laws for any rank count", [&](Progress* progress) {
        request.tell_share = TellTo(progress);
        return online_model::Extrapolate(*inputs, request);
      });
  if (!made.ok()) {
    return Status(
        made.status().code(),
        WithNames(made.status().message(), *inputs, PlacesNear(command.files)));
  }
  const Status timed =
      SetTimes({}, {}, std::move(*inputs), &made->trace, nullptr);
  if (!timed.ok()) return timed;
  return std::move(made->trace);
}

int Generate(GenerateCommand command) {
  if (Status s = CheckWhatIf(command.what_if); !s.ok()) return Fail(s);
  auto trace = ReadInput(command);
  if (!trace.ok()) return Fail(trace.status());
  if (Status s = TakeWhatIf(trace->sites, &command); !s.ok()) return Fail(s);
  if (command.to == "c" && online_model::IsSymbolic(*trace)) {
    if (Status s = AddLaws(*trace, &command.options); !s.ok()) return Fail(s);
  }
  SiteNames names(trace->sites, PlacesNear(command.files));
  command.options.site_name = [&](uint32_t site) { return names.Text(site); };
  OutputFolder folder(command.folder,
                      OutputFolder::Existing::kReplaceThoseOfTheSameName);
  if (!folder.status().ok()) return Fail(folder.status());
  const auto generate =
      command.to == "c" ? adapters::GenerateC : adapters::GenerateConceptual;
  auto made = WithProgress("writing " + command.folder, [&] {
    return generate(*trace, command.options, folder.path());
  });
  if (!made.ok()) return Fail(made.status());
  if (Status s = folder.Put(); !s.ok()) return Fail(s);
  return ReportMade(command, *made);
}

}  // namespace

void RegisterGenerate(Commands& commands) {
  auto command = std::make_shared<GenerateCommand>();
  CLI::App* app =
      commands.Add("generate", "Write a trace as a benchmark program",
                   [command] { return Generate(*command); });
  app->add_option("TRACES", command->files,
                  "The trace; several of one program at three or more rank\n"
                  "counts for a program of any that their laws hold for")
      ->required();
  app->add_option("--to", command->to, "c or conceptual")
      ->required()
      ->check(CLI::IsMember({"c", "conceptual"}))
      ->type_name("LANGUAGE");
  app->add_option("-o,--output", command->folder,
                  "Folder for the program, made when it is not there")
      ->type_name("FOLDER")
      ->required();
  AddWhatIfOptions(app, WhatIfUser::kGenerate, &command->what_if);
  app->add_flag("--json", command->json, "One JSON document on stdout");
  app->footer(
      "A C program needs nothing of ours: cd DIR && make MPICC=mpicc. It runs\n"
      "on the trace's rank count; from several traces, or one with laws\n"
      "(ranksight extrapolate --symbolic), on any that these hold for; and\n"
      "takes the factors as options, too.\n\n"
      "Example: ranksight generate ft.64.trace --to c -o ft\n"
      "         ranksight generate ft.4.trace ft.8.trace ft.16.trace --to c -o "
      "any");
}

}  // namespace ranksight::cli
