// idioms: draws programs, extrapolates them, and counts what came of it.
#include <fmt/core.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <new>
#include <string>
#include <vector>

#include "reduction/api/codec.h"
#include "tests/idioms/against.h"
#include "tests/idioms/judge.h"
#include "tests/idioms/many_twins.h"
#include "tests/idioms/net.h"
#include "tests/idioms/run.h"
#include "tests/idioms/table.h"
#include "tests/idioms/write_c.h"

namespace ranksight::idioms {
namespace {

constexpr char kMixed[] = "mixed";

struct Options {
  uint64_t seed = 1;
  int count = 20, inputs = 0, limit_s = 30, jobs = 2, ranks = 0, twins = 0;
  std::vector<std::string> idioms;
  std::string output, to, against, net;
  bool exact = false, setting = false, told = false, why = false, list = false,
       only_run = false, verbose = false, sizes = false;
};

int ExitWith(const reduction::Status& status) {
  if (!status.ok()) fmt::print(stderr, "{}\n", status.message());
  return reduction::ExitCode(status);
}

struct Job {
  std::string name;
  const Idiom* idiom;  // nullptr: of several
  uint64_t seed;
  std::vector<Case> cases;
};

std::vector<Job> JobsOf(const Options& o) {
  std::vector<std::string> names = o.idioms;
  if (names.empty()) {
    for (const Idiom& i : AllIdioms()) names.emplace_back(i.name);
    names.emplace_back(kMixed);
  }
  std::vector<Job> jobs;
  std::vector<Case> cases = AllCases(o.inputs);
  for (Case& which : cases) {
    which.twin = !o.exact;
    which.setting = o.setting;
    which.told = o.told;
  }
  for (int i = 0; i < o.count; ++i) {
    for (const std::string& name : names) {
      jobs.push_back({name, FindIdiom(name), o.seed + uint64_t(i), cases});
    }
  }
  return jobs;
}

// One line for each outcome: job, inputs, far, verdict, reason.
std::string LineOf(size_t job, const Outcome& o) {
  std::string reason = o.reason.substr(0, 2000);
  for (char& c : reason) {
    if (c == '\n') c = ' ';
  }
  return fmt::format("{} {} {} {} {} {}\n", job, o.which.inputs,
                     o.which.far ? 1 : 0, int(o.verdict), o.took_ms, reason);
}

// Shared by all workers: the next job that nobody has taken.
using Next = std::atomic<size_t>;

Next* NewNext() {
  void* place = mmap(nullptr, sizeof(Next), PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return place == MAP_FAILED ? nullptr : new (place) Next(0);
}

void Work(const std::vector<Job>& jobs, Next* next, const Options& o, int to) {
  for (size_t i; (i = next->fetch_add(1)) < jobs.size();) {
    const Program program = DrawProgram(jobs[i].idiom, jobs[i].seed);
    const auto tell = [&](const Outcome& outcome) {
      const std::string line = LineOf(i, outcome);
      (void)!write(to, line.data(), line.size());
    };
    if (o.twins > 0) {
      TryTwins(program, o.twins, tell);
    } else {
      Judge(program, jobs[i].cases, o.limit_s, tell);
    }
  }
}

std::vector<pid_t> StartWorkers(const std::vector<Job>& jobs, const Options& o,
                                int to) {
  std::vector<pid_t> workers;
  Next* next = NewNext();
  if (next == nullptr) return workers;
  for (int w = 0; w < o.jobs; ++w) {
    const pid_t child = fork();
    if (child == 0) {
      Work(jobs, next, o, to);
      _exit(0);
    }
    workers.push_back(child);
  }
  return workers;
}

void TakeLine(const char* line, const std::vector<Job>& jobs, const Options& o,
              Table* table) {
  size_t job = 0;
  int inputs = 0, far = 0, verdict = 0, took_ms = 0, used = 0;
  if (std::sscanf(line, "%zu %d %d %d %d %n", &job, &inputs, &far, &verdict,
                  &took_ms, &used) != 5) {
    return;
  }
  Outcome outcome{{inputs, far != 0}, Verdict(verdict), line + used, took_ms};
  if (!outcome.reason.empty()) outcome.reason.pop_back();
  table->Add(jobs[job].name, outcome);
  const bool tell = o.verbose || outcome.verdict == Verdict::kWrong ||
                    outcome.verdict == Verdict::kBroken;
  if (tell) {
    const Program program = DrawProgram(jobs[job].idiom, jobs[job].seed);
    fmt::print(stderr, "{} seed {} ({}), {} inputs, x{}: {} in {} ms: {}\n",
               jobs[job].name, jobs[job].seed, GridText(program), inputs,
               far != 0 ? 4 : 2, NameOf(outcome.verdict), took_ms,
               outcome.reason);
  }
}

Table TableOf(const std::vector<Job>& jobs, const Options& o) {
  Table table;
  int ends[2];
  if (pipe(ends) != 0) return table;
  const auto workers = StartWorkers(jobs, o, ends[1]);
  close(ends[1]);
  FILE* from = fdopen(ends[0], "r");
  char line[4096];
  while (from != nullptr && fgets(line, sizeof line, from) != nullptr) {
    TakeLine(line, jobs, o, &table);
  }
  for (const pid_t worker : workers) waitpid(worker, nullptr, 0);
  if (from != nullptr) fclose(from);
  return table;
}

bool HasWrong(const Table& table) {
  for (const auto& [idiom, cases] : table.counts()) {
    for (const auto& [which, counts] : cases) {
      if (counts[size_t(Verdict::kWrong)] > 0) return true;
      if (counts[size_t(Verdict::kBroken)] > 0) return true;
    }
  }
  return false;
}

int PrintTable(const Options& o) {
  const Table table = TableOf(JobsOf(o), o);
  fmt::print("exact/estimated/refused/wrong\n{}", table.ToText());
  const std::string off = table.OffText();
  if (!off.empty()) {
    fmt::print("\ntwins, median percent off in messages/bytes/partners\n{}",
               off);
  }
  if (o.told) fmt::print("\nrefusals that ask\n{}", table.ToldText());
  if (o.why) fmt::print("\n{}", table.WhyText());
  return o.twins > 0 && HasWrong(table) ? 1 : 0;
}

// Whether the cases of a file come out as well as it says, idiom by idiom.
int HoldAgainstNet(const Options& o) {
  const auto net = ReadNet(o.net);
  if (!net.ok()) return ExitWith(net.status());
  std::vector<Job> jobs;
  for (const NetCase& c : *net) {
    jobs.push_back({c.idiom, FindIdiom(c.idiom), c.seed, {c.which}});
  }
  const std::string worse = WhatIsWorse(*net, TableOf(jobs, o));
  fmt::print("{}", worse.empty() ? "as good as the net\n" : worse);
  return worse.empty() ? 0 : 1;
}

// How long it takes to run the programs, without anything else.
int OnlyRun(const Options& o) {
  const auto start = std::chrono::steady_clock::now();
  int programs = 0;
  for (const Job& job : JobsOf(o)) {
    const Program p = DrawProgram(job.idiom, job.seed);
    for (const int ranks : p.inputs) {
      const auto made = RunProgram(p, ranks, 1);
      if (made.ok()) continue;
      fmt::print(stderr, "{} seed {}: {}\n", job.name, job.seed,
                 made.status().message());
      return 1;
    }
    ++programs;
  }
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - start;
  fmt::print("{} programs on 5 rank counts each in {:.1f} s\n", programs,
             took.count());
  return 0;
}

int WriteTrace(const Program& program, const Options& o) {
  const auto made = RunProgram(program, o.ranks, o.seed);
  if (!made.ok()) return ExitWith(made.status());
  return ExitWith(reduction::WriteTraceFile(*made, o.output));
}

int HoldAgainst(const Program& program, const Options& o) {
  const auto real = reduction::ReadTraceFile(o.against);
  if (!real.ok()) return ExitWith(real.status());
  const auto ours = RunProgram(program, int(real->meta.ranks), o.seed);
  if (!ours.ok()) return ExitWith(ours.status());
  const std::string difference = FirstDifference(program, *real, *ours);
  if (!difference.empty()) fmt::print("{}\n", difference);
  return difference.empty() ? 0 : 1;
}

int PrintSizes(const Program& p) {
  fmt::print("{} {}\n", fmt::join(p.inputs, " "), fmt::join(p.targets, " "));
  return 0;
}

// Of one program: its source, its trace, or whether a trace is its.
int LookAtOne(const Options& o) {
  const bool has_file = !o.output.empty() || !o.against.empty() || o.sizes;
  if (o.idioms.size() != 1 || !has_file) {
    fmt::print(stderr,
               "--to and --ranks want one --idiom and -o, --against and "
               "--sizes the idiom\n");
    return 2;
  }
  const Program program = DrawProgram(FindIdiom(o.idioms[0]), o.seed);
  if (o.sizes) return PrintSizes(program);
  if (!o.against.empty()) return HoldAgainst(program, o);
  return o.to.empty() ? WriteTrace(program, o)
                      : ExitWith(WriteC(program, o.output));
}

int Run(const Options& o) {
  if (o.list) {
    for (const Idiom& i : AllIdioms()) fmt::print("{}\n", i.name);
    return 0;
  }
  for (const std::string& name : o.idioms) {
    if (name != kMixed && FindIdiom(name) == nullptr) {
      fmt::print(stderr, "no idiom {}; --list names them\n", name);
      return 2;
    }
  }
  const bool one =
      o.ranks > 0 || !o.to.empty() || !o.against.empty() || o.sizes;
  if (one) return LookAtOne(o);
  if (!o.net.empty()) return HoldAgainstNet(o);
  return o.only_run ? OnlyRun(o) : PrintTable(o);
}

}  // namespace
}  // namespace ranksight::idioms

int main(int argc, char** argv) {
  ranksight::idioms::Options options;
  CLI::App app("Draws programs and counts what can be extrapolated");
  app.add_option("--seed", options.seed, "The first seed");
  app.add_option("--count", options.count, "Programs of each idiom");
  app.add_option("--idiom", options.idioms,
                 "These alone; `mixed` is several in one program");
  app.add_option("--inputs", options.inputs, "3, 4 or 5 alone");
  app.add_option("--limit", options.limit_s, "Seconds for each search");
  app.add_option("--jobs", options.jobs, "Processes");
  app.add_option("--twins", options.twins,
                 "So many twins of each program: 1 where one does not end");
  app.add_option("--net", options.net,
                 "Only the cases of this file; 1 where they come out worse");
  app.add_flag("--exact", options.exact, "Make no twins");
  app.add_flag("--setting", options.setting,
               "From three values of a setting, to another one as well");
  app.add_flag("--told", options.told,
               "Tell what refusals ask for, and count what comes of it");
  app.add_flag("--why", options.why, "Count reasons, too");
  app.add_flag("--verbose", options.verbose, "Each outcome on stderr");
  app.add_flag("--list", options.list, "Name the idioms");
  app.add_flag("--only-run", options.only_run, "Do not extrapolate");
  app.add_option("--ranks", options.ranks, "Write the trace on so many ranks");
  app.add_option("--to", options.to, "Write the program in this form")
      ->check(CLI::IsMember({"c"}));
  app.add_option("-o", options.output, "to this file, or folder");
  app.add_flag("--sizes", options.sizes,
               "Print the rank counts of the inputs and targets");
  app.add_option("--against", options.against,
                 "Whether this trace of a real run is the program's");
  CLI11_PARSE(app, argc, argv);
  return ranksight::idioms::Run(options);
}
