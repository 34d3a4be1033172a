/* Ranksight's interface for programs that are linked with it. Every function
 * may be called at any time, from any thread; none reports errors, none
 * blocks. Guard with RANKSIGHT_VERSION_STRING or weak symbols where the
 * runtime may be absent.
 */
#ifndef RANKSIGHT_RUNTIME_API_RANKSIGHT_H_
#define RANKSIGHT_RUNTIME_API_RANKSIGHT_H_

#define RANKSIGHT_VERSION_STRING "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the runtime that is really there, for example "0.1.0". */
const char* ranksight_version(void);

/* Stops recording on this rank; calls made meanwhile are not in the trace.
 * Pausing some ranks only makes a trace that cannot be replayed. */
void ranksight_pause(void);
void ranksight_resume(void);

/* A parameter of this run, such as the problem size. The last value of a name
 * wins. Runs with different parameters are never mixed in one forecast. */
void ranksight_param(const char* name, const char* value);

#ifdef __cplusplus
}
#endif

#endif /* RANKSIGHT_RUNTIME_API_RANKSIGHT_H_ */
