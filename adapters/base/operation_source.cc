#include "adapters/base/operation_source.h"

#include <utility>

namespace ranksight::adapters {

using reduction::Status;

OperationSource::OperationSource(const reduction::Trace& trace,
                                 reduction::Communicators comms)
    : trace_(trace),
      comms_(std::move(comms)),
      farthest_request_(reduction::FarthestRequest(trace)) {}

reduction::Result<std::unique_ptr<const OperationSource>> OperationSource::Find(
    const reduction::Trace& trace) {
  auto comms = reduction::Communicators::Find(trace);
  if (!comms.ok()) return comms.status();
  std::unique_ptr<OperationSource> source(
      new OperationSource(trace, std::move(*comms)));
  auto tags = MessageTags::Find(trace, source->comms_);
  if (!tags.ok()) return tags.status();
  source->tags_ = std::move(*tags);
  return std::unique_ptr<const OperationSource>(std::move(source));
}

Status OperationSource::Write(int64_t rank, OperationSink* sink,
                              Conversion* conversion) const {
  auto walk = reduction::RankWalk::OpenAhead(trace_, rank);
  if (!walk.ok()) return walk.status();
  OperationGraph graph(comms_, *tags_, rank, farthest_request_, sink,
                       conversion);
  while (walk->Next()) graph.Add(*walk);
  return walk->status();
}

}  // namespace ranksight::adapters
