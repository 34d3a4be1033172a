#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "reduction/api/call.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {
namespace {

// A trace holds more calls than memory does; those of which each round differs
// take about as much room as it has.
constexpr uint64_t kMostCalls = 1 << 20;

bool CompletesAsManyAsCame(Call call) {
  return call == Call::MPI_Waitsome_ || call == Call::MPI_Testsome_;
}

using Numbers = std::vector<int64_t>;

// The calls of one rank, and of what they become one for each round.
class Joiner {
 public:
  explicit Joiner(const Node& node) : params_(Info(node.call).params) {}

  // False where they cannot be told one by one.
  bool Add(const Node& node, int64_t rank) {
    const Section trips = node.trips.At(rank);
    const auto calls = uint64_t(trips.Sum());
    if (calls > kMostCalls) return false;
    values_.clear();
    for (const Parameter& p : node.params) {
      values_.push_back(p.At(rank).Expand(kMostCalls));
    }
    const Numbers* open = Of(Param::kOpenCount);
    const Numbers* requests = Of(Param::kRequests);
    if (open == nullptr || requests == nullptr || open->size() != calls) {
      return false;
    }
    Numbers counted, completed, first;
    size_t call = 0, request = 0;
    Section rounds;
    for (const int64_t trip : trips.Expand()) {
      rounds.Append(trip > 0);
      if (trip == 0) continue;
      first.push_back(int64_t(call));
      const size_t before = completed.size();
      for (const size_t end = call + size_t(trip); call < end; ++call) {
        for (int64_t k = 0; k < (*open)[call]; ++k) {
          if (request == requests->size()) return false;
          completed.push_back((*requests)[request++]);
        }
      }
      counted.push_back(int64_t(completed.size() - before));
      // The oldest first, as one call has them.
      std::sort(completed.begin() + long(before), completed.end(),
                std::greater<>());
    }
    trips_.Add(rank, rounds, false);
    joined_.resize(params_.size());
    for (size_t i = 0; i < params_.size(); ++i) {
      Section values;
      if (params_[i] == Param::kOpenCount) {
        for (const int64_t v : counted) values.Append(v);
      } else if (params_[i] == Param::kRequests) {
        for (const int64_t v : completed) values.Append(v);
      } else if (values_[i].size() == calls) {
        for (const int64_t c : first) values.Append(values_[i][size_t(c)]);
      } else if (!values_[i].empty()) {
        return false;  // a list that no completion of this version has
      }
      joined_[i].Add(rank, values, IsRank(params_[i]));
    }
    return true;
  }

  void Put(Node* node) {
    node->trips = std::move(trips_);
    node->params = {};
    for (Parameter& p : joined_) node->params.push_back(std::move(p));
  }

 private:
  const Numbers* Of(Param p) const {
    const auto at = std::find(params_.begin(), params_.end(), p);
    return at == params_.end() ? nullptr
                               : &values_[size_t(at - params_.begin())];
  }

  std::span<const Param> params_;
  std::vector<Numbers> values_;
  Parameter trips_;
  std::vector<Parameter> joined_;
};

bool IsOnceEach(const Parameter& trips) {
  for (const auto& [rank, section] : trips.ByRank()) {
    if (!section.IsConstant() || section.At(0) > 1) return false;
  }
  return true;
}

void Join(Node* node) {
  if (!CompletesAsManyAsCame(node->call) || IsOnceEach(node->trips)) return;
  Joiner joiner(*node);
  for (const auto& [rank, trips] : node->trips.ByRank()) {
    if (!joiner.Add(*node, rank)) return;
  }
  joiner.Put(node);
}

}  // namespace

void JoinArrivals(Trace* trace) {
  ForEachEvent(trace->root, [](Node& node) { Join(&node); });
}

}  // namespace ranksight::reduction
