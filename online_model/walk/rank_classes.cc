#include "online_model/walk/rank_classes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "online_model/walk/uneven.h"

namespace ranksight::online_model {

using reduction::Result;
using reduction::Status;

namespace {

// Classes are told apart no further than to this many: an open grid has (2 r +
// 1)^2 of them within r rounds. Twice as many take twice as long.
constexpr size_t kMostClasses = 1024;
// Ends over all ranks; of more, all ranks talk to a good part of all.
constexpr double kMostEnds = 1 << 27;
// What is walked in some tenths of a second, a dozen times for a forecast; and
// actors, more of which would not change what the highest of them is taken for.
constexpr double kOperations = 1 << 20, kMostSamples = 2048;
// How far is looked whatever it takes.
constexpr int kLeastRounds = 2;

bool IsMessage(const Operation& op) {
  return op.kind == Operation::Kind::kSend ||
         op.kind == Operation::Kind::kReceive;
}

// By class: its first rank, its last, and how many it has.
struct Extent {
  int64_t first = -1, last = -1, ranks = 0;
};
std::vector<Extent> ExtentsOf(const RankClassing& classes) {
  std::vector<Extent> out(classes.count);
  for (size_t r = 0; r < classes.of_rank.size(); ++r) {
    Extent& e = out[classes.of_rank[r]];
    if (e.first < 0) e.first = int64_t(r);
    e.last = int64_t(r);
    ++e.ranks;
  }
  return out;
}

}  // namespace

Result<RankClasses> RankClasses::Find(
    const reduction::Trace& trace, uint32_t events,
    const std::function<uint32_t(const reduction::Node&)>& event_of,
    ContextTable* contexts) {
  RankClasses out;
  out.base_ = ClassesByKey(CallKeys(trace));
  if (out.base_.count > kMostClasses) {
    return Status::No("ranks are of too many classes");
  }
  // The first and the last rank of each class stand for all: what both do, at
  // the same offsets, all do.
  std::vector<CountedRank> first, last;
  for (const Extent& e : ExtentsOf(out.base_)) {
    first.push_back({e.first, double(e.ranks)});
    last.push_back({e.last, 0});
  }
  auto firsts = CompileRanks(trace, events, event_of, first, contexts);
  if (!firsts.ok()) return firsts.status();
  const auto lasts = CompileRanks(trace, events, event_of, last, contexts);
  if (!lasts.ok()) return lasts.status();
  if (Status s = out.AddStreams(&*firsts, *lasts); !s.ok()) return s;
  double ends = 0;
  for (size_t c = 0; c < out.streams_.size(); ++c) {
    ends += first[c].stands_for * double(out.streams_[c].ends.size());
  }
  if (ends > kMostEnds) return Status::No("ranks talk to too many others");
  out.program_ = std::move(*firsts);
  out.program_.actors.clear();
  out.program_.channels.clear();
  out.program_.channels_to.clear();
  return out;
}

Status RankClasses::AddStreams(Program* firsts, const Program& lasts) {
  for (size_t c = 0; c < firsts->actors.size(); ++c) {
    Stream stream, other;
    std::vector<uint32_t> places, unused;
    const Actor &first = firsts->actors[c], &last = lasts.actors[c];
    Status s = MakeStream(*firsts, first, &stream, &places);
    if (s.ok()) s = MakeStream(lasts, last, &other, &unused);
    if (s.ok()) s = CompareEnds(other, first.rank, last.rank, &stream);
    if (!s.ok()) return s;
    for (size_t i = first.begin; i < first.end; ++i) {
      Operation& op = firsts->operations[i];
      // From the channel of one rank to the place of its end in the class.
      if (IsMessage(op)) op.place = places[i - first.begin];
    }
    streams_.push_back(std::move(stream));
  }
  return Status::Ok();
}

Status RankClasses::MakeStream(const Program& program, const Actor& actor,
                               Stream* out, std::vector<uint32_t>* places) {
  out->begin = actor.begin;
  out->end = actor.end;
  out->slots = actor.slots;
  places->assign(actor.end - actor.begin, 0);
  std::map<std::pair<uint32_t, bool>, uint32_t> known;
  for (size_t i = actor.begin; i < actor.end; ++i) {
    const Operation& op = program.operations[i];
    if (op.wild) return Status::No("a receive is from any source");
    if (op.kind == Operation::Kind::kCollective &&
        program.comm_size[op.place] != program.ranks) {
      return Status::No("a collective is of some of the ranks");
    }
    if (!IsMessage(op)) continue;
    const bool sends = op.kind == Operation::Kind::kSend;
    // Each partner, tag and direction is one end, however many messages there
    // are.
    const auto [it, fresh] =
        known.try_emplace({op.place, sends}, uint32_t(out->ends.size()));
    (*places)[i - actor.begin] = it->second;
    if (!fresh) continue;
    const Program::Channel& channel = program.channels[op.place];
    const int64_t peer = sends ? channel.to : channel.source;
    out->ends.push_back(
        {sends, true, peer - int64_t(actor.rank), channel.tag, channel.comm});
  }
  return Status::Ok();
}

Status RankClasses::CompareEnds(const Stream& other, int64_t from, int64_t to,
                                Stream* stream) {
  if (stream->ends.size() != other.ends.size() ||
      stream->end - stream->begin != other.end - other.begin) {
    return Status::No("ranks that make the same calls do not do the same");
  }
  for (size_t i = 0; i < other.ends.size(); ++i) {
    End& a = stream->ends[i];
    const End& b = other.ends[i];
    if (a.sends != b.sends || a.tag != b.tag || a.comm != b.comm) {
      return Status::No("ranks that make the same calls do not do the same");
    }
    if (a.peer == b.peer) continue;
    // Not at one offset: then both must name one and the same rank.
    if (a.peer + from != b.peer + to) {
      return Status::No("partners of a class are at no offset");
    }
    a.relative = false;
    a.peer += from;
  }
  return Status::Ok();
}

bool RankClasses::Refine(RankClassing* classes) const {
  std::vector<uint64_t> keys(classes->of_rank.size());
  for (size_t r = 0; r < keys.size(); ++r) {
    uint64_t key = classes->of_rank[r];
    for (const End& end : StreamOf(int64_t(r)).ends) {
      const int64_t peer = PeerOf(int64_t(r), end);
      if (peer < 0) return false;
      key = MixedKey(key, classes->of_rank[size_t(peer)]);
    }
    keys[r] = key;
  }
  *classes = ClassesByKey(keys);
  return true;
}

// Actors for classes, and who of them looks at whom.
class RankClasses::Builder {
 public:
  Builder(const RankClasses& from, const RankClassing& classes, bool samples)
      : from_(from), classes_(classes), samples_(samples) {}

