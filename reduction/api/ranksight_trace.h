/* Reading traces from C: the tree of loops and events without expanding it,
 * and a cursor over one rank's calls.
 *
 * Whatever is returned as a pointer to a node, section or text belongs to the
 * trace (or cursor) it came from and lives as long, unless said otherwise.
 * Functions neither print nor exit; memory that cannot be had is an error
 * like any other. Times are nanoseconds.
 * Thread-safety: a trace may be read by many threads; a cursor or section by
 * one at a time.
 * Link with -lranksight_trace. */
#ifndef RANKSIGHT_TRACE_H
#define RANKSIGHT_TRACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ranksight_trace ranksight_trace;
typedef struct ranksight_node ranksight_node;
typedef struct ranksight_section ranksight_section;
typedef struct ranksight_term ranksight_term;
typedef struct ranksight_cursor ranksight_cursor;

/* Special values of peers, roots and tags; see reduction/api/call.h. */
#define RANKSIGHT_SPECIAL_MAX (-(INT64_C(1) << 40))
#define RANKSIGHT_PEER_ANY (RANKSIGHT_SPECIAL_MAX - 1)
#define RANKSIGHT_PEER_NULL (RANKSIGHT_SPECIAL_MAX - 2)
#define RANKSIGHT_TAG_ANY (RANKSIGHT_SPECIAL_MAX - 4)
/* Nothing, or not known. */
#define RANKSIGHT_NONE (RANKSIGHT_SPECIAL_MAX - 6)
/* A value of which only a distribution is left. */
#define RANKSIGHT_NOT_KEPT (RANKSIGHT_SPECIAL_MAX - 7)

/* NULL when the file cannot be read or is no trace; the reason, in one line,
 * is then in error (at most error_size bytes with the 0; error may be NULL). */
ranksight_trace* ranksight_trace_open(const char* path, char* error,
                                      size_t error_size);
void ranksight_trace_close(ranksight_trace* trace);

const char* ranksight_trace_program(const ranksight_trace* trace);
int64_t ranksight_trace_ranks(const ranksight_trace* trace);
/* 0 when something after complete_until_ns is missing. */
int ranksight_trace_is_complete(const ranksight_trace* trace);
int64_t ranksight_trace_complete_until_ns(const ranksight_trace* trace);
/* The build id of the program, "" where it has none, and the run's own name. */
const char* ranksight_trace_build(const ranksight_trace* trace);
const char* ranksight_trace_job(const ranksight_trace* trace);
/* When it began; 0 where that is not known. */
int64_t ranksight_trace_start_unix_ns(const ranksight_trace* trace);
/* 1 when ranks shared cores: computation is processor time, and times in calls
 * are not to be used. */
int ranksight_trace_shared_cores(const ranksight_trace* trace);
/* 1 when nobody ran it. */
int ranksight_trace_is_extrapolated(const ranksight_trace* trace);
/* The settings of the run by name, and the laws of an extrapolated trace, a
 * line each. NULL when there is no such one. */
const char* ranksight_trace_setting(const ranksight_trace* trace, size_t i,
                                    const char** value);
const char* ranksight_trace_law(const ranksight_trace* trace, size_t i);
/* Events of a rank, or of all with rank -1. O(size of the tree). */
uint64_t ranksight_trace_events(const ranksight_trace* trace, int64_t rank);

/* The tree. A rank walks a loop's children in order, each as often as its
 * next trip count says; the root once. */
const ranksight_node* ranksight_root(const ranksight_trace* trace);
int ranksight_is_event(const ranksight_node* node);
size_t ranksight_child_count(const ranksight_node* node);
/* NULL when there is no such child. */
const ranksight_node* ranksight_child(const ranksight_node* node, size_t i);
/* "MPI_Send"; NULL for a loop. */
const char* ranksight_call_name(const ranksight_node* event);
/* Innermost frame first, "app+0x1234 < lib.so+0x88". The caller frees it. */
char* ranksight_call_site(const ranksight_trace* trace,
                          const ranksight_node* event);
/* All occurrences on all ranks: how many were timed, and their sums. */
uint64_t ranksight_timed_count(const ranksight_node* event);
double ranksight_call_ns(const ranksight_node* event);
double ranksight_compute_ns(const ranksight_node* event);

/* Times of a node's occurrences, of all ranks. by_rank_...: of the mean of each
 * rank; all 0 where there is none. */
typedef struct ranksight_times {
  uint64_t count;
  double sum_ns, min_ns, max_ns;
  double by_rank_min_ns, by_rank_mean_ns, by_rank_max_ns, by_rank_deviation_ns;
} ranksight_times;
/* In the call, or computed before it. */
void ranksight_call_times(const ranksight_node* event, ranksight_times* times);
void ranksight_compute_times(const ranksight_node* event,
                             ranksight_times* times);
/* From MPI_Init's return to MPI_Finalize, one occurrence a rank. */
void ranksight_trace_elapsed(const ranksight_trace* trace,
                             ranksight_times* times);
/* What ranks held in memory, bytes, what the runtime itself held taken off:
 * at the peak, as MPI_Init returned, and at MPI_Finalize; of that the pages of
 * files, and what processes share. 0 where it is not known. */
typedef struct ranksight_memory {
  uint64_t ranks, unknown_ranks;
  double peak_min, peak_mean, peak_max;
  double start_mean, end_mean, files_mean, shared_mean;
  double own_mean; /* of the runtime */
} ranksight_memory;
void ranksight_trace_memory(const ranksight_trace* trace,
                            ranksight_memory* memory);
/* The q-quantile, 0 <= q <= 1, of all occurrences but each rank's first, or of
 * those where there are no others; 12.5 % off at most. */
