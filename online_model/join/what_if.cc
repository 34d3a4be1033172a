#include "online_model/api/what_if.h"

#include <fmt/format.h>

#include "online_model/join/joiner.h"

namespace ranksight::online_model {

using reduction::Result;
using reduction::Status;
using reduction::Trace;

std::string ToText(const WhatIf& what_if) {
  std::vector<std::string> changes;
  if (what_if.compute_scale != 1) {
    changes.push_back(fmt::format("computation x{}", what_if.compute_scale));
  }
  for (const reduction::SiteScale& scale : what_if.site_scales) {
    changes.push_back(
        fmt::format("before calls at {} x{}", scale.text, scale.factor));
  }
  if (what_if.bytes_scale != 1) {
    changes.push_back(fmt::format("messages x{}", what_if.bytes_scale));
  }
  if (what_if.links != nullptr) changes.emplace_back("another network");
  return fmt::format("{}", fmt::join(changes, ", "));
}

Status Joiner::Suppose(const WhatIf& what_if) {
  if (what_if.links != nullptr && options_.links == nullptr &&
      !options_.network) {
    return Status::Usage(
        "another network needs that of the runs, by --torus, --topology or "
        "--tree, or by its name, --network");
  }
  std::map<uint32_t, double> factors;
  for (const reduction::SiteScale& scale : what_if.site_scales) {
    auto events = EventsAt(scale);
    if (!events.ok()) return events.status();
    for (const uint32_t event : *events) {
      factors.try_emplace(event, 1).first->second *= scale.factor;
    }
  }
  there_ = Elsewhere();
  there_.machine = options_.machine.value_or(MachineRatios());
  there_.bytes_scale = what_if.bytes_scale;
  there_.links = what_if.links;
  there_.compute_scale = what_if.compute_scale;
  there_.compute_of_event = std::move(factors);
  // Drawn and walked elsewhere.
  held_out_structure_.reset();
  too_wide_twin_.reset();
  return Status::Ok();
}

Result<std::set<uint32_t>> Joiner::EventsAt(const reduction::SiteScale& scale) {
  // Whether its text is in a call path is seen by a factor other than 1.
  const reduction::SiteScale marked{scale.text, 0};
  std::set<uint32_t> events;
  Status none = Status::Usage("there is no run");
  for (const auto& [ranks, trace] : first_) {
    const auto marks = reduction::FactorsOf({&marked, 1}, trace->sites);
    if (!marks.ok()) none = marks.status();
    if (!marks.ok()) continue;
    reduction::ForEachEvent(trace->root, [&](const reduction::Node& node) {
      if ((*marks)[node.site] == 0)
        events.insert(costs_.NumberOf(*trace, node));
    });
  }
  if (events.empty()) return none;
  return events;
}

double Elsewhere::ScaleOf(uint32_t event) const {
  const auto own = compute_of_event.find(event);
  return compute_scale * (own == compute_of_event.end() ? 1 : own->second);
}

Costs Elsewhere::Of(Costs costs, const ContextTable& contexts) const {
  costs = Slower(std::move(costs), machine.compute);
  if (compute_scale == 1 && compute_of_event.empty()) return costs;
  for (std::vector<double>& of_context : costs.compute) {
    for (size_t c = 0; c < of_context.size(); ++c) {
      of_context[c] *= ScaleOf(contexts.contexts()[c].event);
    }
  }
  return costs;
}

}  // namespace ranksight::online_model
