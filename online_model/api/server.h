// The side-car: receives runs over ZeroMQ (reduction/WIRE.md), stores them,
// refits, and answers forecasts. Embedded in `ranksight study`, or alone as
// `ranksight serve`.
//
// Thread-safety: Start makes one background thread; all methods may be
// called from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "online_model/api/forecast.h"
#include "online_model/api/law_searches.h"
#include "online_model/api/links.h"
#include "online_model/api/live.h"
#include "online_model/api/log.h"
#include "online_model/api/named_network.h"
#include "online_model/api/own_laws.h"
#include "online_model/api/retention.h"
#include "online_model/api/store.h"
#include "online_model/api/verdict.h"
#include "reduction/api/names.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {

// Runs of one program, build and parameter set: what forecasts are made from.
struct RunGroup {
  std::string id;  // stable over restarts; [0-9a-f]
  std::string program, build_id, params;
  uint64_t runs = 0;
  std::vector<int64_t> measured;  // rank counts, ascending
  int64_t last_unix_ns = 0;       // when its newest run was stored
  // Of the newest run; launch: whose job it was, as RunRecord has it.
  std::string last_job, last_launch;
  Sender last_sender;
  int64_t last_ranks = 0;

  bool Has(const RunRecord& run) const {
    return run.program == program && run.build_id == build_id &&
           run.params == params;
  }
  // Whether the other is the same group with the same runs.
  bool HasRunsOf(const RunGroup& other) const {
    return id == other.id && runs == other.runs &&
           last_unix_ns == other.last_unix_ns;
  }
};

// What a list of all that is stored says of one group.
struct GroupOverview {
  RunGroup group;
  std::vector<MeasuredSize> sizes;
  // Where it is not refused, over CurveRanks of the group.
  std::vector<ForecastPoint> points;
  ScalingVerdict verdict;
  std::optional<Drift> drift;
  bool by_laws = false;  // of the points, some could still be walked
};

// Names of the sites that are found; places: files to look at first.
using FindNames = std::function<reduction::Names(
    const reduction::Sites& sites, const std::vector<std::string>& places)>;

// What only the caller can compute, as JSON text, for the page. Called on
// threads of the web server.
struct PageExtras {
  using OfRun =
      std::function<reduction::Result<std::string>(const reduction::Trace&)>;
  OfRun matrix;    // who sends how much to whom
  OfRun timeline;  // one iteration of some ranks
  OfRun load;      // what each rank has to do
  // The laws found over runs of different sizes.
  std::function<reduction::Result<std::string>(
      const std::vector<reduction::Trace>&)>
      laws;
  // Who sends how much to whom at a rank count that no run has, by these laws.
  std::function<reduction::Result<std::string>(
      const std::vector<reduction::Trace>&, int64_t ranks)>
      matrix_at;
};

struct ServerOptions {
  // "ipc://PATH" or "tcp://127.0.0.1:PORT" (port * picks one). Anything else
  // than ipc or loopback is refused (kUsage) without keys.
  std::string listen = "tcp://127.0.0.1:5570";
  // Where keys lie (online_model/api/keys.h); empty: none are asked for.
  std::string keys_directory;
  std::string store_directory;
  // Where runs that found no side-car left their traces; they are taken in
  // and removed. Empty: nowhere.
  std::string spool_directory;
  // What is more is refused.
  Quotas quotas{.all_bytes = uint64_t{16} << 30};
  // What is older is removed, at the start and each hour.
  std::vector<RetentionRule> retention;
  // "HOST:PORT" of the web page, loopback only (port 0 picks one); empty: no
  // page.
  std::string http;
  // For structures that our own laws do not fit.
  OwnLaws own_laws;
  // What laws are found goes there, for who asks for more than forecasts.
  std::shared_ptr<LawSearches> searches = std::make_shared<LawSearches>();
  // Of runs whose ranks shared cores; without a name, the default one.
  NamedNetwork network;
  // Of the machine of the others, where they are known.
  std::shared_ptr<const Links> links;
  // Asked for once a run is stored, on a thread of its own; may be empty.
  FindNames find_names;
  // Walks are made beside other work, and get a tenth of a core that it wants.
  // False: somebody waits for them.
  bool walks_yield = true;
  // Further answers of the page; may be empty.
  PageExtras extras;
  // Called after a run was stored and refitted, one run at a time, before
  // runs_stored counts it. On threads of the server.
  std::function<void(const RunRecord&)> on_run;
  // Noteworthy happenings (refused frames, bad runs), at most 20 a second.
  // Names in them come from clients: what a terminal would obey is left out.
  Log log;
};

class Server {
 public:
  // kIo where another server has the store or the address of the page.
  static reduction::Result<std::unique_ptr<Server>> Start(
      const ServerOptions& options);
  virtual ~Server() = default;
  // The endpoint bound, with the real port.
  virtual std::string endpoint() const = 0;
  virtual uint64_t runs_stored() const = 0;
  // Waits until at least `runs` were stored since the start or the time is
  // over; true when they were.
  virtual bool WaitForRuns(uint64_t runs, int timeout_ms) = 0;
  // The forecast of one program from everything in the store and what has
  // been seen of its runs under way; kNo when the store holds no run of it.
  // Points are walked along the extrapolated trace (joined.h) on a thread of
  // their own; until then they are the laws', and Forecast::walking is true.
  virtual reduction::Result<Forecast> ForecastFor(
      const std::string& program, std::span<const int64_t> ranks) = 0;
  // The same by laws alone: nothing is walked for it.
  virtual reduction::Result<Forecast> LawsFor(
      const std::string& program, std::span<const int64_t> ranks) = 0;
  // As ForecastFor, of one group; kNo when there is none of that id.
  virtual reduction::Result<Forecast> ForecastOf(
      const std::string& group, std::span<const int64_t> ranks) = 0;
  // Newest first. By what was walked already, else by laws: nothing is walked
  // for it. What is known of a group is kept until that changes.
  virtual std::vector<GroupOverview> Overview() = 0;
  // Until all that was asked for is walked; false when the time is over.
  virtual bool WaitForWalks(int timeout_ms) = 0;
  // Newest first.
  virtual std::vector<RunGroup> Groups() = 0;
  // Everything in the store, oldest first.
  virtual reduction::Result<std::vector<RunRecord>> Runs() = 0;
  virtual reduction::Result<reduction::Trace> LoadRun(
      const std::string& job) = 0;
  // Runs under way, and what was received since the start.
  virtual std::vector<LiveRun> Live() = 0;
  virtual IngestCounters counters() = 0;
  // The newest few, newest first.
  virtual std::vector<RunNotice> Notices() = 0;
  virtual reduction::Result<StoreUse> Use() = 0;
  virtual Quotas quotas() const = 0;
  // Grows whenever one of the answers above may have changed, also by what
  // others did to the store (`ranksight runs`).
  virtual uint64_t version() = 0;
  // "http://127.0.0.1:PORT" and the token its answers need; empty without.
  virtual std::string http_address() const = 0;
  virtual std::string http_token() const = 0;
  virtual void Stop() = 0;
};

}  // namespace ranksight::online_model
