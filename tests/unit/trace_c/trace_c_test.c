/* The C interface against what is known of a stencil of 4 x 4 ranks and 5
 * steps (`same_bytes write FOLDER` makes it).   trace_c_test FILE MISSING
 * Walks the tree and the calls; both must count the same. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduction/api/ranksight_trace.h"

static int failures = 0;

static void check(int holds, const char* what, int line) {
  if (holds) return;
  fprintf(stderr, "line %d: %s\n", line, what);
  ++failures;
}
#define CHECK(condition) check((condition), #condition, __LINE__)

/* Calls of a rank, from trip counts alone. */
static uint64_t count_calls(const ranksight_node* node, int64_t rank) {
  uint64_t calls = 0;
  const ranksight_node* child;
  for (size_t i = 0; (child = ranksight_child(node, i)) != NULL; ++i) {
    ranksight_section* trips = ranksight_trips(child, rank);
    if (ranksight_is_event(child)) {
      calls += (uint64_t)ranksight_section_sum(trips);
      CHECK(ranksight_child_count(child) == 0);
    } else {
      CHECK(ranksight_call_name(child) == NULL);
    }
    ranksight_section_free(trips);
    calls += count_calls(child, rank);
  }
  CHECK(ranksight_child_count(node) == 0 || calls > 0);
  return calls;
}

static void walk_rank(const ranksight_trace* trace, int64_t rank) {
  char error[200];
  uint64_t calls = 0, sends = 0, waited = 0;
  ranksight_cursor* at =
      ranksight_cursor_open(trace, rank, error, sizeof error);
  CHECK(at != NULL);
  int more = 0;
  while ((more = ranksight_cursor_next(at)) == 1) {
    const ranksight_node* node = ranksight_cursor_node(at);
    ++calls;
    if (calls == 1) CHECK(strcmp(ranksight_cursor_text(at), "MPI_Init") == 0);
    if (strcmp(ranksight_call_name(node), "MPI_Isend") == 0) {
      const int64_t peer = ranksight_cursor_value(at, "peer", -1);
      ranksight_section* peers = ranksight_parameter(node, "peer", rank);
      ++sends;
      CHECK(peer >= 0 && peer < 16);
      CHECK(peer ==
            ranksight_section_at(peers, ranksight_cursor_occurrence(at)));
      ranksight_section_free(peers);
    }
    if (strcmp(ranksight_call_name(node), "MPI_Waitall") == 0) {
      size_t size = 0;
      const int64_t* requests = ranksight_cursor_array(at, "requests", &size);
      CHECK(size == 8 && requests[0] == 8 && requests[7] == 1);
      waited += size;
    }
    CHECK(ranksight_cursor_value(at, "no such name", -7) == -7);
  }
  CHECK(more == 0);
  CHECK(calls == 52 && sends == 20 && waited == 40);
  CHECK(ranksight_trace_events(trace, rank) == calls);
  CHECK(count_calls(ranksight_root(trace), rank) == calls);
  ranksight_cursor_close(at);
}

/* Many calls at once are the calls one by one. */
static void fill_rank(const ranksight_trace* trace, int64_t rank) {
  enum { kRows = 20 };
  static int64_t columns[RANKSIGHT_COLUMNS * kRows];
  char error[200];
  ranksight_cursor* bulk =
      ranksight_cursor_open(trace, rank, error, sizeof error);
  ranksight_cursor* single =
      ranksight_cursor_open(trace, rank, error, sizeof error);
  int64_t rows = 0, all = 0;
  while ((rows = ranksight_cursor_fill(bulk, kRows, columns)) > 0) {
    all += rows;
    for (int64_t i = 0; i < rows; ++i) {
      CHECK(ranksight_cursor_next(single) == 1);
      CHECK(strcmp(ranksight_call_by_number(columns[i]),
                   ranksight_call_name(ranksight_cursor_node(single))) == 0);
      CHECK(columns[RANKSIGHT_COLUMN_PEER * kRows + i] ==
            ranksight_cursor_value(single, "peer", RANKSIGHT_NONE));
      CHECK(columns[RANKSIGHT_COLUMN_TAG * kRows + i] ==
            ranksight_cursor_value(single, "tag", RANKSIGHT_NONE));
    }
  }
  CHECK(rows == 0 && all == 52);
  ranksight_cursor_close(bulk);
  ranksight_cursor_close(single);
}

