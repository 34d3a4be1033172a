/* The runtime is looked for when a function is called, and remembered once it
 * is there. Any thread, no errors. The Fortran module beside leads here. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>

#include "runtime/api/ranksight_optional.h"

typedef void (*Plain)(void);
typedef void (*Named)(const char*);
typedef void (*Pair)(const char*, const char*);

static void* Find(void* _Atomic* known, const char* name) {
  void* found = atomic_load_explicit(known, memory_order_relaxed);
  if (!found) {
    found = dlsym(RTLD_DEFAULT, name);
    atomic_store_explicit(known, found, memory_order_relaxed);
  }
  return found;
}

void ranksight_optional_pause(void) {
  static void* _Atomic known;
  const Plain pause = (Plain)Find(&known, "ranksight_pause");
  if (pause) pause();
}

void ranksight_optional_resume(void) {
  static void* _Atomic known;
  const Plain resume = (Plain)Find(&known, "ranksight_resume");
  if (resume) resume();
}

void ranksight_optional_region_begin(const char* name) {
  static void* _Atomic known;
  const Named begin = (Named)Find(&known, "ranksight_region_begin");
  if (begin) begin(name);
}

void ranksight_optional_region_end(const char* name) {
  static void* _Atomic known;
  const Named end = (Named)Find(&known, "ranksight_region_end");
  if (end) end(name);
}

void ranksight_optional_param(const char* name, const char* value) {
  static void* _Atomic known;
  const Pair param = (Pair)Find(&known, "ranksight_param");
  if (param) param(name, value);
}

void ranksight_optional_flush(void) {
  static void* _Atomic known;
  const Plain flush = (Plain)Find(&known, "ranksight_flush");
  if (flush) flush();
}
