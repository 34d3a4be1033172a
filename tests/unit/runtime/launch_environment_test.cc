#include "runtime/session/launch_environment.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

namespace ranksight::runtime {
namespace {

using Variables = std::map<std::string, std::string>;
using reduction::Launch;

// With these alone of all that launchers set.
Launch LaunchOf(const Variables& variables, int64_t ranks) {
  for (const char* name :
       {"SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_STEP_NUM_NODES",
        "SLURM_JOB_NUM_NODES", "SLURM_STEP_TASKS_PER_NODE",
        "SLURM_TASKS_PER_NODE", "PBS_JOBID", "PBS_NUM_NODES", "PBS_NUM_PPN",
        "LSB_JOBID", "LSB_MCPU_HOSTS", "OMPI_MCA_ess_base_jobid",
        "OMPI_MCA_orte_num_nodes", "OMPI_COMM_WORLD_LOCAL_SIZE",
        "PMIX_NAMESPACE", "MPI_LOCALNRANKS"}) {
    unsetenv(name);
  }
  for (const auto& [name, value] : variables) {
    setenv(name.c_str(), value.c_str(), 1);
  }
  const Launch launch = ReadLaunch(ranks);
  for (const auto& [name, value] : variables) unsetenv(name.c_str());
  return launch;
}

// What sbatch --nodes 3 and srun in it say.
Variables OfSlurm() {
  return {{"SLURM_JOB_ID", "4711"},      {"SLURM_STEP_ID", "0"},
          {"SLURM_JOB_NUM_NODES", "3"},  {"SLURM_TASKS_PER_NODE", "4(x3)"},
          {"SLURM_STEP_NUM_NODES", "2"}, {"SLURM_STEP_TASKS_PER_NODE", "4,3"}};
}

TEST(CountTasks, ReadsWhatSlurmWrites) {
  const auto count = CountTasks("4(x2),3,1(x10)");
  ASSERT_TRUE(count);
  EXPECT_EQ(count->nodes, 13);
  EXPECT_EQ(count->tasks, 21);
}

TEST(CountTasks, RefusesOtherText) {
  for (const char* text :
       {"", ",", "4,", "x", "-4", "0", "4(x)", "4(x2", "4(x2)3", "4 ", "4;5",
        "2147483649", "2147483648(x2147483648)", "99999999999999999999"}) {
    EXPECT_FALSE(CountTasks(text)) << text;
  }
}

TEST(ReadLaunch, TakesStepAndNodesOfSlurmsStep) {
  EXPECT_EQ(LaunchOf(OfSlurm(), 7), (Launch{"slurm", "4711", "0", 2, "4,3"}));
}

TEST(ReadLaunch, TasksOfTheAllocationAreNotThoseOfAPartOfIt) {
  Variables variables = OfSlurm();
  variables.erase("SLURM_STEP_TASKS_PER_NODE");
  EXPECT_EQ(LaunchOf(variables, 7), (Launch{"slurm", "4711", "0", 2, ""}));
}

// Its daemons are a step, on all nodes but the first.
TEST(ReadLaunch, TheStepOfMpirunsDaemonsIsNotTheRun) {
  Variables variables = OfSlurm();
  variables["SLURM_STEP_TASKS_PER_NODE"] = "1(x2)";
  variables["OMPI_COMM_WORLD_LOCAL_SIZE"] = "4";
  variables["OMPI_MCA_orte_num_nodes"] = "3";
  variables["OMPI_MCA_ess_base_jobid"] = "1227030529";
  EXPECT_EQ(LaunchOf(variables, 12), (Launch{"slurm", "4711", "", 3, "4(x3)"}));
  EXPECT_EQ(LaunchOf(variables, 2), (Launch{"slurm", "4711", "", 3, ""}));
}

TEST(ReadLaunch, LaunchersWithoutABatchSystemSayWhatTheyKnow) {
  EXPECT_EQ(LaunchOf({{"MPI_LOCALNRANKS", "4"}}, 4),
            (Launch{"hydra", "", "", 1, "4"}));
  EXPECT_EQ(LaunchOf({{"MPI_LOCALNRANKS", "4"}}, 8),
            (Launch{"hydra", "", "", 0, ""}));
  EXPECT_EQ(LaunchOf({{"OMPI_MCA_ess_base_jobid", "1227030529"},
                      {"OMPI_MCA_orte_num_nodes", "2"},
                      {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}},
                     8),
            (Launch{"openmpi", "1227030529", "", 2, ""}));
}

TEST(ReadLaunch, PbsAndLsfNameJobAndNodes) {
  EXPECT_EQ(LaunchOf({{"PBS_JOBID", "12[3].server"},
                      {"PBS_NUM_NODES", "2"},
                      {"PBS_NUM_PPN", "8"}},
                     16),
            (Launch{"pbs", "12[3].server", "", 2, "8(x2)"}));
  EXPECT_EQ(LaunchOf({{"LSB_JOBID", "99"}, {"LSB_MCPU_HOSTS", "a 4 b 2 "}}, 6),
            (Launch{"lsf", "99", "", 2, "4,2"}));
}

TEST(ReadLaunch, NothingIsKnownWhereNobodySaysAnything) {
  EXPECT_EQ(LaunchOf({}, 4), Launch());
}

TEST(ReadLaunch, WhatCannotBeTrueIsNotKnown) {
  Variables variables = OfSlurm();
  variables["SLURM_JOB_ID"] = std::string(129, '7');
  variables["SLURM_STEP_TASKS_PER_NODE"] = "7x";
  variables["SLURM_TASKS_PER_NODE"] = "99999999999";
  variables["SLURM_STEP_NUM_NODES"] = "-2";
  EXPECT_EQ(LaunchOf(variables, 7), (Launch{"slurm", "", "0", 0, ""}));
}

}  // namespace
}  // namespace ranksight::runtime
