#include "adapters/report/rows.h"

#include <algorithm>
#include <unordered_map>

#include "reduction/api/cursor.h"
#include "reduction/api/shown_text.h"

namespace ranksight::adapters::report {
namespace {

Row RowOf(const reduction::Trace& trace, const reduction::Node& node) {
  const reduction::EventTimes& t = node.times;
  Row row;
  row.call = reduction::Info(node.call).name;
  row.number = node.site;
  row.site = reduction::ShownName(reduction::ToString(trace.sites, node.site));
  row.call_ns = t.TotalCall();
  row.compute_ns = t.TotalCompute();
  const bool rest = t.call.rest.moments().count > 0;
  row.least_ns = rest ? t.call.rest.moments().min : t.call.first.min;
  row.most_ns = std::max(t.call.first.max, t.call.rest.moments().max);
  if (t.call.first.count > 0) {
    row.least_ns = std::min(row.least_ns, t.call.first.min);
  }
  return row;
}

// 0 for what nobody knows.
int64_t Known(int64_t bytes) {
  return bytes == reduction::kNotKept ? 0 : bytes;
}

}  // namespace

reduction::Result<std::vector<Row>> Rows(const reduction::Trace& trace,
                                         Conversion* conversion) {
  std::vector<Row> rows;
  std::unordered_map<const reduction::Node*, size_t> index;
  reduction::ForEachEvent(trace.root, [&](const reduction::Node& node) {
    index[&node] = rows.size();
    rows.push_back(RowOf(trace, node));
  });
  for (int64_t rank = 0; rank < trace.meta.ranks; ++rank) {
    auto cursor = reduction::Cursor::Open(trace, rank);
    if (!cursor.ok()) return cursor.status();
    while (cursor->Next()) {
      Row& row = rows[index[&cursor->node()]];
      ++row.count;
      row.sent += Known(SendBytes(cursor->event()));
      row.received += Known(RecvBytes(cursor->event()));
      ++conversion->events;
    }
    if (!cursor->status().ok()) return cursor->status();
    conversion->Tell(rank + 1, trace.meta.ranks);
  }
  return rows;
}

}  // namespace ranksight::adapters::report
