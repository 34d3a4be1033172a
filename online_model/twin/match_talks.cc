#include "online_model/twin/match_talks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "online_model/twin/laws_that_hold.h"

namespace ranksight::online_model {
namespace {

using reduction::MessageKind;
using reduction::Param;

using ChannelId = std::tuple<int64_t, int64_t, int64_t>;  // from, to, tag
struct Ends {
  std::vector<int64_t> sends, receives;
};

bool AsksForAny(int64_t from, int64_t tag) {
  return from == reduction::kPeerAny ||
         (from >= 0 && tag == reduction::kTagAny);
}

void Meet(int64_t send, int64_t receive, InputRun* input) {
  input->talks[size_t(send)].taken_by = receive;
  input->talks[size_t(receive)].sent_by = send;
}

// Matches what one rank receives that asks for any source or tag now and then:
// its receives in order, and one for any takes from whom nothing was taken for
// longest. In which order messages came one run decided, and no twin needs it.
class ArrivalsInTurn {
 public:
  void AddSend(int64_t from, int64_t tag, int64_t send) {
    Channel& channel = channels_[{from, tag}];
    if (channel.sends.empty()) heads_.insert({0, from, tag});
    channel.sends.push_back(send);
  }

  // -1: there is none.
  int64_t Take(int64_t from, int64_t tag) {
    const auto fits = [&](const Head& head) {
      const auto& [last, source, sent] = head;
      return (from == reduction::kPeerAny || from == source) &&
             (tag == reduction::kTagAny || tag == sent);
    };
    const auto it = AsksForAny(from, tag)
                        ? std::ranges::find_if(heads_, fits)
                        : heads_.find({channels_[{from, tag}].last, from, tag});
    if (it == heads_.end()) return -1;
    const auto [last, source, sent] = *it;
    heads_.erase(it);
    Channel& channel = channels_[{source, sent}];
    channel.last = ++now_;
    const int64_t send = channel.sends[channel.taken++];
    if (channel.taken < channel.sends.size()) {
      heads_.insert({channel.last, source, sent});
    }
    return send;
  }

 private:
  struct Channel {
    std::vector<int64_t> sends;
    size_t taken = 0;
    uint64_t last = 0;  // when one was taken
  };
  using Head = std::tuple<uint64_t, int64_t, int64_t>;       // last, rank, tag
  std::map<std::pair<int64_t, int64_t>, Channel> channels_;  // by rank, tag
  std::set<Head> heads_;  // of those of which not all are taken
  uint64_t now_ = 0;
};

// Whom a call takes from, and with which tag.
using Taken = std::pair<int64_t, int64_t>;
using TakenByTalk = std::vector<std::optional<Taken>>;

// What receives took that asked for any and returned with it.
class RecordedMatches {
 public:
  RecordedMatches(const TwinTree& tree, const InputRun& input)
      : tree_(tree), input_(input) {}

  std::optional<Taken> Of(const Talk& t) {
    const reduction::Call call = tree_.nodes[t.node].like->call;
    const int count = reduction::ParamPlace(call, Param::kMatchCount);
    const int from = reduction::ParamPlace(call, Param::kMatched);
    const int tag = reduction::ParamPlace(call, Param::kMatchedTags);
    const auto& params = input_.runs[t.rank].nodes[t.node].params;
    if (count < 0 || from < 0 || tag < 0 || params.empty()) return std::nullopt;
    const ValueList& counts = params[size_t(count)];
    if (t.run >= counts.size() || counts.At(t.run) != 1) return std::nullopt;
    const uint64_t at = StartsOf(t, counts)[t.run];
    const int64_t source = params[size_t(from)].At(at);
    const int64_t sent = params[size_t(tag)].At(at);
    if (source < 0 || reduction::IsSpecial(sent)) return std::nullopt;
    return Taken(source, sent);
  }

 private:
  // Where in its list what each run matched stands.
  const std::vector<uint64_t>& StartsOf(const Talk& t,
                                        const ValueList& counts) {
    auto& starts = starts_[{t.rank, t.node}];
    if (!starts.empty()) return starts;
    starts.push_back(0);
    for (uint64_t k = 0; k < counts.size(); ++k) {
      const int64_t n = std::max<int64_t>(counts.At(k), 0);
      starts.push_back(starts.back() + uint64_t(n));
    }
    return starts;
  }

