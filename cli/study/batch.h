// A study whose runs are jobs of a batch system. Filing them and collecting
// what they left are two commands, with days between, so all of it is in files
// of the study's folder: study.json, what was asked for; and for a run app.16,
// app.16.job, the script of its job; app.16.submitted, what the batch system
// answered; app.16.status, its exit status, from when it has ended.
//
// Invariant: a status is written when the run has ended, trace and log before.
// Thread-safety: as RunProgram.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/study/study.h"
#include "cli/study/study_options.h"
#include "reduction/api/status.h"

namespace ranksight::cli {

enum class JobState { kNotFiled, kUnderWay, kFailed, kDone };

struct Job {
  JobState state = JobState::kNotFiled;
  std::string answer;   // of the batch system, its first line
  int exit_status = 0;  // where it failed
};

Job FindJob(const StudyRun& run);
// "stencil2d on 16 ranks: under way (Submitted batch job 4711)"; a line.
std::string JobText(const StudyPlan& plan, const StudyRun& run, const Job& job);

// Files a job for each run that has none, or whose job failed: `command`, with
// "{ranks}" replaced, and the script's name behind it. say is called with a
// line for each run. kNo when the command fails; *exit_status is then its own.
reduction::Status FileJobs(const StudyPlan& plan, const std::string& command,
                           const std::function<void(const std::string&)>& say,
                           int* exit_status);

// study.json of the folder. kUsage where another program's study is there.
reduction::Status SaveStudy(const StudyOptions& options,
                            const std::vector<std::string>& program);
// What was filed in options->collect, with what these options ask for instead,
// and its program. kUsage where *program is not empty.
reduction::Status TakeSaved(StudyOptions* options,
                            std::vector<std::string>* program);

}  // namespace ranksight::cli
