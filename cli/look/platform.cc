#include "cli/look/platform.h"

#include <fmt/core.h>

namespace ranksight::cli {

using reduction::Status;

reduction::Result<std::string> PlatformOf(const bgq_support::Machine& machine) {
  // SimGrid counts the first dimension fastest, and wants at least two nodes
  // in each.
  std::string shape;
  const auto& dimensions = machine.torus.dimensions();
  for (size_t i = dimensions.size(); i-- > 0;) {
    const bgq_support::Dimension& d = dimensions[i];
    if (d.length == 1) continue;
    // A line of two is a ring of two.
    if (!d.wraps && d.length > 2) {
      return Status::Usage(
          "SimGrid's torus wraps in every dimension, this one (" +
          machine.torus.ToString() + ") does not; give --platform");
    }
    if (!shape.empty()) shape += ',';
    shape += std::to_string(d.length);
  }
  if (shape.empty()) shape = "1";
  return fmt::format(
      "<?xml version='1.0'?>\n"
      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<!-- {} {} -->\n"
      "<platform version=\"4.1\">\n"
      "  <cluster id=\"torus\" prefix=\"n\" suffix=\"\" radical=\"0-{}\" "
      "speed=\"1Gf\"\n"
      "           bw=\"{:.0f}Bps\" lat=\"{:.0f}ns\" topology=\"TORUS\" "
      "topo_parameters=\"{}\"\n"
      "           sharing_policy=\"SPLITDUPLEX\" loopback_bw=\"{:.0f}Bps\" "
      "loopback_lat=\"{:.0f}ns\"/>\n"
      "</platform>\n",
      machine.kind, machine.torus.ToString(), machine.torus.nodes() - 1,
      machine.bandwidth, machine.hop_latency_s * 1e9, shape,
      machine.bandwidth * 5, machine.hop_latency_s * 1e9);
}

std::string HostFileOf(const bgq_support::Mapping& mapping) {
  std::string text;
  for (const bgq_support::Place& place : mapping.places()) {
    text += "n" + std::to_string(place.node) + "\n";
  }
  return text;
}

}  // namespace ranksight::cli
