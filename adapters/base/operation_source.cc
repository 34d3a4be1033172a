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
  // Most traces say so by their structure, and are walked once less.
  if (!ReceivesMayDiffer(trace)) {
    return std::unique_ptr<const OperationSource>(std::move(source));
  }
  auto sizes = ReceivedSizes::Find(
      source->ranks(),
      [&](int64_t rank, OperationSink* sink, Conversion* conversion) {
        return source->WriteWith(rank, nullptr, sink, conversion);
      });
  if (!sizes.ok()) return sizes.status();
  source->sizes_ = std::move(*sizes);
  return std::unique_ptr<const OperationSource>(std::move(source));
}

Status OperationSource::Write(int64_t rank, OperationSink* sink,
                              Conversion* conversion) const {
  if (!sizes_) return WriteWith(rank, nullptr, sink, conversion);
  ReceivedSizes::Reader reader(*sizes_, rank);
  return WriteWith(
      rank,
      [&](int64_t from, int64_t tag, int64_t asked) {
        return reader.Next(from, tag, asked);
      },
      sink, conversion);
}

Status OperationSource::WriteWith(int64_t rank,
                                  OperationGraph::SizeOfReceive sizes,
                                  OperationSink* sink,
                                  Conversion* conversion) const {
  auto walk = reduction::RankWalk::OpenAhead(trace_, rank);
  if (!walk.ok()) return walk.status();
  OperationGraph graph(comms_, *tags_, rank, farthest_request_, sink,
                       std::move(sizes), conversion);
  while (walk->Next()) graph.Add(*walk);
  return walk->status();
}

}  // namespace ranksight::adapters
