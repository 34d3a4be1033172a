// ranksight convert: traces in other tools' formats and back.
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "adapters/api/adapter.h"
#include "adapters/api/flatten.h"
#include "cli/base/files.h"
#include "cli/base/json.h"
#include "cli/base/output_folder.h"
#include "cli/base/print.h"
#include "cli/base/progress.h"
#include "cli/commands/register.h"
#include "reduction/api/codec.h"

namespace ranksight::cli {
namespace {

using adapters::Adapter;
using adapters::Conversion;
using reduction::Status;

struct ConvertCommand {
  std::vector<std::string> files;
  std::string to, from, out;
  bool list = false, json = false, flatten = false, compress = false;
};

// The formats that can be read, or written, on lines of some 48 characters.
std::string Formats(bool reads) {
  std::string text;
  size_t line = 0;
  for (const Adapter* a : adapters::Adapters()) {
    if (reads ? a->read == nullptr : a->write == nullptr) continue;
    if (!text.empty()) text += ',';
    const bool breaks = text.size() - line + a->name.size() > 48;
    if (breaks) line = text.size();
    if (!text.empty()) text += breaks ? '\n' : ' ';
    text += a->name;
  }
  return text;
}

int List(bool as_json) {
  JsonWriter json;
  std::string text;
  json.BeginObject().Key("formats").BeginArray();
  for (const Adapter* a : adapters::Adapters()) {
    json.BeginObject().Member("name", a->name).Member("what", a->what);
    json.Member("writes", a->write != nullptr);
    json.Member("reads", a->read != nullptr);
    json.Member("folder", a->folder).Member("cannot", a->cannot).EndObject();
    std::string name(a->name);
    name.resize(std::max<size_t>(name.size(), 10), ' ');
    const char* ways = a->read == nullptr    ? "out"
                       : a->write == nullptr ? "in"
                                             : "out, in";
    text += name + " " + std::string(a->what) + " (" + ways +
            (a->folder ? ", a folder" : "") +
            ")\n           Not held: " + std::string(a->cannot) + "\n";
  }
  Print(as_json ? json.EndArray().EndObject().text() : text);
  return 0;
}

// kUsage when the format is unknown or has no such direction.
reduction::Result<const Adapter*> Choose(const std::string& name, bool reads) {
  const Adapter* adapter = adapters::FindAdapter(name);
  if (adapter == nullptr) {
    return Status::Usage("unknown format " + name +
                         ", see ranksight convert --list");
  }
  if (reads ? adapter->read == nullptr : adapter->write == nullptr) {
    return Status::Usage(std::string("format ") + name + " is only " +
                         (reads ? "written" : "read"));
  }
  return adapter;
}

int Report(const ConvertCommand& command, const Conversion& done) {
  if (command.json) {
    JsonWriter json;
    json.BeginObject().Member("output", command.out);
    json.Member("events", done.events).Member("files", done.files);
    json.Key("not_expressed").BeginObject();
    for (const auto& [what, count] : done.not_expressed) {
      json.Member(what, count);
    }
    Print(json.EndObject().EndObject().text());
    return 0;
  }
  Print("wrote " + command.out + ": " + std::to_string(done.events) +
        " events, " + std::to_string(done.files) +
        (done.files == 1 ? " file\n" : " files\n"));
  for (const auto& [what, count] : done.not_expressed) {
    Print("not expressed: " + what + ", " + std::to_string(count) + "\n");
  }
  return 0;
}

// Counts what there is no message for.
Status FlattenAll(std::vector<reduction::Trace>* traces, Conversion* done) {
  for (reduction::Trace& trace : *traces) {
    Conversion of_trace;
    auto flat = WithProgress("flattening", [&](Progress* progress) {
      of_trace.tell_share = TellTo(progress);
      return adapters::Flatten(trace, &of_trace);
    });
    if (!flat.ok()) return flat.status();
    trace = std::move(*flat);
    for (const auto& [what, count] : of_trace.not_expressed) {
      done->not_expressed[what] += count;
    }
  }
  return Status::Ok();
}

int WriteForeign(const ConvertCommand& command) {
  auto adapter = Choose(command.to, false);
  if (!adapter.ok()) return Fail(adapter.status());
  if (command.files.size() > 1 && !(*adapter)->several) {
    return Fail(Status::Usage("format " + command.to + " takes one trace"));
  }
  if (command.compress && !(*adapter)->compresses) {
    return Fail(Status::Usage("--compress: readers of " + command.to +
                              " take nothing compressed"));
  }
  if (command.compress && !adapters::CanCompress()) {
    return Fail(Status::Io("--compress: built without zlib"));
  }
  auto traces = ReadExactTraces(command.files);
  if (!traces.ok()) return Fail(traces.status());
  std::optional<OutputFolder> folder;
  if ((*adapter)->folder) {
    folder.emplace(command.out, OutputFolder::Existing::kRefuse);
    if (!folder->status().ok()) return Fail(folder->status());
  }
  Conversion done;
  done.compress = command.compress;
  if (command.flatten) {
    const Status flat = FlattenAll(&*traces, &done);
    if (!flat.ok()) return Fail(flat);
  }
  Status status =
      WithProgress("writing " + command.out, [&](Progress* progress) {
        done.tell_share = TellTo(progress);
        return (*adapter)->write(*traces, folder ? folder->path() : command.out,
                                 &done);
      });
  if (status.ok() && folder) status = folder->Put();
  return status.ok() ? Report(command, done) : Fail(status);
}

int ReadForeign(const ConvertCommand& command) {
  auto adapter = Choose(command.from, true);
  if (!adapter.ok()) return Fail(adapter.status());
  if (command.files.size() != 1) {
    return Fail(Status::Usage("--from takes one FILE"));
  }
  auto trace =
      WithProgress("reading " + command.files[0], [&](Progress* progress) {
        return (*adapter)->read(command.files[0], TellTo(progress));
      });
  if (!trace.ok()) return Fail(trace.status());
  if (Status s = WriteTraceFile(*trace, command.out); !s.ok()) return Fail(s);
  Conversion done;
  done.events = CountEvents(*trace);
  done.files = 1;
  return Report(command, done);
}

int Convert(const ConvertCommand& command) {
  if (command.list) return List(command.json);
  if (command.to.empty() == command.from.empty()) {
    return Fail(Status::Usage("give either --to FORMAT or --from FORMAT"));
  }
  if (command.flatten && command.to.empty()) {
    return Fail(Status::Usage("--flatten goes with --to"));
  }
  if (command.compress && command.to.empty()) {
    return Fail(Status::Usage("--compress goes with --to"));
  }
  if (command.files.empty()) return Fail(Status::Usage("which FILE?"));
  if (command.out.empty()) return Fail(Status::Usage("where to? give -o OUT"));
  return command.from.empty() ? WriteForeign(command) : ReadForeign(command);
}

}  // namespace

void RegisterConvert(Commands& commands) {
  auto command = std::make_shared<ConvertCommand>();
  CLI::App* app = commands.Add("convert", "Write or read other tools' formats",
                               [command] { return Convert(*command); });
  app->add_option("FILE", command->files,
                  "The trace; several for formats that take several");
  app->add_option("--to", command->to,
                  "Write this format:\n" + Formats(/*reads=*/false))
      ->type_name("FORMAT");
  app->add_option(
         "--from", command->from,
         "Write a trace; FILE has this format:\n" + Formats(/*reads=*/true))
      ->type_name("FORMAT");
  app->add_option(
         "-o,--output", command->out,
         "Output file, or a new folder where the format has many files")
      ->type_name("OUT");
  app->add_flag("--flatten", command->flatten,
                "For tools that know no communicators: ranks of the world\n"
                "alone, and collectives as the messages of textbook\n"
                "algorithms (with --to)");
  app->add_flag("--compress", command->compress,
                "By gzip, where the format's readers take that: timeline,\n"
                "chakra");
  app->add_flag("--list", command->list,
                "Name the formats and what each cannot hold");
  app->add_flag("--json", command->json, "One JSON document on stdout");
  app->footer(
      "Traces are walked rank by rank and never expanded in memory. What the\n"
      "format could not hold is counted in the output.\n\n"
      "Example: ranksight convert ft.64.trace --to simgrid -o ft");
}

}  // namespace ranksight::cli
