#include "online_model/store/quota.h"

#include <string>
#include <vector>

namespace ranksight::online_model {
namespace {

using reduction::Status;

constexpr char kOfAll[] = "SELECT COALESCE(SUM(bytes), 0) FROM runs";
constexpr char kOfProgram[] =
    "SELECT COALESCE(SUM(bytes), 0) FROM runs WHERE program = ?1";
// As Sender::Name has it.
constexpr char kOfSender[] =
    "SELECT COALESCE(SUM(bytes), 0) FROM runs LEFT JOIN senders USING (job)"
    " WHERE CASE WHEN COALESCE(key, '') = '' THEN COALESCE(user, '')"
    " ELSE key END = ?1";

// What the sum is taken over, and how much that may be.
struct Share {
  std::string what, sum;
  std::vector<Value> values;
  uint64_t most = 0;
};

Status Check(const Database& database, const Share& share, uint64_t bytes) {
  if (share.most == 0) return Status::Ok();
  uint64_t held = 0;
  const Status s = database.Run(share.sum, share.values, [&](const Row& row) {
    held = uint64_t(row.Int(0));
  });
  if (!s.ok()) return s;
  if (held <= share.most && bytes <= share.most - held) return Status::Ok();
  return Status::No(share.what + " full: " + std::to_string(held) + " of " +
                    std::to_string(share.most) + " bytes are used, " +
                    std::to_string(bytes) + " more were asked for");
}

}  // namespace

Status CheckQuotas(const Database& database, const Quotas& quotas,
                   const RunRecord& run) {
  const std::string& name = run.sender.Name();
  const Share shares[] = {{"the store is", kOfAll, {}, quotas.all_bytes},
                          {"what the store keeps of " + run.program + " is",
                           kOfProgram,
                           {run.program},
                           quotas.program_bytes},
                          {"what the store keeps for " +
                               (name.empty() ? "unknown users" : name) + " is",
                           kOfSender,
                           {name},
                           quotas.sender_bytes}};
  for (const Share& share : shares) {
    if (Status s = Check(database, share, run.bytes); !s.ok()) return s;
  }
  return Status::Ok();
}

}  // namespace ranksight::online_model
