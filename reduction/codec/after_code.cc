#include "reduction/codec/parts.h"

namespace ranksight::reduction {
namespace {

using Part = ComputeParts::Part;

// Any predecessor is 0, none 1, call site i is i + 2.
int64_t CodeOf(Predecessor after) {
  if (after == kAnyPredecessor) return 0;
  return after == kNoPredecessor ? 1 : int64_t{after} + 2;
}

constexpr int kCountBits = 4;
static_assert(ComputeParts::kMost < 1 << kCountBits);

}  // namespace

bool HasPredecessors(const EventTimes& t) {
  return !t.first_after.parts().empty() || !t.rest_after.parts().empty();
}

void AfterWriter::Write(const Node& event) {
  const auto& firsts = event.times.first_after.parts();
  const auto& rests = event.times.rest_after.parts();
  out_->U8(static_cast<uint8_t>(firsts.size() | rests.size() << kCountBits));
  WritePredecessors(firsts);
  WritePredecessors(rests);
  if (firsts.size() > 1) {
    for (const Part& p : firsts) WriteSpread(p.compute.first, small_, out_);
  }
  if (rests.size() > 1) {
    for (const Part& p : rests) {
      WriteSpread(p.compute.rest.moments(), small_, out_);
      WriteHistogram(p.compute.rest, small_, out_);
      WriteSpread(p.compute.ranks, small_, out_);
    }
  }
  last_site_ = event.site;
}

void AfterWriter::WritePredecessors(const std::vector<Part>& parts) {
  int64_t last = CodeOf(last_site_);
  for (const Part& p : parts) {
    out_->Signed(CodeOf(p.after) - last);
    last = CodeOf(p.after);
  }
}

void AfterReader::Read(Node* event) {
  const uint8_t counts = in_->U8();
  std::vector<Part> firsts(counts & ((1 << kCountBits) - 1));
  std::vector<Part> rests(counts >> kCountBits);
  ReadPredecessors(&firsts);
  ReadPredecessors(&rests);
  if (firsts.size() > 1) {
    for (Part& p : firsts) p.compute.first = ReadSpread(small_, in_);
  }
  if (rests.size() > 1) {
    for (Part& p : rests) {
      if (!in_->ok()) return;
      ReadHistogram(ReadSpread(small_, in_), small_, in_, &p.compute.rest);
      p.compute.ranks = ReadSpread(small_, in_);
    }
  }
  if (!in_->ok()) return;
  event->times.first_after = ComputeParts::Of(std::move(firsts));
  event->times.rest_after = ComputeParts::Of(std::move(rests));
  last_site_ = event->site;
}

void AfterReader::ReadPredecessors(std::vector<Part>* parts) {
  if (parts->size() > ComputeParts::kMost) {
    in_->Fail("too many predecessors");
    return;
  }
  int64_t code = CodeOf(last_site_);
  for (size_t i = 0; i < parts->size() && in_->ok(); ++i) {
    const int64_t before = code;
    code += in_->Signed();
    if (code < 0 || code >= static_cast<int64_t>(sites_) + 2) {
      in_->Fail("no such call site");
    } else if (parts->size() > 1 &&
               (code == 0 || (i > 0 && Of(code) <= Of(before)))) {
      in_->Fail("predecessors are out of order");
    }
    (*parts)[i].after = Of(code);
  }
}

Predecessor AfterReader::Of(int64_t code) {
  if (code == 0) return kAnyPredecessor;
  return code == 1 ? kNoPredecessor : static_cast<Predecessor>(code - 2);
}

}  // namespace ranksight::reduction
