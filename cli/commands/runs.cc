// ranksight runs: what a store holds.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/base/files.h"
#include "cli/base/format.h"
#include "cli/base/json.h"
#include "cli/base/print.h"
#include "cli/base/progress.h"
#include "cli/commands/register.h"
#include "cli/symbols/site_names.h"
#include "online_model/api/store.h"
#include "reduction/api/codec.h"

namespace ranksight::cli {
namespace {

using online_model::RunRecord;
using online_model::Store;
using reduction::Result;
using reduction::Status;

struct RunsOptions {
  std::string store = "ranksight-store", program, job, output;
  std::vector<std::string> files;
  bool json = false;
};

Result<Store> OpenExisting(const std::string& folder) {
  const Status there = CheckFolder(folder);
  if (!there.ok()) return there;
  return Store::Open(folder);
}

void PrintJson(const std::vector<RunRecord>& runs) {
  JsonWriter json;
  json.BeginObject().Key("runs").BeginArray();
  for (const RunRecord& run : runs) {
    json.BeginObject()
        .Member("job", run.job)
        .Member("program", run.program)
        .Member("build_id", run.build_id)
        .Member("params", run.params)
        .Member("launch", run.launch)
        .Member("user", run.sender.user)
        .Member("key", run.sender.key)
        .Member("ranks", run.ranks)
        .Member("seconds", run.seconds)
        .Member("complete", run.complete)
        .Member("stored_unix_ns", run.stored_unix_ns)
        .Member("path", run.path)
        .Member("bytes", run.bytes)
        .EndObject();
  }
  Print(json.EndArray().EndObject().text());
}

void PrintText(const std::vector<RunRecord>& runs) {
  Table table({"<stored", "<program", "ranks", "time", "bytes", "<state",
               "<parameters", "<launch", "<from", "<job"});
  for (const RunRecord& run : runs) {
    table.Add({Timestamp(run.stored_unix_ns), run.program,
               std::to_string(run.ranks), Duration(run.seconds * 1e9),
               std::to_string(run.bytes), run.complete ? "complete" : "partial",
               run.params, run.launch, run.sender.Name(), run.job});
  }
  Print(table.ToText());
}

int List(const RunsOptions& options) {
  auto store = OpenExisting(options.store);
  if (!store.ok()) return Fail(store.status());
  const auto runs = store->List(options.program);
  if (!runs.ok()) return Fail(runs.status());
  options.json ? PrintJson(*runs) : PrintText(*runs);
  return 0;
}

int Remove(const RunsOptions& options) {
  auto store = OpenExisting(options.store);
  if (!store.ok()) return Fail(store.status());
  const auto run = store->Find(options.job);
  if (!run.ok()) return Fail(run.status());
  const Status removed = store->Remove(options.job);
  return removed.ok() ? 0 : Fail(removed);
}

int Export(const RunsOptions& options) {
  auto store = OpenExisting(options.store);
  if (!store.ok()) return Fail(store.status());
  const auto run = store->Find(options.job);
  if (!run.ok()) return Fail(run.status());
  const auto bytes = reduction::ReadWholeFile(run->path);
  if (!bytes.ok()) return Fail(bytes.status());
  const auto trace = reduction::Decode(*bytes);
  if (!trace.ok()) return Fail(trace.status());
  const auto named =
      reduction::ReplaceNames(*bytes, store->NamesOf(trace->sites));
  if (!named.ok()) return Fail(named.status());
  const Status written = reduction::WriteFileAtomically(*named, options.output);
  return written.ok() ? 0 : Fail(written);
}

// Ok with nothing where the store lacks the run. What it holds stays: another
// trace under the same name is refused.
Result<std::optional<RunRecord>> FindStored(const Store& store,
                                            const std::vector<uint8_t>& bytes,
                                            const reduction::Trace& trace) {
  auto run = store.Find(online_model::JobOf(trace, bytes));
  if (!run.ok()) return std::optional<RunRecord>();
  const auto stored = reduction::ReadWholeFile(run->path);
  if (!stored.ok()) return stored.status();
  if (*stored == bytes) return std::optional(std::move(*run));
  return Status::BadInput("0: the store holds another trace of run " +
                          run->job + "; `ranksight runs remove` takes it out");
}

// Those that the trace has, and of other frames, as of a run that nobody
// launched by `record`, what the program says where it is found.
Result<reduction::Names> NamesFor(const std::string& file,
                                  const std::vector<uint8_t>& bytes,
                                  const reduction::Sites& sites) {
  auto names = reduction::NamesOf(bytes);
  if (!names.ok()) return names;
  names->Add(SiteNames(sites, PlacesNear({&file, 1})).All());
  return names;
}

// *note: what is said of a run that is there already.
Status Import(const std::string& file, const std::vector<uint8_t>& bytes,
              Store* store, std::string* note) {
  const auto trace = reduction::Decode(bytes);
  if (!trace.ok()) return trace.status();
  // As ranks wrote it: names are the store's to keep.
  const auto plain = reduction::ReplaceNames(bytes, {});
  if (!plain.ok()) return plain.status();
  const auto stored = FindStored(*store, *plain, *trace);
  if (!stored.ok()) return stored.status();
  if (!*stored) {
    const online_model::Sender me{"", online_model::UserName(::geteuid())};
    const auto added = store->AddRun(bytes, me);
    if (!added.ok()) return added.status();
  }
  const auto names = NamesFor(file, bytes, trace->sites);
  const Status kept = names.ok() ? store->AddNames(*names) : names.status();
  if (!kept.ok() || !*stored) return kept;
  *note = file + ": run " + (*stored)->job + " is in the store already";
  return Status::Ok();
}

Status ImportFile(const std::string& file, Store* store, std::string* note) {
  const auto bytes = reduction::ReadWholeFile(file);
  if (!bytes.ok()) return bytes.status();
  const Status s = Import(file, *bytes, store, note);
  if (s.code() != reduction::StatusCode::kBadInput) return s;
  return {s.code(), file + ":" + s.message()};
}

int Import(const RunsOptions& options) {
  auto store = Store::Open(options.store);
  if (!store.ok()) return Fail(store.status());
  const auto& files = options.files;
  std::vector<std::string> notes(files.size());
  const Status imported = WithProgress(
      "importing " + Counted(int64_t(files.size()), "trace"),
      [&](Progress* progress) {
        for (size_t i = 0; i < files.size(); ++i) {
          if (i > 0) progress->Tell(double(i) / double(files.size()));
          const Status s = ImportFile(files[i], &*store, &notes[i]);
          if (!s.ok()) return s;
        }
        return Status::Ok();
      });
  for (const std::string& note : notes) {
    if (!note.empty()) Note(note);
  }
  return imported.ok() ? 0 : Fail(imported);
}

void AddJob(CLI::App* app, RunsOptions* options) {
  app->add_option("JOB", options->job, "The run, as `runs list` names it")
      ->required();
}

void AddBelowRuns(Commands& commands, CLI::App* runs, RunsOptions* options) {
  CLI::App* list =
      commands.AddBelow(runs, "list", "List the runs, oldest first",
                        [options] { return List(*options); });
  for (CLI::App* lists : {runs, list}) {
    lists
        ->add_option("--program", options->program, "Only runs of this program")
        ->type_name("NAME");
    lists->add_flag("--json", options->json,
                    "One JSON document on stdout; times in seconds");
  }
  CLI::App* remove = commands.AddBelow(runs, "remove", "Remove a run",
                                       [options] { return Remove(*options); });
  AddJob(remove, options);
  CLI::App* out = commands.AddBelow(runs, "export", "Write a run's trace",
                                    [options] { return Export(*options); });
  AddJob(out, options);
  out->add_option("-o,--output", options->output, "Trace file to write")
      ->required()
      ->type_name("FILE");
  CLI::App* in = commands.AddBelow(runs, "import", "Add traces to the store",
                                   [options] { return Import(*options); });
  in->add_option("TRACES", options->files, "The traces")->required();
  for (CLI::App* app : {list, remove, out, in}) {
    app->add_option("--store", options->store, "The store's folder")
        ->type_name("DIR")
        ->capture_default_str();
  }
}

}  // namespace

void RegisterRuns(Commands& commands) {
  auto options = std::make_shared<RunsOptions>();
  CLI::App* app = commands.Add("runs", "What a store holds",
                               [options] { return List(*options); });
  app->require_subcommand(0, 1);
  app->add_option("--store", options->store, "The store's folder")
      ->type_name("DIR")
      ->capture_default_str();
  AddBelowRuns(commands, app, options.get());
  app->footer(
      "Without a command: list.\n\n"
      "Example: ranksight runs list --store runs --program stencil2d");
}

}  // namespace ranksight::cli
