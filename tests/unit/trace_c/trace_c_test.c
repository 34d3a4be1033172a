/* The C interface against what is known of a stencil of 4 x 4 ranks and 5
 * steps (`same_bytes write FOLDER` makes it).   trace_c_test FILE MISSING
 * Walks the tree and the calls; both must count the same. */
#include <inttypes.h>
#include <stdio.h>
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
  for (int64_t rank = 0; rank < 16; ++rank) walk_rank(trace, rank);
  const ranksight_node* init = ranksight_child(ranksight_root(trace), 0);
  CHECK(ranksight_timed_count(init) > 0 && ranksight_call_ns(init) > 0);
  CHECK(ranksight_parameter(init, "peer", 0) == NULL);
  CHECK(ranksight_child(ranksight_root(trace), 99) == NULL);
  ranksight_trace_close(trace);
  return failures == 0 ? 0 : 1;
}
