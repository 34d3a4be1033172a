#include <algorithm>

#include "online_model/api/named_network.h"
#include "online_model/walk/message_curve.h"

namespace ranksight::online_model {
namespace {

constexpr double kUs = 1e-6, kGbPerS = 1e-9;  // a byte at 1 GB/s

// Rounded: half a ping-pong of short messages between two nodes next to each
// other, and what long ones reach. docs/shared-cores.md says where each is
// from.
const NamedNetwork kPresets[] = {
    {"shared-memory",
     0.5 * kUs,
     0.1 * kUs,
     kGbPerS / 8,
     "MPICH 4.0.2 between two cores of one socket",
     {}},
    {"10g-ethernet",
     20 * kUs,
     2 * kUs,
     kGbPerS / 1.18,
     "TCP; 10 Gb/s less the headers of frames of 1,500 bytes",
     {}},
    {"100g-ethernet",
     10 * kUs,
     2 * kUs,
     kGbPerS / 11.8,
     "TCP; 100 Gb/s less the headers of frames of 1,500 bytes",
     {}},
    {"hdr-infiniband",
     1.1 * kUs,
     0.2 * kUs,
     kGbPerS / 24,
     "200 Gb/s less coding and headers; latency as vendors and MPI libraries "
     "give it",
     {}},
    {"ndr-infiniband",
     1.0 * kUs,
     0.2 * kUs,
     kGbPerS / 48,
     "400 Gb/s less coding and headers; latency as vendors and MPI libraries "
     "give it",
     {}},
    {"slingshot",
     1.8 * kUs,
     0.3 * kUs,
     kGbPerS / 23,
     "200 Gb/s; De Sensi and others, SC 2020 (three switches at most)",
     {}},
    {"tofu-d",
     1.0 * kUs,
     0.2 * kUs,
     kGbPerS / 6.35,
     "Ajima and others, CLUSTER 2018 (a put takes 0.49 us, a link carries 93 % "
     "of 6.8 GB/s), MPI's part added",
     {}},
    {"bgq",
     2.0 * kUs,
     0.7 * kUs,
     kGbPerS / 1.8,
     "Chen and others, SC 2011 and 2012 (a link carries 90 % of 2 GB/s)",
     {}},
};

}  // namespace

std::span<const NamedNetwork> NetworkPresets() { return kPresets; }

std::string NetworkNames() {
  std::string names;
  for (const NamedNetwork& n : kPresets) {
    names += (names.empty() ? "" : ", ") + n.name;
  }
  return names;
}

reduction::Result<NamedNetwork> FindNetwork(const std::string& asked) {
  const std::string name_or_file = asked.empty() ? kDefaultNetwork : asked;
  const auto* preset =
      std::ranges::find(kPresets, name_or_file, &NamedNetwork::name);
  if (preset != std::end(kPresets)) return *preset;
  const auto times = ReadTimes(name_or_file);
  if (!times.ok()) {
    // A mistyped name and a file that is missing need other words.
    const bool is_name = name_or_file.find_first_of("./") == std::string::npos;
    if (!is_name) return times.status();
    return reduction::Status::Usage("--network '" + name_or_file +
                                    "' is no file and none of " +
                                    NetworkNames());
  }
  NamedNetwork n;
  n.name = name_or_file;
  n.source = "measured";
  n.messages = times->messages;
  const MessageCurve curve(n.messages);
  if (!curve.known()) {
    return reduction::Status::BadInput(
        name_or_file + ": fewer than two lengths of messages were measured");
  }
  n.latency = curve.latency();
  n.byte = curve.byte();
  return n;
}

}  // namespace ranksight::online_model
