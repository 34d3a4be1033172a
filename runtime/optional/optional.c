/* The interface of ranksight.h for programs that run with and without the
 * runtime: it is looked for when a function is called, and nothing happens
 * where it is absent. Linked into the program (libranksight_optional.a); any
 * thread, no errors. The Fortran module beside it leads here. */
#define _GNU_SOURCE
#include <dlfcn.h>

void ranksight_optional_pause(void) {
  void (*const pause)(void) =
      (void (*)(void))dlsym(RTLD_DEFAULT, "ranksight_pause");
  if (pause) pause();
}

void ranksight_optional_resume(void) {
  void (*const resume)(void) =
      (void (*)(void))dlsym(RTLD_DEFAULT, "ranksight_resume");
  if (resume) resume();
}

void ranksight_optional_param(const char* name, const char* value) {
  void (*const param)(const char*, const char*) = (void (*)(
      const char*, const char*))dlsym(RTLD_DEFAULT, "ranksight_param");
  if (param) param(name, value);
}
