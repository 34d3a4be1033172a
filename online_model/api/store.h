// Store: the runs a side-car has accepted. An embedded SQLite index
// (index.sqlite) and one trace file per run beside it (runs/<job>.trace).
// The index can be made again from the traces, but for who sent them.
// A run is accepted when AddRun returned Ok: it then survives kill -9 of the
// process at any later instant. Adding a job twice changes nothing.
// Thread-safety: one Store object, one thread; several processes may open
// the same directory.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "online_model/api/sender.h"
#include "reduction/api/names.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

// Parameters of a run as a RunRecord has them.
std::string ParamText(const std::map<std::string, std::string>& params);

// Whose job it was, and its step: "slurm 4711.0"; empty where not known.
std::string LaunchText(const reduction::Launch& launch);

struct RunRecord {
  std::string job, program, build_id, params;  // params: "a=1 b=2"
  std::string launch;                          // as LaunchText has it
  Sender sender;
  int64_t ranks = 0;
  double seconds = 0;
  bool complete = true;
  int64_t stored_unix_ns = 0;  // to be shown; clocks step
  int64_t number = 0;          // ascending in the order stored
  std::string path;            // of the trace file
  uint64_t bytes = 0;
};

// The job that a run is stored under: its own, or for one without any name
// after its bytes.
std::string JobOf(const reduction::Trace& trace,
                  std::span<const uint8_t> encoded);

// What was learned from the runs of one program, build and parameter set,
// those numbered up to `last`: kept so that a start need not read them again.
struct Statistics {
  std::string program, build_id, params;
  int64_t last = 0;
  std::vector<uint8_t> bytes;
};

// Bytes of traces that a store may hold: of all runs, of those of each program,
// of those of each sender (Sender::Name). 0: no limit.
struct Quotas {
  uint64_t all_bytes = 0, program_bytes = 0, sender_bytes = 0;
};

// What a store holds.
struct StoreUse {
  uint64_t runs = 0, bytes = 0;
  int64_t last_unix_ns = 0;  // when the newest run was stored; 0: there is none
};

class Store {
 public:
  static reduction::Result<Store> Open(const std::string& directory);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  // encoded: bytes of a trace as reduction::Encode made them; decoded here
  // once more, so that nothing unreadable is ever accepted (kBadInput). Names
  // that are kept with it are kept here; the run is stored as ranks wrote it.
  reduction::Result<RunRecord> AddRun(const std::vector<uint8_t>& encoded,
                                      const Sender& sender = {});
  // The same for bytes that the caller has decoded already.
  // REQUIRES: trace is what Decode(encoded) gives, and it holds no names.
  reduction::Result<RunRecord> AddRun(const std::vector<uint8_t>& encoded,
                                      const reduction::Trace& trace,
                                      const Sender& sender = {});
  // Names of call sites hold for all runs of a build.
  reduction::Status AddNames(const reduction::Names& names);
  reduction::Names NamesOf(const reduction::Sites& sites) const;
  // A run that would exceed one is not added: kNo. At the start there are
  // none.
  void SetQuotas(const Quotas& quotas);
  reduction::Result<StoreUse> Use() const;
  // In the order they were stored, whatever the clock said; program empty:
  // all.
  reduction::Result<std::vector<RunRecord>> List(
      const std::string& program = "") const;
  // Those with larger numbers, in that order.
  reduction::Result<std::vector<RunRecord>> ListAfter(int64_t number) const;
  // kNo when there is no such run.
  reduction::Result<RunRecord> Find(const std::string& job) const;
  reduction::Result<reduction::Trace> Load(const RunRecord& run) const;
  // kNo when there is no such run.
  reduction::Status Remove(const std::string& job);
  // Those of them that are there, at once; how many these were.
  reduction::Result<size_t> RemoveAll(std::span<const std::string> jobs);

  // Removing a run forgets the statistics it is part of, and counts up
  // Removals. What was learned before that must not be saved any more: kNo
  // when `removals` is not the present count.
  reduction::Result<std::vector<Statistics>> LoadStatistics() const;
  reduction::Status SaveStatistics(const Statistics& statistics,
                                   int64_t removals);
  reduction::Result<int64_t> Removals() const;
  // Whether another Store has changed the index since the last call (the
  // first one says yes).
  bool ChangedByOthers();

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ranksight::online_model