/* All sends of all ranks, by call site and by pairs of ranks. */
static void check_totals(const ranksight_trace* trace) {
  uint64_t calls = 0, sends = 0, sent = 0, messages[16], bytes[16];
  uint64_t pairs = 0, all_messages = 0, all_bytes = 0, peers = 0;
  int64_t to[16];
  char error[200];
  ranksight_total total;
  ranksight_totals* totals = ranksight_totals_open(trace, error, sizeof error);
  CHECK(totals != NULL);
  for (size_t i = 0; ranksight_totals_at(totals, i, &total); ++i) {
    char* site = ranksight_trace_site(trace, total.site);
    CHECK(site != NULL && site[0] != 0);
    free(site);
    calls += total.calls;
    if (strcmp(total.call, "MPI_Isend") != 0) continue;
    sends += total.calls;
    sent += total.sent_bytes;
    pairs += total.pairs;
  }
  CHECK(!ranksight_totals_at(totals, ranksight_totals_count(totals), &total));
  CHECK(calls == 16 * 52 && sends == 16 * 20);
  for (int64_t rank = 0; rank < 16; ++rank) {
    const int64_t n = ranksight_trace_traffic(trace, rank, to, messages, bytes,
                                              16, error, sizeof error);
    peers += (uint64_t)n;
    for (int64_t i = 0; i < n; ++i) {
      all_messages += messages[i];
      all_bytes += bytes[i];
    }
  }
  CHECK(all_messages == sends && all_bytes == sent && peers == pairs);
  CHECK(ranksight_trace_traffic(trace, 16, to, messages, bytes, 16, error,
                                sizeof error) == -1);
  CHECK(ranksight_trace_site(trace, UINT32_MAX) == NULL);
  CHECK(ranksight_call_by_number(-1) == NULL);
  CHECK(ranksight_call_by_number(1 << 20) == NULL);
  ranksight_totals_close(totals);
}

int main(int argc, char** argv) {
  char error[16] = "";
  if (argc != 3) return 2;
  CHECK(ranksight_trace_open(argv[2], error, sizeof error) == NULL);
  CHECK(strlen(error) == sizeof error - 1);
  CHECK(ranksight_trace_open(argv[2], NULL, 0) == NULL);
  ranksight_trace* trace = ranksight_trace_open(argv[1], error, sizeof error);
  if (trace == NULL) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  CHECK(strcmp(ranksight_trace_program(trace), "stencil2d") == 0);
  CHECK(ranksight_trace_ranks(trace) == 16);
  CHECK(ranksight_trace_is_complete(trace));
  CHECK(ranksight_trace_events(trace, -1) == 16 * 52);
  CHECK(ranksight_cursor_open(trace, 16, error, sizeof error) == NULL);
  for (int64_t rank = 0; rank < 16; ++rank) {
    walk_rank(trace, rank);
    fill_rank(trace, rank);
  }
  check_totals(trace);
  const ranksight_node* init = ranksight_child(ranksight_root(trace), 0);
  CHECK(ranksight_timed_count(init) > 0 && ranksight_call_ns(init) > 0);
  ranksight_times times;
  ranksight_call_times(init, &times);
  CHECK(times.count == ranksight_timed_count(init));
  CHECK(times.sum_ns == ranksight_call_ns(init));
  CHECK(times.min_ns <= ranksight_call_quantile_ns(init, 0.5) &&
        ranksight_call_quantile_ns(init, 0.5) <= times.max_ns);
  ranksight_compute_times(init, &times);
  CHECK(times.sum_ns == ranksight_compute_ns(init));
  const char* value = NULL;
  CHECK(ranksight_trace_setting(trace, 99, &value) == NULL);
  CHECK(ranksight_trace_law(trace, 0) == NULL);
  CHECK(!ranksight_trace_is_extrapolated(trace));
  CHECK(ranksight_parameter(init, "peer", 0) == NULL);
  CHECK(ranksight_child(ranksight_root(trace), 99) == NULL);
  ranksight_trace_close(trace);
  return failures == 0 ? 0 : 1;
}