  Result<Program> Build() {
    out_ = from_.program_;
    SortMembers();
    AddActors();
    if (Status s = FindPartners(); !s.ok()) return s;
    AddChannels();
    return std::move(out_);
  }

 private:
  size_t SizeOf(size_t c) const { return begin_[c + 1] - begin_[c]; }

  void SortMembers() {
    begin_.assign(classes_.count + 1, 0);
    for (const uint32_t c : classes_.of_rank) ++begin_[c + 1];
    for (size_t c = 0; c < classes_.count; ++c) begin_[c + 1] += begin_[c];
    std::vector<size_t> next(begin_.begin(), begin_.end() - 1);
    members_.resize(classes_.of_rank.size());
    for (size_t r = 0; r < members_.size(); ++r) {
      members_[next[classes_.of_rank[r]]++] = uint32_t(r);
    }
  }

  // Of large classes more, by the root of their ranks.
  std::vector<size_t> ActorsOfClasses() const {
    std::vector<size_t> out(classes_.count, 1);
    if (!samples_) return out;
    double roots = 0, operations = 0;
    for (size_t c = 0; c < classes_.count; ++c) {
      const Stream& stream = from_.StreamOf(members_[begin_[c]]);
      const double root = std::sqrt(double(SizeOf(c)));
      roots += root;
      operations += root * double(stream.end - stream.begin);
    }
    const double actors =
        std::min(kMostSamples, kOperations * roots / operations);
    for (size_t c = 0; c < classes_.count; ++c) {
      const double n = double(SizeOf(c));
      out[c] =
          size_t(std::clamp(std::floor(actors * std::sqrt(n) / roots), 1.0, n));
    }
    return out;
  }

