// The C door, what comes in bulk: runs, times, totals of call sites, messages,
// and many calls at once.
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <utility>
#include <vector>

#include "reduction/api/partners.h"
#include "reduction/api/totals.h"
#include "reduction/api/traffic.h"
#include "reduction/c_api/handles.h"
#include "reduction/event/canonical_fields.h"

namespace r = ranksight::reduction;
using ranksight::reduction::Explain;
using ranksight::reduction::In;
using ranksight::reduction::OrNull;

struct ranksight_totals {
  std::vector<ranksight_total> totals;
};

namespace {

void Fill(const r::Moments& all, const r::Moments& by_rank,
          ranksight_times* out) {
  *out = {};
  out->count = all.count;
  out->sum_ns = all.sum;
  out->min_ns = all.min;
  out->max_ns = all.max;
  if (by_rank.count == 0) return;
  out->by_rank_min_ns = by_rank.min;
  out->by_rank_mean_ns = by_rank.Mean();
  out->by_rank_max_ns = by_rank.max;
  out->by_rank_deviation_ns = std::sqrt(by_rank.Variance());
}

void Fill(const r::TimeSummary& summary, ranksight_times* out) {
  r::Moments all = summary.first;
  all.Merge(summary.rest.moments());
  Fill(all, summary.ranks, out);
}

// Of the enum ranksight_column, by CanonicalField.
constexpr ranksight_column kColumnOf[] = {
    RANKSIGHT_COLUMN_COMM,   RANKSIGHT_COLUMN_PEER,  RANKSIGHT_COLUMN_TAG,
    RANKSIGHT_COLUMN_BYTES,  RANKSIGHT_COLUMN_RPEER, RANKSIGHT_COLUMN_RTAG,
    RANKSIGHT_COLUMN_RBYTES, RANKSIGHT_COLUMN_ROOT,  RANKSIGHT_COLUMN_N};

ranksight_total ForC(const r::EventTotal& total, uint64_t pairs) {
  ranksight_total out{};
  out.call = Info(total.call).name.data();
  out.site = total.site;
  out.estimated = total.estimated ? 1 : 0;
  out.calls = total.count;
  out.sent_bytes = total.sent;
  out.posted_bytes = total.received;
  out.pairs = pairs;
  out.call_ns = total.times.TotalCall();
  out.compute_ns = total.times.TotalCompute();
  out.call_p50_ns = total.CallQuantile(0.5);
  out.call_p99_ns = total.CallQuantile(0.99);
  return out;
}

}  // namespace

