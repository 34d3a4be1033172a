// Any hostfile (what follows the first three lines) and any words of Slurm for
// nodes, tasks and distribution (these): refused with a reason, or read as what
// is written and read as itself.
#include <algorithm>

#include "bgq_support/api/hosts.h"
#include "tests/fuzz/target.h"

namespace ranksight::fuzz {

using bgq_support::Distribution;
using bgq_support::HostForm;
using bgq_support::HostList;

std::vector<Bytes> Seeds() {
  std::vector<Bytes> seeds;
  for (const char* text :
       {"n[001-003,7],r[1-2]n[1-2]\n4(x2),2\nplane=2:block\n"
        "a:4\nb:2 binding=user:0\n",
        "node1\n16\nblock\na slots=3 max_slots=4\n# b\nb slots=1\n",
        "x[8-12]-ib\n1(x5)\ncyclic:cyclic\na\na\nb\na\n"}) {
    seeds.push_back(ToBytes(text));
  }
  return seeds;
}

void TryPlacing(const HostList& hosts, const Distribution& distribution) {
  for (const int64_t ranks : {1, 3, 17}) {
    std::string reason;
    const auto mapping =
        bgq_support::PlaceOnHosts(hosts, ranks, distribution, &reason);
    if (!mapping) {
      RequireReason(reason);
      continue;
    }
    Require(mapping->ranks() == ranks);
    for (const HostForm form : {HostForm::kList, HostForm::kHydra}) {
      const std::string text = bgq_support::WriteHosts(hosts, *mapping, form);
      const auto again = bgq_support::ReadHostFile(text, &reason);
      Require(again && again->slots() == ranks);
      const auto same =
          bgq_support::PlaceOnHosts(*again, ranks, Distribution(), &reason);
      Require(same && bgq_support::WriteHosts(*again, *same, form) == text);
    }
  }
}

// Whether Slurm's words may stand for so many names, up to a million, that they
// take the time of a thousand other inputs: by the digits of the longest number
// in each pair of brackets. Longer numbers are refused unread.
bool MayBeLong(std::string_view words) {
  size_t all = 0, longest = 0, digits = 0;
  for (const char c : words) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (c == '[' || c == '(') {
      all += longest;
      longest = 0;
    }
    longest = std::max(longest, digits);
  }
  return all + longest > 5 && longest < 10;
}

std::string_view TakeLine(std::string_view* text) {
  const size_t end = std::min(text->find('\n'), text->size());
  const std::string_view line = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  return line;
}

}  // namespace ranksight::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ranksight;
  std::string_view text = fuzz::AsText(data, size);
  std::string reason;
  const std::string_view node_list = fuzz::TakeLine(&text);
  const std::string_view task_counts = fuzz::TakeLine(&text);
  if (fuzz::MayBeLong(node_list) || fuzz::MayBeLong(task_counts)) return 0;
  const auto nodes = bgq_support::ExpandNodeList(node_list, &reason);
  if (!nodes) fuzz::RequireReason(reason);
  const auto tasks = bgq_support::ExpandTaskCounts(task_counts, &reason);
  if (!tasks) fuzz::RequireReason(reason);
  const auto distribution =
      bgq_support::Distribution::Parse(fuzz::TakeLine(&text), &reason);
  if (!distribution) fuzz::RequireReason(reason);
  (void)bgq_support::HostShape::Parse(text);
  if (!bgq_support::ReadSlurmHostFile(text, &reason)) {
    fuzz::RequireReason(reason);
  }
  const auto hosts = bgq_support::ReadHostFile(text, &reason);
  if (!hosts) {
    fuzz::RequireReason(reason);
    return 0;
  }
  fuzz::Require(!hosts->names.empty() && hosts->slots() > 0);
  fuzz::TryPlacing(*hosts, distribution.value_or(bgq_support::Distribution()));
  return 0;
}
