#include "online_model/parse/streams.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "online_model/structure/mix_hash.h"
#include "reduction/api/rank_walk.h"

namespace ranksight::online_model {
namespace {

using reduction::Event;
using reduction::Param;
using reduction::RankWalk;
using reduction::Request;
using reduction::Result;
using reduction::Status;
using reduction::Trace;

// Two for each of four axes. A site of more tags numbers its messages.
constexpr size_t kMostTags = 8;

using CallAndSite = std::pair<reduction::Call, uint32_t>;

class Reader {
 public:
  Status Read(const Trace& trace) {
    streams_.traces.emplace_back();
    channels_.clear();
    for (int64_t r = 0; r < trace.meta.ranks; ++r) {
      if (Status s = ReadRank(trace, r); !s.ok()) return s;
    }
    Join();
    for (auto& [site, tags] : tags_) {
      if (tags.here.empty()) continue;
      if (tags.first.empty()) tags.first = tags.here;
      tags.differ = tags.differ || tags.here != tags.first;
      tags.here.clear();
    }
    return Status::Ok();
  }

  // Whether it matters which of the two is asked for.
  bool AnyDiffer() const {
    return std::any_of(tags_.begin(), tags_.end(), [](const auto& t) {
      return t.second.differ && t.second.IsFew();
    });
  }

  // With the tags of other sites forgotten.
  Streams Take(TagKinds tags) {
    always_ = tags == TagKinds::kFewAndAlways;
    std::vector<uint32_t> places(kinds_.size());
    std::map<Kind, uint32_t> kept;
    for (const auto& [kind, number] : kinds_) kept[Kept(kind)] = 0;
    for (auto& [kind, number] : kept) {
      number = uint32_t(streams_.kinds.size());
      streams_.kinds.push_back(kind);
    }
    for (const auto& [kind, number] : kinds_) {
      places[number] = kept[Kept(kind)];
    }
    for (auto& ranks : streams_.traces) {
      for (Stream& stream : ranks) {
        for (StreamEvent& e : stream) e.kind = places[e.kind];
      }
    }
    return std::move(streams_);
  }

 private:
  struct Tags {
    std::set<int64_t> all, first, here;  // of all traces, the first, this one
    bool several = false;                // on some rank
    bool differ = false;                 // between traces
    bool IsFew() const { return several && all.size() <= kMostTags; }
  };
  // Both ends of what is sent from one rank to another with one tag.
  struct Channel {
    std::vector<Partner> sent, posted;
  };

  Kind Kept(Kind kind) const {
    const Tags& tags = tags_.at({kind.call, kind.site});
    if (!tags.IsFew() || (always_ && tags.differ)) {
      kind.tag = reduction::kNone;
    }
    return kind;
  }

  Status ReadRank(const Trace& trace, int64_t rank) {
    auto walk = RankWalk::Open(trace, rank);
    if (!walk.ok()) return walk.status();
    auto& ranks = streams_.traces.back();
    ranks.emplace_back();
    seen_.clear();
    while (walk->Next()) {
      if (++events_ > kMostStreamEvents) {
        return Status::No("the inputs have too many events to parse again");
      }
      const Partner here{int32_t(rank), uint32_t(ranks.back().size())};
      ranks.back().push_back({KindOf(*walk), {}, {}});
      AddHashes(walk->event(), &ranks.back().back());
      const bool makes = reduction::Info(walk->event().call()).makes_request;
      See(makes ? walk->made() : reduction::BlockingMessage(walk->event()),
          here);
    }
    return walk->status();
  }

  static void AddHashes(const Event& e, StreamEvent* to) {
    const auto params = reduction::Info(e.call()).params;
    for (int p = 0; p < e.param_count(); ++p) {
      const auto add = [values = e.ValuesAt(p)](uint64_t* hash) {
        *hash = MixHash(*hash, values.size());
        for (const int64_t v : values) *hash = MixHash(*hash, uint64_t(v));
      };
      add(&to->values);
      if (reduction::IsRank(params[size_t(p)])) add(&to->peers);
    }
  }

  uint32_t KindOf(const RankWalk& walk) {
    const Event& e = walk.event();
    int64_t tag = reduction::kNone;
    if (e.Has(Param::kTag)) {
      tag = e.Get(Param::kTag);
    } else if (!walk.completed().empty()) {
      tag = walk.completed()[0].tag;
    }
    Tags& tags = tags_[{e.call(), e.site}];
    if (tags.all.size() <= kMostTags) tags.all.insert(tag);
    if (tags.here.size() <= kMostTags) tags.here.insert(tag);
    auto& seen = seen_[{e.call(), e.site}];
    seen.insert(tag);
    tags.several = tags.several || seen.size() > 1;
    return kinds_.try_emplace({e.site, e.call(), tag}, uint32_t(kinds_.size()))
        .first->second;
  }

  void See(const Request& r, const Partner& here) {
    const bool both = r.kind == Request::Kind::kBoth;
    if (r.kind == Request::Kind::kSend || both) {
      const int64_t to = both ? r.send_peer : r.peer;
      const int64_t tag = both ? r.send_tag : r.tag;
      if (to >= 0) channels_[{here.rank, to, tag}].sent.push_back(here);
    }
    if (r.kind == Request::Kind::kReceive || both) {
      if (r.peer >= 0)
        channels_[{r.peer, here.rank, r.tag}].posted.push_back(here);
    }
  }

  // The first that is sent is the first that is received.
  void Join() {
    auto& ranks = streams_.traces.back();
    for (const auto& [key, channel] : channels_) {
      if (channel.sent.size() != channel.posted.size()) continue;
      for (size_t i = 0; i < channel.sent.size(); ++i) {
        const Partner &from = channel.sent[i], &to = channel.posted[i];
        ranks[size_t(from.rank)][from.event].receiver = to;
        ranks[size_t(to.rank)][to.event].sender = from;
      }
    }
  }

  Streams streams_;
  std::map<Kind, uint32_t> kinds_;
  std::map<CallAndSite, Tags> tags_;
  std::map<CallAndSite, std::set<int64_t>> seen_;  // on the rank at hand
  std::map<std::tuple<int64_t, int64_t, int64_t>, Channel> channels_;
  uint64_t events_ = 0;
  bool always_ = false;
};

}  // namespace

Result<Streams> ReadStreams(std::span<const Trace> traces, TagKinds tags) {
  Reader reader;
  for (const Trace& t : traces) {
    if (Status s = reader.Read(t); !s.ok()) return s;
  }
  if (tags == TagKinds::kFewAndAlways && !reader.AnyDiffer()) {
    return Status::No("sites have the same tags in all traces");
  }
  return reader.Take(tags);
}

}  // namespace ranksight::online_model