extern "C" {

const char* ranksight_trace_build(const ranksight_trace* trace) {
  return trace->trace.meta.build_id.c_str();
}

const char* ranksight_trace_job(const ranksight_trace* trace) {
  return trace->trace.meta.job.c_str();
}

int64_t ranksight_trace_start_unix_ns(const ranksight_trace* trace) {
  return trace->trace.meta.start_unix_ns;
}

int ranksight_trace_shared_cores(const ranksight_trace* trace) {
  return trace->trace.meta.own_time ? 1 : 0;
}

int ranksight_trace_is_extrapolated(const ranksight_trace* trace) {
  return trace->trace.meta.origin == r::Origin::kExtrapolated ? 1 : 0;
}

const char* ranksight_trace_setting(const ranksight_trace* trace, size_t i,
                                    const char** value) {
  const auto& settings = trace->trace.meta.params;
  if (i >= settings.size()) return nullptr;
  const auto at = std::next(settings.begin(), std::ptrdiff_t(i));
  *value = at->second.c_str();
  return at->first.c_str();
}

const char* ranksight_trace_law(const ranksight_trace* trace, size_t i) {
  const auto& laws = trace->trace.meta.laws;
  return i < laws.size() ? laws[i].c_str() : nullptr;
}

void ranksight_call_times(const ranksight_node* event, ranksight_times* times) {
  Fill(In(event).times.call, times);
}

void ranksight_compute_times(const ranksight_node* event,
                             ranksight_times* times) {
  Fill(In(event).times.compute, times);
}

void ranksight_trace_elapsed(const ranksight_trace* trace,
                             ranksight_times* times) {
  Fill(trace->trace.meta.elapsed, trace->trace.meta.elapsed, times);
}

void ranksight_trace_memory(const ranksight_trace* trace,
                            ranksight_memory* memory) {
  const r::RunMemory& m = trace->trace.meta.memory;
  *memory = {m.peak.count,    m.unknown,      m.peak.min,   m.peak.Mean(),
             m.peak.max,      m.start.Mean(), m.end.Mean(), m.files.Mean(),
             m.shared.Mean(), m.own.Mean()};
}

double ranksight_call_quantile_ns(const ranksight_node* event, double q) {
  r::EventTotal total;
  total.times = In(event).times;
  return total.CallQuantile(q);
}

ranksight_totals* ranksight_totals_open(const ranksight_trace* trace,
                                        char* error, size_t error_size) {
  try {
    const auto totals = r::TotalsBySite(trace->trace);
    if (!totals.ok()) {
      Explain(totals.status().message(), error, error_size);
      return nullptr;
    }
    const auto pairs = r::PairsBySite(trace->trace);
    ranksight_totals out;
    for (const r::EventTotal& total : *totals) {
      const auto at = pairs.find({total.call, total.site});
      out.totals.push_back(ForC(total, at == pairs.end() ? 0 : at->second));
    }
    return new ranksight_totals(std::move(out));
  } catch (...) {
    Explain("no memory", error, error_size);
  }
  return nullptr;
}

void ranksight_totals_close(ranksight_totals* totals) { delete totals; }

size_t ranksight_totals_count(const ranksight_totals* totals) {
  return totals->totals.size();
}

int ranksight_totals_at(const ranksight_totals* totals, size_t i,
                        ranksight_total* total) {
  if (i >= totals->totals.size()) return 0;
  *total = totals->totals[i];
  return 1;
}

char* ranksight_trace_site(const ranksight_trace* trace, uint32_t site) {
  return OrNull([&]() -> char* {
    const r::Sites& sites = trace->trace.sites;
    if (site >= sites.sites.size()) return nullptr;
    return strdup(ToString(sites, site).c_str());
  });
}

int64_t ranksight_trace_traffic(const ranksight_trace* trace, int64_t rank,
                                int64_t* to, uint64_t* messages,
                                uint64_t* bytes, size_t capacity, char* error,
                                size_t error_size) {
  if (rank < 0 || rank >= trace->trace.meta.ranks) {
    Explain("no such rank", error, error_size);
    return -1;
  }
  try {
    const auto traffic = r::TrafficFrom(trace->trace, rank);
    if (!traffic.ok()) {
      Explain(traffic.status().message(), error, error_size);
      return -1;
    }
    size_t i = 0;
    for (const auto& [peer, sent] : *traffic) {
      if (i == capacity) break;
      to[i] = peer;
      messages[i] = sent.messages;
      bytes[i++] = sent.bytes;
    }
    return int64_t(traffic->size());
  } catch (...) {
    Explain("no memory", error, error_size);
  }
  return -1;
}

int64_t ranksight_cursor_fill(ranksight_cursor* cursor, size_t rows,
                              int64_t* columns) {
  std::fill_n(columns, rows * RANKSIGHT_COLUMNS, RANKSIGHT_NONE);
  for (size_t row = 0; row < rows; ++row) {
    const int next = ranksight_cursor_next(cursor);
    if (next < 0) return -1;
    if (next == 0) return int64_t(row);
    const r::Event& event = cursor->cursor.event();
    int64_t* const at = columns + row;
    at[RANKSIGHT_COLUMN_CALL * rows] = int64_t(event.call());
    at[RANKSIGHT_COLUMN_SITE * rows] = int64_t(cursor->cursor.node().site);
    r::ForEachCanonicalField(event, [&](r::CanonicalField field, int64_t v) {
      at[size_t(kColumnOf[size_t(field)]) * rows] = v;
    });
  }
  return int64_t(rows);
}

const char* ranksight_call_by_number(int64_t number) {
  if (number < 0 || number > UINT16_MAX) return nullptr;
  const r::CallInfo* call = r::FindCall(uint16_t(number));
  return call == nullptr ? nullptr : call->name.data();
}

}  // extern "C"
