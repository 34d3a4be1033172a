#include "online_model/synthesize/site_sums.h"

#include "online_model/structure/mix_hash.h"
#include "reduction/api/rank_walk.h"

namespace ranksight::online_model {
namespace {

using reduction::Event;
using reduction::Request;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

void AddMessage(int64_t rank, const Request& message, SiteSums* site) {
  const bool is_both = message.kind == Request::Kind::kBoth;
  if (!is_both && message.kind != Request::Kind::kSend) return;
  const int64_t to = is_both ? message.send_peer : message.peer;
  if (reduction::IsSpecial(to)) return;
  site->messages += 1;
  site->bytes += double(is_both ? message.send_bytes : message.bytes);
  site->pairs.insert({rank, to});
}

}  // namespace

void AddEvent(int64_t rank, const Event& event, SiteSums* site) {
  site->hash = MixHash(site->hash, uint64_t(rank));
  for (const int64_t value : event.values()) {
    site->hash = MixHash(site->hash, uint64_t(value));
  }
  const auto& info = reduction::Info(event.call());
  site->family = info.family;
  if (info.family == reduction::Family::kPointToPoint) {
    AddMessage(rank, reduction::MessageOf(event), site);
  } else if (info.collective) {
    site->messages += 1;
    site->bytes += double(reduction::SendBytes(event));
  }
}

Result<SumsBySite> SumSites(const Trace& trace) {
  if (reduction::CountEvents(trace) > kMostWalked) {
    return Status::No("a trace of more than " + std::to_string(kMostWalked) +
                      " events is not gone through for estimates");
  }
  SumsBySite sites;
  std::map<std::pair<reduction::Call, uint32_t>, SiteSums*> known;
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    auto walk = reduction::RankWalk::Open(trace, rank);
    if (!walk.ok()) return walk.status();
    while (walk->Next()) {
      const Event& event = walk->event();
      SiteSums*& site = known[{event.call(), event.site}];
      if (site == nullptr) {
        site = &sites[{std::string(reduction::Info(event.call()).name),
                       ToString(trace.sites, event.site)}];
      }
      AddEvent(rank, event, site);
    }
    if (!walk->status().ok()) return walk->status();
  }
  return sites;
}

}  // namespace ranksight::online_model
