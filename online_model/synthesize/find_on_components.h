// Laws that hold within the components of a program: what a coupled model's
// ocean does among its own ranks, or workers besides the rank that hands out
// tasks.
//
// How ranks are divided is seen from the communicators that the runs made;
// that the first or the last rank stands apart is tried besides. Looked at when
// asked for the first time. Thread-safety: by one thread.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "online_model/structure/component.h"
#include "online_model/structure/sequence_law.h"
#include "reduction/api/trace.h"

namespace ranksight::online_model {

class ComponentLaws {
 public:
  // certain: see FindComponents. REQUIRES: the traces outlive this.
  ComponentLaws(std::span<const reduction::Trace> traces, bool certain)
      : traces_(traces), certain_(certain) {}

  // Which component a rank is of, and how many that has, where ranks are
  // divided by communicators: what components differ in is made of these.
  const std::vector<ExpressionPtr>& Hints();
  // How many ranks the communicator has that each rank got; nothing where that
  // is the same on all ranks of each run.
  std::optional<SequenceLaw> FindSize(std::span<const RankPattern> patterns);
  // The law that gives every pattern of a parameter, or of how often a node is
  // run, for which `space` is; nothing where there is none, or no components.
  std::optional<SequenceLaw> Find(std::span<const RankPattern> patterns,
                                  const SearchSpace& space);
  // The same of what the partner that the space has gives, by components that
  // it is of.
  std::optional<SequenceLaw> FindOfPartner(
      std::span<const RankPattern> patterns, const SearchSpace& space);
  // The same of calls on a communicator of a part of the ranks, by components
  // that have communicators alone: there it is likelier than a law of the
  // world, for which all that these can be made of would be gone through.
  std::optional<SequenceLaw> FindOfOwn(std::span<const RankPattern> patterns,
                                       const SearchSpace& space);

 private:
  struct Seen {
    Components laws;
    // Components are of several sizes in some run: lines of a grid, which are
    // alike, are divided by its sides.
    bool is_no_grid = false;
    bool is_communicator = false;
    // What was searched for other components says nothing of these.
    std::shared_ptr<LawCache> cache;
    std::shared_ptr<PoolCache> pools;
  };
  void LookOnce();
  void Add(Components components, bool is_no_grid, bool is_communicator);
  // of_communicators: by components that have communicators alone.
  std::optional<SequenceLaw> FindOn(std::span<const RankPattern> patterns,
                                    const SearchSpace& space,
                                    bool of_communicators);
  const Grid& Line(int64_t ranks);
  // on_lines: the patterns as if components, or their ranks, were ranks.
  std::optional<SequenceLaw> LawOnLine(std::span<const RankPattern> on_lines,
                                       std::span<const RankPattern> patterns,
                                       const SearchSpace& space,
                                       const Seen& seen);
  std::optional<SequenceLaw> FindAcross(std::span<const RankPattern> patterns,
                                        const SearchSpace& space,
                                        const Seen& seen);
  std::optional<SequenceLaw> FindAmong(std::span<const RankPattern> patterns,
                                       const SearchSpace& space,
                                       const Seen& seen);
  std::optional<SequenceLaw> FindForEach(std::span<const RankPattern> patterns,
                                         const SearchSpace& space,
                                         const Seen& seen);

  std::span<const reduction::Trace> traces_;
  bool certain_ = false;
  bool has_looked_ = false;
  std::vector<Seen> seen_;
  std::vector<Seen> across_;  // the own component's number, and how many
  std::vector<ExpressionPtr> hints_;
  std::map<int64_t, Grid> lines_;  // by how many ranks, as contexts point there
};

}  // namespace ranksight::online_model
