/* The interface of ranksight.h for programs that run with and without the
 * runtime: where it is absent, nothing happens. Link libranksight_optional.a
 * (CMake ranksight::optional); it needs no MPI.
 */
#ifndef RANKSIGHT_RUNTIME_API_RANKSIGHT_OPTIONAL_H_
#define RANKSIGHT_RUNTIME_API_RANKSIGHT_OPTIONAL_H_

#ifdef __cplusplus
extern "C" {
#endif

void ranksight_optional_pause(void);
void ranksight_optional_resume(void);
void ranksight_optional_region_begin(const char* name);
void ranksight_optional_region_end(const char* name);
void ranksight_optional_param(const char* name, const char* value);
void ranksight_optional_flush(void);

#ifdef __cplusplus
}
#endif

#endif /* RANKSIGHT_RUNTIME_API_RANKSIGHT_OPTIONAL_H_ */
