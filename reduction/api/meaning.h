// MeaningWalk: what one rank did, whatever calls it completed requests with.
// Completions behind one another are one step, which says which operations they
// completed together: a wait for all, one for each in turn, and tests until all
// are done mean the same. A completion that completes nothing is no step.
//
// Complexity: O(1) a call plus its requests.
// Thread-safety: one walk, one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reduction/api/rank_walk.h"

namespace ranksight::reduction {

class MeaningWalk {
 public:
  static Result<MeaningWalk> Open(const Trace& trace, int64_t rank);
  // False at the end or on an error: see status().
  bool Next();
  const Status& status() const { return walk_.status(); }

  // The canonical text of the call; of completions, of the first.
  const std::string& text() const { return text_; }
  // Which call of the rank it is, from 1; of completions, the first.
  uint64_t position() const { return position_; }
  bool completes() const { return completes_; }
  // Numbers of the requests that were completed, ascending (Request::number).
  const std::vector<int64_t>& completed() const { return completed_; }
  // Whether some of them were completed because they happened to come first.
  bool is_by_chance() const { return is_by_chance_; }
  // Requests that are under way after it.
  int64_t open() const { return open_; }

 private:
  explicit MeaningWalk(RankWalk walk) : walk_(std::move(walk)) {}
  bool Advance();
  void TakeCompletions();

  RankWalk walk_;
  bool has_call_ = false;  // the walk's call is not taken yet
  uint64_t calls_ = 0, position_ = 0;
  std::string text_;
  bool completes_ = false, is_by_chance_ = false;
  std::vector<int64_t> completed_;
  int64_t open_ = 0;
};

// Where two ranks' meanings differ first.
struct MeaningDifference {
  uint64_t position_a = 0, position_b = 0;  // 0: no more calls
  std::string text_a, text_b;
};
// Whether they mean the same; else *difference says where not. Which requests a
// rank completed is compared but where it is by chance in one of them, and from
// there on until nothing is under way: then only how many.
bool SameMeaning(MeaningWalk* a, MeaningWalk* b, MeaningDifference* difference);

}  // namespace ranksight::reduction
