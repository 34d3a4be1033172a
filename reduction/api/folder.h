// Folder: one rank's events, folded as they come.
//
// Structure comes from call paths. A call site that comes again while the
// folder stands behind it closes a loop over everything in between, so every
// (call, site) is in the tree once, however its loop was left or which
// events an iteration skipped; arguments and trip counts play no part. They
// become sections. This is the loop-nesting tree of Havlak (1997) and
// Ramalingam (1999), built from the path taken instead of a flow graph.
//
// Invariants: expanding the tree gives the events pushed, in order. The same
// events give the same tree.
// Complexity: Push is O(depth of nesting + parameters) plus what
// Section::Append costs.
// Thread-safety: one folder belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <memory>

#include "reduction/api/event.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

class Folder {
 public:
  Folder();
  ~Folder();
  Folder(Folder&&) noexcept;
  Folder& operator=(Folder&&) noexcept;

  // Registers a call site and returns its index for Event::site. Registering
  // the same frames again gives the same index. code_order must follow the
  // order of frames (used to place optional events among loops).
  uint32_t AddModule(const Module& module);
  uint32_t AddSite(const CallSite& site);

  // REQUIRES: event.Complete(), event.site from AddSite.
  void Push(const Event& event, uint64_t compute_ns, uint64_t call_ns);

  uint64_t events() const;
  // Rough bytes held.
  uint64_t memory_bytes() const;

  // The queue so far as a trace of the single rank `rank` in a world of
  // `ranks`, meta otherwise empty. The folder can go on.
  Trace Snapshot(int64_t rank, int64_t ranks) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ranksight::reduction
