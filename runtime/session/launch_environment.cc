#include "runtime/session/launch_environment.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <sstream>
#include <string_view>

#include "reduction/api/contract.h"

namespace ranksight::runtime {
namespace {

// As many as a trace may have ranks.
constexpr int64_t kMostRanks = int64_t{1} << 31;
// Names of jobs have a few dozen characters: "4711[3].server.example.org".
constexpr size_t kLongestName = 128;
// Slurm's text for as many nodes as there are, all of them different.
constexpr size_t kLongestTasks = size_t{1} << 16;

// The first of those that are set; empty where it is longer than that.
std::string FirstOf(std::initializer_list<const char*> names,
                    size_t longest = kLongestName) {
  for (const char* name : names) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == 0) continue;
    return std::strlen(value) <= longest ? value : "";
  }
  return "";
}

// Reads a number from 1 to kMostRanks and leaves what stands behind it.
std::optional<int64_t> TakeNumber(std::string_view* text) {
  int64_t number = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, number);
  if (error != std::errc() || number < 1 || number > kMostRanks) {
    return std::nullopt;
  }
  text->remove_prefix(size_t(stop - text->data()));
  return number;
}

bool Take(std::string_view expected, std::string_view* text) {
  if (!text->starts_with(expected)) return false;
  text->remove_prefix(expected.size());
  return true;
}

int64_t NumberIn(std::initializer_list<const char*> names) {
  const std::string text = FirstOf(names);
  std::string_view rest = text;
  const auto number = TakeNumber(&rest);
  return number && rest.empty() ? *number : 0;
}

bool IsSet(const char* name) { return std::getenv(name) != nullptr; }

// LSB_MCPU_HOSTS, "a 4 b 4", as Slurm would write it; empty for other text.
std::string TasksOfLsf() {
  std::istringstream words(FirstOf({"LSB_MCPU_HOSTS"}, kLongestTasks));
  std::string host, out;
  for (int64_t tasks = 0; words >> host >> tasks;) {
    if (!out.empty()) out += ',';
    out += std::to_string(tasks);
  }
  return out;
}

// PBS_NUM_NODES nodes of PBS_NUM_PPN each.
std::string TasksOfPbs() {
  const int64_t nodes = NumberIn({"PBS_NUM_NODES"});
  const int64_t each = NumberIn({"PBS_NUM_PPN"});
  if (nodes == 0 || each == 0) return "";
  return std::to_string(each) + "(x" + std::to_string(nodes) + ")";
}

// A launcher that works within a batch system's job knows better than that.
bool HasOwnLauncher() {
  return IsSet("OMPI_COMM_WORLD_LOCAL_SIZE") || IsSet("MPI_LOCALNRANKS");
}

void ReadJob(reduction::Launch* launch) {
  struct System {
    const char *by, *job_id;
  };
  for (const System& system :
       {System{"slurm", "SLURM_JOB_ID"}, System{"pbs", "PBS_JOBID"},
        System{"lsf", "LSB_JOBID"},
        System{"openmpi", "OMPI_MCA_ess_base_jobid"},
        System{"openmpi", "PMIX_NAMESPACE"},
        System{"hydra", "MPI_LOCALNRANKS"}}) {
    if (!IsSet(system.job_id)) continue;
    launch->by = system.by;
    // Hydra does not count its jobs.
    if (launch->by != "hydra") launch->job_id = FirstOf({system.job_id});
    break;
  }
  // mpirun starts its daemons as a step of Slurm's, which is not the run.
  if (launch->by == "slurm" && !HasOwnLauncher()) {
    launch->step = FirstOf({"SLURM_STEP_ID"});
  }
}

void ReadNodes(int64_t ranks, reduction::Launch* launch) {
  const bool own = HasOwnLauncher();
  const std::string here =
      FirstOf({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"});
  const std::string of_step =
      own ? "" : FirstOf({"SLURM_STEP_TASKS_PER_NODE"}, kLongestTasks);
  const std::string of_job = FirstOf({"SLURM_TASKS_PER_NODE"}, kLongestTasks);
  for (const std::string& text :
       {here, of_step, of_job, TasksOfLsf(), TasksOfPbs()}) {
    const auto count = CountTasks(text);
    // Variables of an outer job or step are still there in an inner launch:
    // only what adds up to this world is believed.
    if (!count || count->tasks != ranks) continue;
    launch->tasks_per_node = text;
    launch->nodes = count->nodes;
    return;
  }
  launch->nodes =
      own ? NumberIn({"OMPI_MCA_orte_num_nodes"})
          : NumberIn({"SLURM_STEP_NUM_NODES", "SLURM_JOB_NUM_NODES"});
}

}  // namespace

std::optional<NodesAndTasks> CountTasks(const std::string& tasks_per_node) {
  NodesAndTasks all;
  std::string_view rest = tasks_per_node;
  do {
    const auto tasks = TakeNumber(&rest);
    if (!tasks) return std::nullopt;
    int64_t times = 1;
    if (Take("(x", &rest)) {
      const auto number = TakeNumber(&rest);
      if (!number || !Take(")", &rest)) return std::nullopt;
      times = *number;
    }
    all.nodes += times;
    // Below 2^31 each, so the product is no overflow.
    all.tasks += *tasks * times;
    if (all.tasks > kMostRanks) return std::nullopt;
  } while (Take(",", &rest));
  return rest.empty() ? std::optional(all) : std::nullopt;
}

reduction::Launch ReadLaunch(int64_t ranks) {
  RANKSIGHT_REQUIRE(ranks > 0);
  reduction::Launch launch;
  ReadJob(&launch);
  ReadNodes(ranks, &launch);
  return launch;
}

}  // namespace ranksight::runtime
