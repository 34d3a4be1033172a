/* Ranksight's interface for programs that are linked with it. Every function
 * may be called at any time, from any thread; none reports errors, none
 * blocks. Where the runtime may be absent, include ranksight_optional.h
 * instead.
 */
#ifndef RANKSIGHT_RUNTIME_API_RANKSIGHT_H_
#define RANKSIGHT_RUNTIME_API_RANKSIGHT_H_

#define RANKSIGHT_VERSION_STRING "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the runtime that is really there, for example "0.1.0". */
const char* ranksight_version(void);

/* Stops recording on this rank; calls made meanwhile are not in the trace,
 * which counts them. What they make has no number in it. Pausing some ranks
 * only makes a trace that cannot be replayed. */
void ranksight_pause(void);
void ranksight_resume(void);

/* A region of the program, by a name of its own, such as "solve". Regions
 * nest and belong to the rank, not to a thread; MPI calls made inside are
 * call sites of their own, shown as "[solve] main app.c:12". Ending one ends
 * what was begun inside it; ending one that is not open does nothing. Nothing
 * happens before MPI_Init. */
void ranksight_region_begin(const char* name);
void ranksight_region_end(const char* name);

/* A parameter of this run, such as the problem size. The last value of a name
 * wins. Runs with different parameters are never mixed in one forecast. */
void ranksight_param(const char* name, const char* value);

/* Writes what this rank has recorded so far to <output>.rank<r>.partial, a
 * trace of its own that a run which ends well takes away again. It costs the
 * time of writing a file of some kilobytes; no other rank is needed. */
void ranksight_flush(void);

#ifdef __cplusplus
}
#endif

#endif /* RANKSIGHT_RUNTIME_API_RANKSIGHT_H_ */
