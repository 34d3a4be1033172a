#include "runtime/capture/request_table.h"

#include <algorithm>
#include <utility>

namespace ranksight::runtime {

// No number, nor the request of any.
RequestTable::Live RequestTable::nothing = [] {
  Live live;
  live.single = kNone - 1;
  return live;
}();

bool RequestTable::MatchesOther(const Live& live, int64_t reference,
                                Held* held) {
  if (live.single != kNone) return false;
  if (live.persistent != kNone) {
    held->number = Below(live.persistent);
    return reference == -1 - live.persistent;
  }
  // Whose turn it is among several threads' takes a longer look.
  return !live.mixed && live.first < live.several.size() &&
         live.several[live.first].number == held->number;
}

void RequestTable::AddLast(Live* live, MadeRequest made) {
  live->has_others = true;
  if (live->several.empty()) {
    live->mixed = false;
  } else if (live->several.back().maker != made.maker) {
    live->mixed = true;
  }
  live->some_choose |= made.choice.has_value();
  live->several.push_back(std::move(made));
}

void RequestTable::AddSingleLast(Live* live) {
  if (live->single == kNone) return;
  AddLast(live, {live->single, live->maker,
                 std::exchange(live->choice, std::nullopt)});
  live->single = kNone;
}

void RequestTable::AddAnother(Live* live, Maker maker) {
  AddSingleLast(live);
  AddLast(live, {next_++, maker, std::nullopt});
}

// Its handle means no request that was known before.
void RequestTable::AddUncounted(Live* live, bool persistent) {
  live->persistent = kNone;
  if (persistent) return DropAll(live);
  if (live->single == kNone) DropChoice(&live->choice);
}

void RequestTable::Choose(MPI_Request request, const WorldRanksOfPeers& peers) {
  if (!counts_) return;
  Live& live = Find(KeyOf(request));
  if (live.single != kNone || live.persistent != kNone) {
    SetChoice(peers, &live, &live.choice);
  } else if (!live.several.empty()) {
    SetChoice(peers, &live, &live.several.back().choice);
    live.some_choose = true;
  }
}

const WorldRanksOfPeers* RequestTable::ChoiceAmong(const Live& live,
                                                   int64_t number) {
  for (size_t i = live.first; i < live.several.size(); ++i) {
    const MadeRequest& made = live.several[i];
    if (made.number == number) return made.choice ? &*made.choice : nullptr;
  }
  return nullptr;
}

void RequestTable::DropAll(Live* live) {
  DropChoice(&live->choice);
  for (MadeRequest& made : live->several) DropChoice(&made.choice);
  live->single = kNone;
  live->several.clear();
  live->first = 0;
  live->some_choose = false;
}

void RequestTable::Unclaim(const Held& held, const WorldRanksOfPeers* choice) {
  Live* live = held.live;
  if (live == nullptr || held.number < 0) return;
  if (live->single == kNone && live->several.empty()) {
    live->single = held.number;
    live->maker = held.maker;
    if (choice != nullptr) SetChoice(*choice, live, &live->choice);
    return;
  }
  AddSingleLast(live);
  MadeRequest back = {held.number, held.maker, std::nullopt};
  if (choice != nullptr) SetChoice(*choice, live, &back.choice);
  // For what it says of those behind the handle; the place is another.
  AddLast(live, back);
  live->several.pop_back();
  const auto place = std::find_if(
      live->several.begin() + long(live->first), live->several.end(),
      [&](const MadeRequest& made) { return made.number > held.number; });
  live->several.insert(place, std::move(back));
}

const RequestTable::MadeRequest& RequestTable::NextMentioned(
    Live* live, Maker maker) const {
  if (live->call != call_) live->mentions = 0;
  live->call = call_;
  const auto begin = live->several.begin() + long(live->first);
  // All are one thread's: they are taken in the order in which they were made.
  if (!live->mixed) {
    const auto left = size_t(live->several.end() - begin);
    return begin[long(std::min(live->mentions++, left - 1))];
  }
  const auto own = size_t(std::count_if(
      begin, live->several.end(),
      [maker](const MadeRequest& made) { return made.maker == maker; }));
  // The thread's own first, as the program means them; then those of others.
  size_t nth = live->mentions++;
  const bool of_own = nth < own;
  if (!of_own) nth -= own;
  for (auto it = begin; it != live->several.end(); ++it) {
    if ((it->maker == maker) == of_own && nth-- == 0) return *it;
  }
  return live->several.back();
}

void RequestTable::Erase(Live* live, int64_t number) {
  std::vector<MadeRequest>& several = live->several;
  if (live->first < several.size() && several[live->first].number == number) {
    DropChoice(&several[live->first].choice);
    ++live->first;
  } else {
    const auto it = std::find_if(
        several.begin() + long(live->first), several.end(),
        [number](const MadeRequest& made) { return made.number == number; });
    if (it != several.end()) {
      DropChoice(&it->choice);
      several.erase(it);
    }
  }
  if (live->first == several.size()) {
    several.clear();
    live->first = 0;
    live->some_choose = false;
  } else if (live->first > kSlack && 2 * live->first >= several.size()) {
    // Dropping the front once it is half of all costs O(1) for each number.
    several.erase(several.begin(), several.begin() + long(live->first));
    live->first = 0;
  }
}

void RequestTable::CountFromNow(std::span<const Held> held,
                                const MPI_Request* left,
                                std::vector<int64_t>* references) const {
  for (size_t i = 0; i < held.size(); ++i) {
    if (held[i].number < 0) continue;
    const bool is_left = left != nullptr && left[i] != MPI_REQUEST_NULL;
    (*references)[i] =
        is_left ? reduction::kRequestNull : next_ - held[i].number;
  }
}

}  // namespace ranksight::runtime
