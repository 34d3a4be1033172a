/* walk_trace FILE [RANK]: prints what one rank of a trace does, loops as
 * loops: how often they turn, and of each event how often it is made, to whom,
 * and how long it took. Time and memory do not depend on how many events that
 * are. Reads the trace through Ranksight's C interface. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "reduction/api/ranksight_trace.h"

static void print_term(const ranksight_term* term) {
  const ranksight_term* part = ranksight_term_body(term, 0);
  const uint64_t count = ranksight_term_count(term);
  if (part == NULL) {
    printf("%" PRId64, ranksight_term_value(term));
  } else {
    printf("(");
    for (size_t i = 0; part != NULL; part = ranksight_term_body(term, ++i)) {
      if (i > 0) printf(" ");
      print_term(part);
    }
    printf(")");
  }
  if (count > 1) printf("x%" PRIu64, count);
  if (ranksight_term_stride(term) != 0) {
    printf(" by %" PRId64, ranksight_term_stride(term));
  }
}

static void print_section(const char* name, ranksight_section* section) {
  if (section == NULL) return;
  const ranksight_term* term = ranksight_section_term(section, 0);
  if (term != NULL) printf(" %s=", name);
  for (size_t i = 0; term != NULL && i < 8;
       term = ranksight_section_term(section, ++i)) {
    if (i > 0) printf(" ");
    print_term(term);
  }
  ranksight_section_free(section);
}

static void walk(const ranksight_node* node, int64_t rank, int depth) {
  const ranksight_node* child;
  for (size_t i = 0; (child = ranksight_child(node, i)) != NULL; ++i) {
    ranksight_section* trips = ranksight_trips(child, rank);
    const int runs = trips != NULL && ranksight_section_size(trips) > 0;
    if (!runs) {
      ranksight_section_free(trips);
      continue;
    }
    const int event = ranksight_is_event(child);
    printf("%*s%s", 2 * depth, "", event ? ranksight_call_name(child) : "loop");
    print_section("trips", trips);
    if (event) {
      print_section("peer", ranksight_parameter(child, "peer", rank));
      print_section("count", ranksight_parameter(child, "count", rank));
      const uint64_t timed = ranksight_timed_count(child);
      if (timed > 0) {
        printf(" mean=%.0fns", ranksight_call_ns(child) / (double)timed);
      }
    }
    printf("\n");
    walk(child, rank, depth + 1);
  }
}

int main(int argc, char** argv) {
  char error[256];
  if (argc < 2) {
    fprintf(stderr, "usage: walk_trace FILE [RANK]\n");
    return 2;
  }
  ranksight_trace* trace = ranksight_trace_open(argv[1], error, sizeof error);
  if (trace == NULL) {
    fprintf(stderr, "%s\n", error);
    return 3;
  }
  const int64_t rank = argc > 2 ? atoll(argv[2]) : 0;
  printf("%s: %" PRId64 " ranks, %" PRIu64 " calls, %" PRIu64
         " of rank %" PRId64 "\n",
         ranksight_trace_program(trace), ranksight_trace_ranks(trace),
         ranksight_trace_events(trace, -1), ranksight_trace_events(trace, rank),
         rank);
  walk(ranksight_root(trace), rank, 0);
  ranksight_trace_close(trace);
  return 0;
}
