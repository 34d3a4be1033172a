// Study: runs a program at several sizes with the side-car embedded, and
// refits after every run.
//
// Invariant: every run that counts is in the side-car's store and its trace
// lies in the study's folder. Thread-safety: belongs to one thread; the
// side-car works on its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cli/base/private_folder.h"
#include "cli/base/signal_cleaner.h"
#include "online_model/api/extrapolate.h"
#include "online_model/api/forecast.h"
#include "online_model/api/server.h"
#include "reduction/api/status.h"

namespace ranksight::cli {

struct StudyPlan {
  std::vector<std::string> program;  // the program and its arguments
  std::vector<int64_t> ranks;        // sizes to run, in this order
  std::vector<int64_t> targets;      // sizes to forecast
  int64_t repeat = 1;
  double patience_seconds = 60;  // for storing a run; a day at most counts
  std::string launcher;
  std::string folder;  // traces, logs, report; exists
  online_model::OwnLaws own_laws;
  online_model::NamedNetwork network;  // of runs whose ranks share cores
  // Of the machine, where they are known; not with runs whose ranks share
  // cores.
  std::shared_ptr<const online_model::Links> links;
  std::string store;  // empty: kept for the time of the study only
};

struct StudyRun {
  int64_t ranks = 0;
  double seconds = 0;
  std::string program;  // as the trace names it
  std::string trace, log;
};

// Those that the plan asks for, in order, as far as they are known before they
// are made: ranks and the names of files.
std::vector<StudyRun> PlannedRuns(const StudyPlan& plan);

// Where the larger runs will share this machine's cores, the smaller ones are
// measured as these are, so that all are of one kind. Elsewhere than here, and
// where a clock was chosen, the runs see for themselves.
bool SomeShareCores(const StudyPlan& plan);

class Study {
 public:
  // Starts the side-car.
  static reduction::Result<std::unique_ptr<Study>> Start(StudyPlan plan);

  // Runs everything. after_run is called with the run and the forecast from
  // all runs so far. When a run fails, *exit_status is its exit status and
  // the message says which and where its output is; otherwise 0.
  reduction::Status Run(
      const std::function<void(const StudyRun&, const online_model::Forecast&)>&
          after_run,
      int* exit_status);
  // Takes in those of the planned runs that jobs have made (batch.h); after_run
  // is called with each. The forecast is from all of them, empty without any.
  reduction::Result<online_model::Forecast> Collect(
      const std::function<void(const StudyRun&)>& after_run);
  // Of all runs, over a curve of rank counts. REQUIRES: a run was made.
  reduction::Result<online_model::Forecast> Curve() const;
  // How laws of the runs are searched: what the side-car finds is known.
  const online_model::ExtrapolationRequest& how() const { return how_; }
  const std::vector<std::string>& program() const { return plan_.program; }
  const std::vector<StudyRun>& runs() const { return runs_; }
  // Where names of call sites are to be looked for first.
  std::vector<std::string> places() const;

 private:
  // Walked where it can be.
  reduction::Result<online_model::Forecast> Forecasted(
      const std::vector<int64_t>& ranks) const;
  // False where they take too long.
  bool WaitForWalks() const;
  Study(StudyPlan plan, PrivateFolder private_folder);
  reduction::Status StartServer();
  reduction::Status RunOnce(StudyRun* run, int* exit_status);
  std::string StoreFolder() const;
  reduction::Status WaitUntilStored(StudyRun* run);

  StudyPlan plan_;
  PrivateFolder private_folder_;
  SignalCleaner cleaner_;
  online_model::ExtrapolationRequest how_;
  std::vector<StudyRun> runs_;
  std::mutex mutex_;  // guards last_stored_
  online_model::RunRecord last_stored_;
  // Last, so that its thread ends before what it writes to is gone.
  std::unique_ptr<online_model::Server> server_;
};

// RANKSIGHT_TIME of a study's runs, which are short, and where what is not
// exact is no law: 2 %, a second in any case, and every amount until then.
inline constexpr const char* kStudyTimeShare = "2,1,1";

// Whether a study that has waited so long for walks, in which this process had
// so much processor time, does without.
bool IsWalkTooLong(double clock_seconds, double processor_seconds);

// "stencil2d.16.trace", "stencil2d.16.2.trace" for the second run of that
// size; the program's base name.
std::string StudyFileName(const std::string& program, int64_t ranks,
                          int64_t repetition, const std::string& ending);

}  // namespace ranksight::cli
