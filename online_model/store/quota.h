// How much of a store is used, and whether one more run fits.
// Thread-safety: as the Database's.
#pragma once

#include "online_model/api/store.h"
#include "online_model/store/database.h"
#include "reduction/api/status.h"

namespace ranksight::online_model {

// kNo, with what is used, where the run would be more than some quota.
reduction::Status CheckQuotas(const Database& database, const Quotas& quotas,
                              const RunRecord& run);

}  // namespace ranksight::online_model
