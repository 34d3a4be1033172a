#include <map>
#include <string>
#include <utility>

#include "online_model/synthesize/node_law.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;
using reduction::Param;
using reduction::Result;
using reduction::Section;
using reduction::Status;

using PerRank = std::vector<uint64_t>;

Status AddParams(const NodeLaw& law, const Grid& grid, const PerRank& runs,
                 Node* node) {
  const auto params = reduction::Info(node->call).params;
  node->params.resize(params.size());
  for (int64_t r = 0; r < grid.ranks(); ++r) {
    if (runs[size_t(r)] == 0) continue;
    const Context here(grid, r);
    std::map<Param, uint64_t> totals;
    for (size_t i = 0; i < params.size(); ++i) {
      if (law.absent[i]) continue;
      uint64_t count = runs[size_t(r)];
      if (reduction::IsArray(params[i])) {
        count = totals[reduction::LengthOf(params[i])];
      }
      if (count == 0) continue;
      const Section values = Repeat(law.params[i].At(here), count);
      if (values.size() != count) {
        return Status::No("the law of " +
                          std::string(reduction::ParamName(params[i])) +
                          " gives no value on rank " + std::to_string(r));
      }
      if (values.Min() == kNotWhole) {
        return Status::No("the law of " +
                          std::string(reduction::ParamName(params[i])) +
                          " gives no whole number on rank " +
                          std::to_string(r) + ": " + law.params[i].ToString());
      }
      totals[params[i]] = uint64_t(values.Sum());
      node->params[i].Add(r, values, reduction::IsRank(params[i]));
    }
  }
  return Status::Ok();
}

Status AddChildren(const NodeLaw& law, const Node& like, const Grid& grid,
                   const PerRank& iterations, Node* node) {
  for (size_t c = 0; c < like.children.size(); ++c) {
    const Node& model = like.children[c];
    const NodeLaw& child_law = law.children[c];
    Node child;
    child.kind = model.kind;
    child.call = model.call;
    child.site = model.site;
    PerRank runs(iterations.size(), 0);
    for (int64_t r = 0; r < grid.ranks(); ++r) {
      if (iterations[size_t(r)] == 0) continue;
      const Section trips =
          Repeat(child_law.trips.At(Context(grid, r)), iterations[size_t(r)]);
      if (trips.empty() || trips.Min() < 0) {
        return Status::No("a trip count comes out negative on rank " +
                          std::to_string(r));
      }
      runs[size_t(r)] = uint64_t(trips.Sum());
      if (runs[size_t(r)] > 0) child.trips.Add(r, trips, false);
    }
    if (child.trips.empty()) continue;
    if (child.is_event()) {
      const Status s = AddParams(child_law, grid, runs, &child);
      if (!s.ok()) return s;
    } else {
      const Status s = AddChildren(child_law, model, grid, runs, &child);
      if (!s.ok()) return s;
    }
    if (child.is_event() || !child.children.empty()) {
      node->children.push_back(std::move(child));
    }
  }
  return Status::Ok();
}

}  // namespace

Result<Node> Instantiate(const NodeLaw& law, const Node& like,
                         const Grid& grid) {
  Node root;
  const Status s =
      AddChildren(law, like, grid, PerRank(size_t(grid.ranks()), 1), &root);
  if (!s.ok()) return s;
  return root;
}

void DescribeLaws(const NodeLaw& law, const Node& like,
                  const reduction::Sites& sites,
                  std::vector<std::string>* lines) {
  for (size_t c = 0; c < like.children.size(); ++c) {
    const Node& node = like.children[c];
    const NodeLaw& node_law = law.children[c];
    const std::string name =
        node.is_event() ? std::string(reduction::Info(node.call).name) +
                              " at " + reduction::ToString(sites, node.site, 1)
                        : "loop";
    lines->push_back(name + ": trips = " + node_law.trips.ToString());
    for (size_t i = 0; i < node_law.params.size(); ++i) {
      if (node_law.absent[i]) continue;
      const Param p = reduction::Info(node.call).params[i];
      lines->push_back(name + ": " + std::string(reduction::ParamName(p)) +
                       " = " + node_law.params[i].ToString());
    }
    DescribeLaws(node_law, node, sites, lines);
  }
}

}  // namespace ranksight::online_model