  void AddActors() {
    const std::vector<size_t> often = ActorsOfClasses();
    const auto [least, most] = Extremes();
    for (size_t c = 0; c < classes_.count; ++c) {
      const size_t n = SizeOf(c), actors = often[c];
      first_actor_.push_back(out_.actors.size());
      out_.groups.push_back({double(n), double(actors)});
      for (size_t i = 0; i < actors; ++i) {
        const size_t place = actors == 1 ? n / 2 : i * n / actors;
        AddActor(c, members_[begin_[c] + place], double(n) / double(actors));
      }
      if (!samples_) continue;
      Include(least, c, 0);
      Include(most, c, actors - 1);
    }
    first_actor_.push_back(out_.actors.size());
  }

  void AddActor(size_t c, uint32_t rank, double stands_for) {
    const Stream& stream = from_.StreamOf(rank);
    Actor actor;
    actor.begin = stream.begin;
    actor.end = stream.end;
    actor.rank = rank;
    actor.slots = stream.slots;
    actor.first_end = uint32_t(out_.ends.size());
    actor.group = uint32_t(c);
    actor.stands_for = stands_for;
    out_.actors.push_back(actor);
    out_.ends.resize(out_.ends.size() + stream.ends.size());
  }

  // The ranks that have least and most to do where work is uneven.
  std::pair<uint32_t, uint32_t> Extremes() const {
    const int64_t n = out_.ranks, stride = StrideOf(n);
    uint32_t most = 0;
    for (int64_t r = 0; samples_ && r < n; ++r) {
      if (r * stride % n == n - 1) most = uint32_t(r);
    }
    return {0, most};
  }

  // In the place of an actor of its class, standing for itself alone.
  void Include(uint32_t rank, size_t c, size_t i) {
    const size_t first = first_actor_[c], actors = out_.actors.size() - first;
    if (classes_.of_rank[rank] != c || actors == SizeOf(c) || actors < 3) {
      return;
    }
    Actor& actor = out_.actors[first + i];
    const double others = (actor.stands_for - 1) / double(actors - 1);
    for (size_t a = first; a < out_.actors.size(); ++a) {
      out_.actors[a].stands_for += others;
    }
    actor.rank = rank;
    actor.stands_for = 1;
  }

  // Steps from an actor to those of its class that it looks at: other ones for
  // each offset, and back for the same offset back.
  std::map<int64_t, size_t> StepsOf(const Stream& stream, size_t actors) const {
    std::map<int64_t, size_t> steps;
    for (const End& end : stream.ends) {
      if (end.relative) steps.emplace(std::abs(end.peer), 0);
    }
    double number = 0;
    size_t last = 0;
    for (auto& [offset, step] : steps) {
      if (offset == 0) continue;
      const double share = number++ / double(steps.size());
      last = std::max(last + 1,
                      size_t(std::lround(std::pow(double(actors), share))));
      step = last % actors;
    }
    return steps;
  }