  const TwinTree& tree_;
  const InputRun& input_;
  std::map<std::pair<uint32_t, uint32_t>, std::vector<uint64_t>> starts_;
};

TakenByTalk TakenAsRecorded(const reduction::Trace& recorded) {
  const NodeLaw no_laws = NoLawsFor(recorded.root);
  const TwinTree tree = TreeOf(recorded.root, no_laws);
  const InputRun run = ReadInput(recorded, tree);
  RecordedMatches matches(tree, run);
  TakenByTalk taken;
  for (const Talk& t : run.talks) taken.push_back(matches.Of(t));
  return taken;
}

// as_recorded: of each call, where that is known; empty: of none.
Taken TakenBy(const InputRun& input, size_t talk,
              const TakenByTalk& as_recorded) {
  const Talk& t = input.talks[talk];
  const MessageParams p = MessageParamsOf(input.nodes[t.node]->call);
  const int64_t from = ParamOf(input, t, p.from, -1);
  const int64_t tag = ParamOf(input, t, p.recv_tag, 0);
  if (as_recorded.empty() || !AsksForAny(from, tag)) return {from, tag};
  return as_recorded[talk].value_or(Taken(from, tag));
}

// as_recorded: as for TakenBy.
void Match(const TwinTree& tree, const TakenByTalk& as_recorded,
           InputRun* input) {
  std::set<int64_t> choosers;  // ranks that ask for any
  std::map<int64_t, ArrivalsInTurn> arrivals;
  std::map<ChannelId, Ends> channels;
  for (size_t i = 0; i < input->talks.size(); ++i) {
    const auto [from, tag] = TakenBy(*input, i, as_recorded);
    if (AsksForAny(from, tag)) choosers.insert(input->talks[i].rank);
  }
  for (size_t i = 0; i < input->talks.size(); ++i) {
    const Talk& t = input->talks[i];
    const MessageParams p = MessageParamsOf(tree.nodes[t.node].like->call);
    const int64_t to = ParamOf(*input, t, p.to, -1);
    const int64_t tag = ParamOf(*input, t, p.send_tag, 0);
    if (choosers.count(to) > 0) {
      arrivals[to].AddSend(t.rank, tag, int64_t(i));
    } else if (to >= 0) {
      channels[{t.rank, to, tag}].sends.push_back(int64_t(i));
    }
    const auto [from, asked] = TakenBy(*input, i, as_recorded);
    if (from < 0 || choosers.count(t.rank) > 0) continue;
    channels[{from, t.rank, asked}].receives.push_back(int64_t(i));
  }
  for (const auto& [id, ends] : channels) {
    const size_t n = std::min(ends.sends.size(), ends.receives.size());
    for (size_t k = 0; k < n; ++k) Meet(ends.sends[k], ends.receives[k], input);
  }
  for (size_t i = 0; i < input->talks.size(); ++i) {
    const Talk& t = input->talks[i];
    if (choosers.count(t.rank) == 0) continue;
    const auto [from, tag] = TakenBy(*input, i, as_recorded);
    if (from < 0 && from != reduction::kPeerAny) continue;
    const int64_t send = arrivals[t.rank].Take(from, tag);
    if (send >= 0) Meet(send, int64_t(i), input);
  }
}

// Whether all ranks get to their end, each message taken where it is matched:
// sends wait for nobody.
class Run {
 public:
  Run(const TwinTree& tree, const InputRun& input)
      : tree_(tree),
        talks_(input.talks),
        is_sent_(talks_.size(), false),
        next_(size_t(input.ranks), 0),
        end_(size_t(input.ranks), 0) {
    for (size_t i = talks_.size(); i-- > 0;) next_[talks_[i].rank] = i;
    for (size_t i = 0; i < talks_.size(); ++i) end_[talks_[i].rank] = i + 1;
  }

  bool Ends() {
    for (size_t r = 0; r < next_.size(); ++r) ready_.push_back(r);
    while (!ready_.empty()) {
      const size_t rank = ready_.back();
      ready_.pop_back();
      GoOn(rank);
    }
    return next_ == end_;
  }

 private:
  void GoOn(size_t rank) {
    for (size_t& at = next_[rank]; at < end_[rank]; ++at) {
      const Talk& t = talks_[at];
      const auto& info = reduction::Info(tree_.nodes[t.node].like->call);
      is_sent_[at] = true;
      const auto waiting = waiting_.find(at);
      if (waiting != waiting_.end()) {
        ready_.push_back(waiting->second);
        waiting_.erase(waiting);
      }
      const bool returns = info.makes_request || info.makes_persistent;
      if (returns || t.sent_by < 0 || is_sent_[size_t(t.sent_by)]) continue;
      waiting_[size_t(t.sent_by)] = rank;
      return;
    }
  }

  const TwinTree& tree_;
  const std::vector<Talk>& talks_;  // rank by rank
  std::vector<bool> is_sent_;
  std::vector<size_t> next_, end_;  // by rank
  std::vector<size_t> ready_;
  std::map<size_t, size_t> waiting_;  // by what they wait for
};

}  // namespace

void MatchTalks(const TwinTree& tree, const reduction::Trace& recorded,
                InputRun* input) {
  Match(tree, {}, input);
  if (Run(tree, *input).Ends()) return;
  const TakenByTalk taken = TakenAsRecorded(recorded);
  if (taken.size() != input->talks.size()) return;
  for (Talk& t : input->talks) t.taken_by = t.sent_by = Talk::kNone;
  Match(tree, taken, input);
}

}  // namespace ranksight::online_model