double ranksight_call_quantile_ns(const ranksight_node* event, double q);

/* All that happens at each call site, in the order of the tree. */
typedef struct ranksight_totals ranksight_totals;
typedef struct ranksight_total {
  const char* call; /* "MPI_Send" */
  uint32_t site;    /* for ranksight_trace_site */
  int estimated;    /* of amounts that are left only as distributions */
  uint64_t calls, sent_bytes, posted_bytes;
  uint64_t pairs; /* of ranks: who names whom, or meets in a collective */
  double call_ns, compute_ns;
  double call_p50_ns, call_p99_ns;
} ranksight_total;
/* NULL and a reason as for ranksight_trace_open. */
ranksight_totals* ranksight_totals_open(const ranksight_trace* trace,
                                        char* error, size_t error_size);
void ranksight_totals_close(ranksight_totals* totals);
size_t ranksight_totals_count(const ranksight_totals* totals);
/* 0 when there is no such one. */
int ranksight_totals_at(const ranksight_totals* totals, size_t i,
                        ranksight_total* total);
/* As ranksight_call_site, by number; NULL when there is none. */
char* ranksight_trace_site(const ranksight_trace* trace, uint32_t site);

/* The messages that a rank sends, by destination, ascending, capacity at most:
 * how many destinations there are, which may be more, or -1 and a reason. */
int64_t ranksight_trace_traffic(const ranksight_trace* trace, int64_t rank,
                                int64_t* to, uint64_t* messages,
                                uint64_t* bytes, size_t capacity, char* error,
                                size_t error_size);

/* The sequence of trip counts of a node, or of a parameter ("peer", "count",
 * "tag", ..., as `show --tree` names them), on one rank. NULL when the node has
 * no such parameter or there is no memory; empty where the rank has none. The
 * caller frees it. */
ranksight_section* ranksight_trips(const ranksight_node* node, int64_t rank);
ranksight_section* ranksight_parameter(const ranksight_node* event,
                                       const char* name, int64_t rank);
void ranksight_section_free(ranksight_section* section);
uint64_t ranksight_section_size(const ranksight_section* section);
/* The i-th value; 0 when there is none. O(terms). */
int64_t ranksight_section_at(const ranksight_section* section, uint64_t i);
/* Modulo 2^64. O(terms). */
int64_t ranksight_section_sum(const ranksight_section* section);

/* A section is a list of terms. A term without a body is a run: value, value
 * + stride, ... (count values). One with a body repeats it count times, adding
 * stride to every value each time round. NULL when there is no such term. */
const ranksight_term* ranksight_section_term(const ranksight_section* section,
                                             size_t i);
const ranksight_term* ranksight_term_body(const ranksight_term* term, size_t i);
int64_t ranksight_term_value(const ranksight_term* term);
int64_t ranksight_term_stride(const ranksight_term* term);
uint64_t ranksight_term_count(const ranksight_term* term);

/* A walk over the calls of one rank, in order. Memory grows with the tree,
 * not with the calls. NULL and a reason as for ranksight_trace_open. The
 * trace must outlive the cursor. */
ranksight_cursor* ranksight_cursor_open(const ranksight_trace* trace,
                                        int64_t rank, char* error,
                                        size_t error_size);
void ranksight_cursor_close(ranksight_cursor* cursor);
/* 1: there is a next call, and the cursor stands on it; 0: the end; -1: the
 * trace contradicts itself, ranksight_cursor_error says how. */
int ranksight_cursor_next(ranksight_cursor* cursor);
const char* ranksight_cursor_error(const ranksight_cursor* cursor);
/* Columns of ranksight_cursor_fill, as the canonical text has them. */
enum ranksight_column {
  RANKSIGHT_COLUMN_CALL, /* for ranksight_call_by_number */
  RANKSIGHT_COLUMN_SITE, /* for ranksight_trace_site */
  RANKSIGHT_COLUMN_COMM,
  RANKSIGHT_COLUMN_PEER,
  RANKSIGHT_COLUMN_TAG,
  RANKSIGHT_COLUMN_BYTES,
  RANKSIGHT_COLUMN_RPEER,
  RANKSIGHT_COLUMN_RTAG,
  RANKSIGHT_COLUMN_RBYTES,
  RANKSIGHT_COLUMN_ROOT,
  RANKSIGHT_COLUMN_N,
  RANKSIGHT_COLUMNS
};
/* The next calls, rows at most, into RANKSIGHT_COLUMNS columns of rows numbers
 * each, one column behind the other; RANKSIGHT_NONE where a call has no such
 * field. How many there were; 0: the end; -1: as ranksight_cursor_next. */
int64_t ranksight_cursor_fill(ranksight_cursor* cursor, size_t rows,
                              int64_t* columns);
/* "MPI_Send"; NULL for a number that is no call's. */
const char* ranksight_call_by_number(int64_t number);
/* Of the call the cursor stands on. The text is the canonical line, valid
 * until the next call of these functions with this cursor. */
const ranksight_node* ranksight_cursor_node(const ranksight_cursor* cursor);
uint64_t ranksight_cursor_occurrence(const ranksight_cursor* cursor);
const char* ranksight_cursor_text(ranksight_cursor* cursor);
/* A parameter by name, or fallback where the call has none; of an array, its
 * first value. */
int64_t ranksight_cursor_value(const ranksight_cursor* cursor, const char* name,
                               int64_t fallback);
/* The values of an array ("requests", "counts"), *size of them; NULL where
 * the call has none. Valid until the next ranksight_cursor_next. */
const int64_t* ranksight_cursor_array(const ranksight_cursor* cursor,
                                      const char* name, size_t* size);

#ifdef __cplusplus
}
#endif

#endif
