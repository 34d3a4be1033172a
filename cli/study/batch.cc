#include "cli/study/batch.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/base/files.h"
#include "cli/base/format.h"
#include "cli/base/json.h"
#include "cli/base/lists.h"
#include "cli/base/locate.h"
#include "cli/base/process.h"
#include "reduction/api/codec.h"
#include "reduction/api/shown_text.h"

namespace ranksight::cli {
namespace {

using nlohmann::json;
using reduction::Result;
using reduction::Status;

// Of study.json, which holds lists of words at most.
constexpr int kMostDepth = 4;

// DIR/app.16 and the ending.
std::string FileOf(const StudyRun& run, const std::string& ending) {
  return std::filesystem::path(run.trace).replace_extension(ending).string();
}

// Without the newline; empty where there is no such file.
std::string FirstLine(const std::string& path) {
  const auto bytes = reduction::ReadWholeFile(path);
  if (!bytes.ok()) return "";
  const std::string text(bytes->begin(), bytes->end());
  return text.substr(0, text.find('\n'));
}

std::string JobScript(const std::string& ranksight,
                      const std::vector<std::string>& words,
                      const StudyRun& run) {
  const std::string stem = AbsolutePath(FileOf(run, ""));
  std::string command;
  for (const std::string& word : words) command += " " + ShellWord(word);
  return fmt::format(
      "#!/bin/sh\n"
      "# A run of `ranksight study --submit`, on {}.\n"
      "cd {} || exit\n"
      "export RANKSIGHT_TIME=${{RANKSIGHT_TIME:-{}}}\n"
      "{} record -o {} --{} >{} 2>&1\n"
      "status=$?\n"
      "echo $status >{} && mv {} {}\n"
      "exit $status\n",
      Counted(run.ranks, "rank"),
      ShellWord(std::filesystem::current_path().string()), kStudyTimeShare,
      ShellWord(ranksight), ShellWord(stem + ".trace"), command,
      ShellWord(stem + ".log"), ShellWord(stem + ".status.new"),
      ShellWord(stem + ".status.new"), ShellWord(stem + ".status"));
}

Status WriteScript(const StudyPlan& plan, const StudyRun& run) {
  const auto ranksight = FindTool("ranksight");
  if (!ranksight.ok()) return ranksight.status();
  auto words = ExpandLauncher(plan.launcher, run.ranks);
  if (!words.ok()) return words.status();
  words->insert(words->end(), plan.program.begin(), plan.program.end());
  const std::string path = FileOf(run, ".job");
  const Status written =
      WriteTextFile(JobScript(*ranksight, *words, run), path);
  if (!written.ok()) return written;
  if (chmod(path.c_str(), 0755) == 0) return Status::Ok();
  return Status::Io(path + ": cannot be made executable");
}

Result<std::vector<std::string>> SubmitWords(const std::string& command,
                                             const StudyRun& run) {
  auto words = SplitWords(command);
  if (!words.ok()) return words.status();
  if (words->empty()) return Status::Usage("--submit names no command");
  ReplaceInWords("{ranks}", std::to_string(run.ranks), &*words);
  words->push_back(AbsolutePath(FileOf(run, ".job")));
  return words;
}

Status FileJob(const StudyPlan& plan, const std::string& command,
               const StudyRun& run, int* exit_status) {
  // What an earlier job left must not pass for this one's.
  for (const char* ending : {".trace", ".log", ".status", ".submitted"}) {
    std::error_code ignored;
    std::filesystem::remove(FileOf(run, ending), ignored);
  }
  const Status written = WriteScript(plan, run);
  if (!written.ok()) return written;
  auto words = SubmitWords(command, run);
  if (!words.ok()) return words.status();
  const std::string answer = FileOf(run, ".answer");
  const auto status = RunProgram({std::move(*words), {}, answer});
  if (!status.ok()) return status.status();
  if (*status != 0) {
    *exit_status = *status;
    return Status::No(fmt::format("{} could not be filed: status {}; {}",
                                  FileOf(run, ".job"), *status,
                                  "what was said is in " + answer));
  }
  std::error_code error;
  std::filesystem::rename(answer, FileOf(run, ".submitted"), error);
  return error ? Status::Io(answer + ": " + error.message()) : Status::Ok();
}

std::string StateText(const Job& job) {
  switch (job.state) {
    case JobState::kNotFiled:
      return "not filed";
    case JobState::kUnderWay:
      return "under way";
    case JobState::kFailed:
      return "ended with status " + std::to_string(job.exit_status);
    case JobState::kDone:
      return "done";
  }
  return "unknown";
}

struct SavedStudy {
  StudyOptions options;
  std::vector<std::string> program;
};

Result<SavedStudy> LoadStudy(const std::string& folder) {
  const std::string path = folder + "/study.json";
  const auto bytes = reduction::ReadWholeFile(path);
  if (!bytes.ok()) return bytes.status();
  // A file of nothing but brackets must not use up the stack.
  const auto shallow = [](int depth, json::parse_event_t, const json&) {
    return depth < kMostDepth;
  };
  const json saved = json::parse(*bytes, shallow, false);
  SavedStudy study;
  StudyOptions& options = study.options;
  try {
    study.program = saved.at("program").get<std::vector<std::string>>();
    options.plugins = saved.at("plugins").get<std::vector<std::string>>();
    options.places.link_speeds =
        saved.at("link-speed").get<std::vector<std::string>>();
    for (const auto& [key, text] : {std::pair{"ranks", &options.ranks},
                                    {"forecast", &options.forecast},
                                    {"output", &options.output},
                                    {"store", &options.store},
                                    {"network", &options.network}}) {
      *text = saved.at(key).get<std::string>();
    }
    for (const auto& [key, text] : PlaceTexts(&options.places)) {
      *text = saved.at(key).get<std::string>();
    }
    options.places.ranks_per_node = saved.at("ranks-per-node").get<int>();
    options.extrapolate = saved.at("extrapolate").get<int64_t>();
    options.repeat = saved.at("repeat").get<int64_t>();
  } catch (const json::exception&) {
    return Status::BadInput(path + ":0: not what `study --submit` writes");
  }
  if (options.repeat < 1 || options.repeat > kMostRepetitions ||
      options.extrapolate < 0) {
    return Status::BadInput(path + ":0: a number is out of range");
  }
  options.folder = folder;
  return study;
}

}  // namespace

Job FindJob(const StudyRun& run) {
  Job job;
  job.answer = FirstLine(FileOf(run, ".submitted"));
  const std::string status = FirstLine(FileOf(run, ".status"));
  std::error_code ignored;
  if (!status.empty()) {
    job.exit_status = std::atoi(status.c_str());
    const bool whole = job.exit_status == 0 && FileBytes(run.trace) > 0;
    job.state = whole ? JobState::kDone : JobState::kFailed;
  } else if (std::filesystem::exists(FileOf(run, ".submitted"), ignored)) {
    job.state = JobState::kUnderWay;
  }
  return job;
}

std::string JobText(const StudyPlan& plan, const StudyRun& run,
                    const Job& job) {
  std::string text =
      fmt::format("{} on {}: {}", reduction::ShownName(plan.program[0]),
                  Counted(run.ranks, "rank"), StateText(job));
  if (!job.answer.empty()) {
    text += " (" + reduction::ShownName(job.answer) + ")";
  }
  if (job.state == JobState::kFailed) text += "; its output is in " + run.log;
  return text + "\n";
}

Status FileJobs(const StudyPlan& plan, const std::string& command,
                const std::function<void(const std::string&)>& say,
                int* exit_status) {
  *exit_status = 0;
  for (const StudyRun& run : PlannedRuns(plan)) {
    const JobState before = FindJob(run).state;
    if (before == JobState::kNotFiled || before == JobState::kFailed) {
      const Status filed = FileJob(plan, command, run, exit_status);
      if (!filed.ok()) return filed;
    }
    say(JobText(plan, run, FindJob(run)));
  }
  return Status::Ok();
}

Status SaveStudy(const StudyOptions& options,
                 const std::vector<std::string>& program) {
  const std::string path = options.folder + "/study.json";
  // Jobs of the study that stands there may still come back to it.
  if (FileBytes(path) > 0) {
    const auto there = LoadStudy(options.folder);
    if (!there.ok()) return there.status();
    if (there->program != program) {
      return Status::Usage(options.folder +
                           " holds the study of another program or of other "
                           "arguments: --folder names another");
    }
  }
  JsonWriter out;
  const auto words = [&out](const char* key,
                            const std::vector<std::string>& list) {
    out.Key(key).BeginArray();
    for (const std::string& word : list) out.Value(word);
    out.EndArray();
  };
  out.BeginObject();
  words("program", program);
  words("plugins", options.plugins);
  words("link-speed", options.places.link_speeds);
  out.Member("ranks", options.ranks)
      .Member("forecast", options.forecast)
      .Member("extrapolate", options.extrapolate)
      .Member("output", options.output)
      .Member("repeat", options.repeat)
      .Member("store", options.store)
      .Member("network", options.network)
      .Member("ranks-per-node", options.places.ranks_per_node);
  PlaceOptions places = options.places;
  for (const auto& [key, text] : PlaceTexts(&places)) out.Member(key, *text);
  out.EndObject();
  return WriteTextFile(out.text(), path);
}

Status TakeSaved(StudyOptions* options, std::vector<std::string>* program) {
  if (!program->empty()) {
    return Status::Usage("--collect DIR knows the program: nothing behind --");
  }
  auto saved = LoadStudy(options->collect);
  if (!saved.ok()) return saved.status();
  StudyOptions& all = saved->options;
  if (!options->forecast.empty()) all.forecast = options->forecast;
  if (!options->network.empty()) all.network = options->network;
  if (options->places.given()) all.places = options->places;
  if (!options->plugins.empty()) all.plugins = options->plugins;
  if (!options->output.empty()) all.output = options->output;
  if (options->extrapolate > 0) all.extrapolate = options->extrapolate;
  all.json = options->json;
  all.collect = options->collect;
  *options = std::move(all);
  *program = std::move(saved->program);
  return Status::Ok();
}

}  // namespace ranksight::cli
