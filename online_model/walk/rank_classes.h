// RankClasses: walks where ranks that do the same at the same time are one.
//
// Ranks are of one class where they make the same calls (call_keys.h) with
// ranks of the same classes, so far as that is looked at: one round tells ranks
// apart by whom they talk to, the next by whom those talk to (colour
// refinement; Weisfeiler, Leman, 1968). In a grid with open edges classes are
// then places near a corner or an edge, and all farther in are one. A class is
// walked as one actor, or, where work differs from rank to rank by chance, as
// some of its ranks, which look at as many of the others as a rank does.
//
// What is looked at as far as it goes is exact, but for chance. Else two walks,
// one of which looks half as far, say how much it matters.
//
// Thread-safety: immutable once made. Complexity: O(ranks x (parameters +
// ends x rounds)), and the calls of a rank of each class.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "online_model/walk/call_keys.h"
#include "online_model/walk/program.h"

namespace ranksight::online_model {

class RankClasses {
 public:
  // kNo where there are no classes to speak of, or where they do not say who
  // receives what: receives from any source, collectives of some of the ranks,
  // partners by no offset and by no number that all of the class have.
  static reduction::Result<RankClasses> Find(
      const reduction::Trace& trace, uint32_t events,
      const std::function<uint32_t(const reduction::Node&)>& event_of,
      ContextTable* contexts);

  // How far it was looked, and whether looking farther tells no more ranks
  // apart.
  struct Depth {
    int rounds = 0;
    bool exact = false;
  };
  // So many rounds, or as many as can be walked quickly, but two. samples: of
  // each class several ranks, as many altogether as are walked as quickly.
  reduction::Result<Program> Within(int rounds, bool samples,
                                    Depth* depth) const;

 private:
  // An end of a channel, as a rank of a class has it.
  struct End {
    bool sends = false, relative = true;
    int64_t peer = 0;  // less the own rank where relative
    uint32_t tag = 0;
    int64_t comm = 0;
  };
  struct Stream {
    size_t begin = 0, end = 0;  // operations
    uint32_t slots = 0;
    std::vector<End> ends;
  };
  class Builder;

  RankClasses() = default;
  reduction::Status AddStreams(Program* firsts, const Program& lasts);
  // *places: by operation of the actor, the number of the end that it names.
  static reduction::Status MakeStream(const Program& program,
                                      const Actor& actor, Stream* out,
                                      std::vector<uint32_t>* places);
  static reduction::Status CompareEnds(const Stream& other, int64_t from,
                                       int64_t to, Stream* stream);
  // -1 where there is none.
  int64_t PeerOf(int64_t rank, const End& end) const {
    const int64_t peer = end.relative ? rank + end.peer : end.peer;
    return peer < program_.ranks ? peer : -1;
  }
  const Stream& StreamOf(int64_t rank) const {
    return streams_[base_.of_rank[size_t(rank)]];
  }
  // False where there is no such rank.
  bool Refine(RankClassing* classes) const;
  // Of one rank of each class.
  double Operations(const RankClassing& classes) const;

  Program program_;  // without actors; places are numbers of ends
  RankClassing base_;
  std::vector<Stream> streams_;  // by class of base_
};

}  // namespace ranksight::online_model
