#include "reduction/api/check.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reduction/codec/piece_check.h"
#include "reduction/section/term.h"

namespace ranksight::reduction {
namespace {

// Parameters of more ranks are not looked through for one that stands in two
// pieces: all ranks are listed for that.
constexpr uint64_t kMostRanksListed = uint64_t{1} << 20;

Status BrokenBy(const std::string& what) { return Status::Internal(what); }

Status CheckTerms(std::span<const Term> terms, int depth) {
  if (depth > Section::kMaxDepth) return BrokenBy("a section nests too deep");
  for (const Term& t : terms) {
    if (t.count < 1) return BrokenBy("a term has no values");
    if (t.body.empty()) {
      if (t.count == 1 && t.stride != 0) {
        return BrokenBy("a single value has a stride");
      }
      continue;
    }
    if (t.count < 2) return BrokenBy("a repetition comes once");
    if (t.value != 0) return BrokenBy("a repetition has a value");
    if (Status s = CheckTerms(t.body, depth + 1); !s.ok()) return s;
  }
  return Status::Ok();
}

// Whether no rank stands in two pieces. Each piece's own are ascending.
bool HasRanksOnce(const ParameterPieces& pieces) {
  uint64_t count = 0;
  for (const ParameterPiece& piece : pieces) count += piece.ranks.size();
  if (pieces.size() < 2 || count > kMostRanksListed) return true;
  std::vector<int64_t> ranks;
  for (const ParameterPiece& piece : pieces) {
    const std::vector<int64_t> some = piece.ranks.Expand();
    ranks.insert(ranks.end(), some.begin(), some.end());
  }
  std::sort(ranks.begin(), ranks.end());
  return std::adjacent_find(ranks.begin(), ranks.end()) == ranks.end();
}

Status CheckPieces(const ParameterPieces& pieces) {
  for (const ParameterPiece& piece : pieces) {
    if (Status s = Check(piece.ranks); !s.ok()) return s;
    for (const Column& column : piece.columns) {
      if (Status s = Check(column.values); !s.ok()) return s;
    }
  }
  // What decoders ask, too: nesting, lengths, and counts of one or more.
  Parameter same;
  if (!Parameter::FromPieces(pieces, &same)) {
    return BrokenBy("a piece is no piece of a parameter");
  }
  for (const ParameterPiece& piece : pieces) {
    if (!IsInRange(piece)) return BrokenBy("values need more than 62 bits");
  }
  if (!HasRanksOnce(pieces)) return BrokenBy("a rank stands in two pieces");
  return Status::Ok();
}

// Of a node's parameter: it holds, and has ranks of the run only.
Status CheckIn(const Trace& trace, const Parameter& parameter) {
  if (Status s = Check(parameter); !s.ok()) return s;
  for (const ParameterPiece& piece : parameter.pieces()) {
    if (piece.ranks.Max() >= trace.meta.ranks) {
      return BrokenBy("a rank is none of the run");
    }
  }
  return Status::Ok();
}

Status CheckEvent(const Trace& trace, const Node& node) {
  if (!node.children.empty()) return BrokenBy("an event has children");
  if (node.site >= trace.sites.sites.size()) {
    return BrokenBy("an event has a site that is not there");
  }
  const CallInfo* info = FindCall(static_cast<uint16_t>(node.call));
  if (info == nullptr || node.params.size() != info->params.size()) {
    return BrokenBy("an event has other parameters than its call");
  }
  for (const Parameter& parameter : node.params) {
    if (Status s = CheckIn(trace, parameter); !s.ok()) return s;
  }
  return Status::Ok();
}

Status CheckNode(const Trace& trace, const Node& node) {
  if (Status s = CheckIn(trace, node.trips); !s.ok()) return s;
  if (node.is_event()) return CheckEvent(trace, node);
  if (node.children.empty()) return BrokenBy("a loop has nothing in it");
  if (!node.params.empty() || !(node.times == EventTimes())) {
    return BrokenBy("a loop has what events have");
  }
  for (const Node& child : node.children) {
    if (Status s = CheckNode(trace, child); !s.ok()) return s;
  }
  return Status::Ok();
}

}  // namespace

Status Check(const Section& section) {
  if (Status s = CheckTerms(section.terms(), 1); !s.ok()) return s;
  if (TermsSize(section.terms()) != section.size()) {
    return BrokenBy("a section has another size than its terms");
  }
  return Status::Ok();
}

Status Check(const Parameter& parameter) {
  if (parameter.distribution() != nullptr && !parameter.pieces().empty()) {
    return BrokenBy("a parameter has sequences and a distribution");
  }
  return CheckPieces(parameter.pieces());
}

Status Check(const Trace& trace) {
  if (trace.root.is_event()) return BrokenBy("the root is an event");
  if (!trace.root.trips.empty()) return BrokenBy("the root has trips");
  // The root alone may be empty.
  for (const Node& child : trace.root.children) {
    if (Status s = CheckNode(trace, child); !s.ok()) return s;
  }
  return Status::Ok();
}

Status Check(const Folder& folder) { return Check(folder.Snapshot(0, 1)); }

}  // namespace ranksight::reduction
