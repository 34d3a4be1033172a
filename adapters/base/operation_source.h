// OperationSource: a trace for writers of schedules, who take it rank by rank.
// Receives are as long as what they get, where that is known.
// Memory: the communicators and tags of the trace, and ReceivedSizes.
// Thread-safety: immutable once found; several ranks may be written at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "adapters/base/message_tags.h"
#include "adapters/base/operation_graph.h"
#include "adapters/base/received_sizes.h"
#include "reduction/api/communicators.h"
#include "reduction/api/status.h"
#include "reduction/api/trace.h"

namespace ranksight::adapters {

class OperationSource {
 public:
  // The trace must outlive it. kNo as of Communicators and MessageTags.
  static reduction::Result<std::unique_ptr<const OperationSource>> Find(
      const reduction::Trace& trace);

  // All operations of the rank.
  reduction::Status Write(int64_t rank, OperationSink* sink,
                          Conversion* conversion) const;

  int64_t ranks() const { return trace_.meta.ranks; }
  const reduction::Communicators& comms() const { return comms_; }

 private:
  OperationSource(const reduction::Trace& trace,
                  reduction::Communicators comms);
  reduction::Status WriteWith(int64_t rank, OperationGraph::SizeOfReceive sizes,
                              OperationSink* sink,
                              Conversion* conversion) const;
  const reduction::Trace& trace_;
  const reduction::Communicators comms_;
  std::optional<MessageTags> tags_;  // of comms_, where they are
  const uint64_t farthest_request_;
  std::optional<ReceivedSizes> sizes_;
};

}  // namespace ranksight::adapters
