// ranksight generate: a trace as a benchmark program.
#include "adapters/api/generate.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "cli/base/files.h"
#include "cli/base/json.h"
#include "cli/base/output_folder.h"
#include "cli/base/print.h"
#include "cli/base/progress.h"
#include "cli/commands/register.h"
#include "online_model/api/extrapolate.h"
#include "online_model/api/laws_in_c.h"

namespace ranksight::cli {
namespace {

using reduction::Status;

struct GenerateCommand {
  std::string file, to, folder;
  adapters::GenerateOptions options;
  std::vector<std::string> compute_scales, exchanges;
  bool json = false;
};

// "7=0.5": the computation before call 7.
Status ReadScales(GenerateCommand* command) {
  for (const std::string& text : command->compute_scales) {
    char* end = nullptr;
    const long call = std::strtol(text.c_str(), &end, 10);
    const bool number = end != text.c_str() && *end == '=';
    const double scale = number ? std::strtod(end + 1, &end) : -1;
    if (call < 0 || !(scale >= 0) || !std::isfinite(scale) || *end != '\0') {
      return Status::Usage("--compute-scale-at " + text + ": not CALL=FACTOR");
    }
    command->options.compute_scales[call] = scale;
  }
  return Status::Ok();
}

Status ReadExchanges(GenerateCommand* command) {
  for (const std::string& text : command->exchanges) {
    if (Status s = adapters::ReadExchange(text, &command->options); !s.ok()) {
      return s;
    }
  }
  return Status::Ok();
}

int Report(const GenerateCommand& command, const adapters::Generated& made) {
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

int Generate(GenerateCommand command) {
  if (Status s = ReadScales(&command); !s.ok()) return Fail(s);
  if (Status s = ReadExchanges(&command); !s.ok()) return Fail(s);
  auto trace = ReadExactTrace(command.file);
  if (!trace.ok()) return Fail(trace.status());
  if (command.to == "c" && online_model::IsSymbolic(*trace)) {
    if (Status s = AddLaws(*trace, &command.options); !s.ok()) return Fail(s);
  }
  OutputFolder folder(command.folder,
                      OutputFolder::Existing::kReplaceThoseOfTheSameName);
  if (!folder.status().ok()) return Fail(folder.status());
  const auto generate =
      command.to == "c" ? adapters::GenerateC : adapters::GenerateConceptual;
  auto made = WithProgress("writing " + command.folder, [&] {
    return generate(*trace, command.options, folder.path());
  });
  if (made.ok()) {
    if (Status s = folder.Put(); !s.ok()) return Fail(s);
  }
  return made.ok() ? Report(command, *made) : Fail(made.status());
}

}  // namespace

void RegisterGenerate(Commands& commands) {
  auto command = std::make_shared<GenerateCommand>();
  CLI::App* app =
      commands.Add("generate", "Write a trace as a benchmark program",
                   [command] { return Generate(*command); });
  app->add_option("FILE", command->file, "The trace")->required();
  app->add_option("--to", command->to, "Language: c, conceptual")
      ->required()
      ->check(CLI::IsMember({"c", "conceptual"}));
  app->add_option("-o,--output", command->folder,
                  "Folder for the program, made when it is not there")
      ->required();
  app->add_option("--compute-scale", command->options.compute_scale,
                  "Multiply all computation by this factor")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app->add_option("--compute-scale-at", command->compute_scales,
                  "CALL=FACTOR: multiply the computation before one call by\n"
                  "this factor, too; calls are numbered in the program")
      ->delimiter(',');
  app->add_option("--bytes-scale", command->options.bytes_scale,
                  "Multiply the elements of all messages by this factor")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app->add_option("--exchange", command->exchanges,
                  "CALL=p2p: messages in place of a collective; alltoall,\n"
                  "bcast, allreduce, ... or all")
      ->type_name("CALL=HOW")
      ->allow_extra_args(false);
  app->add_flag("--json", command->json, "One JSON document on stdout");
  app->footer(
      "A C program needs nothing of ours: cd DIR && make MPICC=mpicc. It runs\n"
      "on the trace's rank count, or, from a trace with laws (ranksight\n"
      "extrapolate --symbolic), on any that they hold for, and takes the\n"
      "factors as options, too.\n\n"
      "Example: ranksight generate ft.64.trace --to c -o ft");
}

}  // namespace ranksight::cli
