#include <algorithm>
#include <cmath>

#include "online_model/walk/rooted.h"
#include "online_model/walk/rounds.h"
#include "online_model/walk/walker.h"

namespace ranksight::online_model {

void Walker::Join(uint32_t r, const Operation& op) {
  Rank& rank = ranks_[r];
  rank.slots[op.slot] = {};
  auto& joined = joined_[op.place];
  if (joined.empty()) joined.resize(ranks_.size());
  auto& list = gatherings_[op.place];
  const size_t k = joined[r]++;
  // The k-th call of this rank on the communicator; those that all have made
  // are dropped from the front.
  const size_t gone = gone_[op.place];
  while (list.size() <= k - gone) list.emplace_back();
  Gathering& g = list[k - gone];
  ++g.arrived;
  const bool is_waited_for = !op.is_root || !IsUp(op.form);
  if (is_waited_for) {
    g.first = std::min(g.first, rank.clock);
    g.last = std::max(g.last, rank.clock);
  }
  g.bytes = std::max(g.bytes, net_.bytes_scale * op.bytes);
  if (op.is_root) g.root = rank.clock;
  g.waiting.push_back({r, op.slot, rank.clock, op.is_root});
  if (program_.ByClasses() && is_waited_for) {
    g.came.emplace_back(rank.clock, r);
  }
  if (!InRounds(net_.links.get(), op.form,
                size_t(program_.comm_size[op.place]))) {
    Settle(&g, op);
  } else if (g.arrived == program_.Arrivals(op.place)) {
    SettleInRounds(&g, op.form);
  }
  while (!list.empty() && list.front().arrived == program_.Arrivals(op.place)) {
    list.pop_front();
    ++gone_[op.place];
  }
}

Walker::Taken Walker::TakenBy(const Gathering& g, const Operation& op) const {
  const double members = double(program_.comm_size[op.place]);
  const double each = LengthOf(op.form, members, g.bytes);
  Taken t;
  t.all = net_.CostOf(op.form, members, g.bytes);
  t.one = net_.CostOf(op.form, 2, g.bytes / members);
  t.post = net_.overhead * net_.machine.Message(0);
  t.posts = std::ceil(std::log2(members)) * t.post;
  t.coming_in = (members - 1) * net_.BusyWith(each);
  t.holds = each > net_.eager_limit;
  return t;
}

void Walker::Settle(Gathering* g, const Operation& op) {
  const bool all = g->arrived == program_.Arrivals(op.place);
  const bool down = IsDown(op.form), up = IsUp(op.form);
  // Else nobody goes on, and whoever waits need not be looked at.
  if (!up && !all && !(down && g->root != kPending)) return;
  const Taken taken = TakenBy(*g, op);
  if (all && program_.ByClasses()) g->last = LastOf(*g);
  std::erase_if(g->waiting, [&](const Gathering::Member& m) {
    double ready = kPending;
    if (down && g->root != kPending) {
      ready = m.is_root ? m.time + AtRootOf(op.form, taken)
                        : std::max(m.time, g->root + taken.all);
    } else if (up && !m.is_root) {
      // Short messages hold nobody: who sends one goes on.
      ready = m.time + (taken.holds ? taken.one : taken.post);
    } else if (up && all && !taken.holds) {
      ready = std::max(m.time + taken.posts, CameIn(*g, op.form, taken));
    } else if (!down && all) {
      ready = std::max(m.time, g->last) + taken.all;
    }
    if (ready == kPending) return false;
    ranks_[m.rank].slots[m.slot].ready = ready;
    Tell(m.rank);
    return true;
  });
}

double Walker::AtRootOf(CollectiveForm form, const Taken& taken) {
  if (!taken.holds) return std::min(taken.posts, taken.one);
  return form == CollectiveForm::kFanOut ? taken.all : taken.one;
}

double Walker::CameIn(const Gathering& g, CollectiveForm form,
                      const Taken& taken) {
  if (form == CollectiveForm::kTreeUp) return g.last + taken.all;
  const double way = std::max(0.0, taken.all - taken.coming_in);
  return std::max(g.last, g.first + taken.coming_in) + way;
}

double Walker::LastOf(const Gathering& g) {
  highest_.Clear();
  for (const Turn& came : g.came) AddTime(came.second, came.first);
  for (const Gathering::Member& m : g.waiting) {
    Rank& rank = ranks_[m.rank];
    rank.between = rank.within = rank.fourth = 0;
  }
  return std::max(g.last, highest_.Last());
}

void Walker::SettleInRounds(Gathering* g, CollectiveForm form) {
  std::ranges::sort(g->waiting, {}, &Gathering::Member::rank);
  members_.clear();
  for (const Gathering::Member& m : g->waiting) {
    members_.push_back({m.rank, m.time});
  }
  WalkRounds(net_, form, g->bytes, &traffic_, &members_);
  for (size_t i = 0; i < members_.size(); ++i) {
    ranks_[members_[i].rank].slots[g->waiting[i].slot].ready =
        members_[i].clock;
    Tell(members_[i].rank);
  }
  g->waiting.clear();
}
}  // namespace ranksight::online_model