  Status FindPartners() {
    partner_.resize(out_.ends.size());
    for (size_t c = 0; c < classes_.count; ++c) {
      const size_t first = first_actor_[c];
      const Stream& stream = from_.StreamOf(out_.actors[first].rank);
      const auto steps = StepsOf(stream, first_actor_[c + 1] - first);
      for (size_t a = first; a < first_actor_[c + 1]; ++a) {
        for (size_t e = 0; e < stream.ends.size(); ++e) {
          if (!FindPartner(c, a, e, stream.ends[e], steps)) {
            return Status::No("a message has no receive among the classes");
          }
        }
      }
    }
    return Status::Ok();
  }

  bool FindPartner(size_t c, size_t a, size_t e, const End& end,
                   const std::map<int64_t, size_t>& steps) {
    const Actor& actor = out_.actors[a];
    const int64_t peer = from_.PeerOf(actor.rank, end);
    if (peer < 0) return false;
    const size_t other = classes_.of_rank[size_t(peer)];
    const size_t i = a - first_actor_[c];
    const size_t mine = first_actor_[c + 1] - first_actor_[c];
    const size_t theirs = first_actor_[other + 1] - first_actor_[other];
    size_t j = i * theirs / mine;
    if (other == c && end.relative) {
      const size_t step = steps.at(std::abs(end.peer));
      j = (end.peer < 0 ? i + mine - step : i + step) % mine;
    } else if (other == c) {
      j = i;
    }
    const std::vector<End>& ends = from_.StreamOf(peer).ends;
    for (size_t f = 0; f < ends.size(); ++f) {
      if (ends[f].sends != end.sends && ends[f].tag == end.tag &&
          ends[f].comm == end.comm &&
          from_.PeerOf(peer, ends[f]) == int64_t(actor.rank)) {
        partner_[actor.first_end + e] =
            uint32_t(out_.actors[first_actor_[other] + j].first_end + f);
        return true;
      }
    }
    return false;
  }

  // Two ends that look at each other have one channel.
  void AddChannels() {
    constexpr uint32_t kNone = UINT32_MAX;
    std::vector<Program::End>& ends = out_.ends;
    for (Program::End& end : ends) end.channel = kNone;
    std::vector<std::vector<uint32_t>> heard(ends.size());
    for (size_t x = 0; x < ends.size(); ++x) {
      if (ends[x].channel != kNone) continue;
      ends[x].channel = uint32_t(out_.class_channels++);
      const uint32_t y = partner_[x];
      if (partner_[y] == x) {
        ends[y].channel = ends[x].channel;
      } else {
        heard[y].push_back(ends[x].channel);
      }
    }
    for (size_t x = 0; x < ends.size(); ++x) {
      ends[x].heard = uint32_t(out_.heard_on.size());
      out_.heard_on.insert(out_.heard_on.end(), heard[x].begin(),
                           heard[x].end());
      ends[x].heard_end = uint32_t(out_.heard_on.size());
    }
  }

  const RankClasses& from_;
  const RankClassing& classes_;
  const bool samples_;
  Program out_;
  std::vector<uint32_t> members_;    // class by class
  std::vector<size_t> begin_;        // by class, into members_
  std::vector<size_t> first_actor_;  // by class, and the end
  std::vector<uint32_t> partner_;    // by end
};

double RankClasses::Operations(const RankClassing& classes) const {
  double sum = 0;
  for (const Extent& e : ExtentsOf(classes)) {
    const Stream& stream = StreamOf(e.first);
    sum += double(stream.end - stream.begin);
  }
  return sum;
}

Result<Program> RankClasses::Within(int rounds, bool samples,
                                    Depth* depth) const {
  RankClassing classes = base_;
  *depth = {};
  while (depth->rounds < rounds && !depth->exact) {
    RankClassing finer = classes;
    if (!Refine(&finer)) return Status::No("a partner is no rank");
    depth->exact = finer.count == classes.count;
    if (finer.count > kMostClasses) break;
    if (depth->rounds >= kLeastRounds && Operations(finer) > kOperations) break;
    classes = std::move(finer);
    ++depth->rounds;
  }
  return Builder(*this, classes, samples).Build();
}

}  // namespace ranksight::online_model
