#include "adapters/c_mpi/graph_edges.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "reduction/api/graph_edges.h"

namespace ranksight::adapters::c_mpi {
namespace {

// Marks by the order in which they turn up: a hash is long.
class ShortMarks {
 public:
  std::string ListText(const std::vector<uint64_t>& marks) {
    std::string text = fmt::format("{},", marks.size());
    for (const uint64_t mark : marks) {
      const auto known = numbers_.try_emplace(mark, numbers_.size()).first;
      text += fmt::format(" {},", known->second);
    }
    return text;
  }

 private:
  std::map<uint64_t, size_t> numbers_;
};

bool Differ(const std::vector<uint64_t>& marks) {
  return std::adjacent_find(marks.begin(), marks.end(),
                            std::not_equal_to<>()) != marks.end();
}

}  // namespace

reduction::Result<std::string> GraphEdgesText(const reduction::Trace& trace,
                                              const GenerateOptions& options) {
  ShortMarks marks;
  std::string text;
  bool any_differ = false;
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    const reduction::GraphEdges edges(trace, rank);
    for (const auto& [comm, of] : edges.all()) {
      any_differ |= Differ(of.in);
      text += fmt::format("    {}, {}, {} {}\n", rank, comm,
                          marks.ListText(of.out), marks.ListText(of.in));
    }
  }
  // Neighbours that are all alike need not be known again: any order of them
  // does the same.
  if (!any_differ) return std::string();
  if (options.laws) {
    return reduction::Status::No(
        "MPI_Dist_graph_create with other amounts along each edge has no form "
        "in C for any number of ranks");
  }
  return text;
}

}  // namespace ranksight::adapters::c_mpi
