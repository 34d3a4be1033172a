// Preloaded library that gives the recorder so much memory and no more: what
// the runtime (libranksight-*.so) has from malloc at a time stays below
// $MEMORY_MOST bytes, on rank $MEMORY_RANK or, without it, on all. Everybody
// else has what they ask for. Makes the file $MEMORY_HIT when there was no
// more. Without $MEMORY_MOST it passes everything on.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void* __libc_malloc(size_t size);
extern void __libc_free(void* block);

static uintptr_t first, last;  // of the recorder's code, 0 before it is known
static long most;
static atomic_long held;

static int Find(struct dl_phdr_info* info, size_t size, void* unused) {
  (void)size;
  (void)unused;
  if (strstr(info->dlpi_name, "/libranksight-") == NULL) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0) continue;
    first = info->dlpi_addr + part->p_vaddr;
    last = first + part->p_memsz;
  }
  return 1;
}

// As MPICH's launcher numbers processes.
__attribute__((constructor)) static void Start(void) {
  const char* limit = getenv("MEMORY_MOST");
  const char* rank = getenv("MEMORY_RANK");
  const char* own = getenv("PMI_RANK");
  if (limit == NULL || own == NULL) return;
  if (rank != NULL && strcmp(rank, own) != 0) return;
  most = atol(limit);
}

// The front opens the runtime after this library has been started.
static int IsRecorder(const void* caller) {
  if (most != 0 && first == 0) dl_iterate_phdr(&Find, NULL);
  return (uintptr_t)caller >= first && (uintptr_t)caller < last;
}

void* malloc(size_t size) {
  if (!IsRecorder(__builtin_return_address(0))) return __libc_malloc(size);
  if (size > (size_t)most || held > most - (long)size) {
    const char* note = getenv("MEMORY_HIT");
    const int fd = note == NULL ? -1 : open(note, O_WRONLY | O_CREAT, 0600);
    if (fd >= 0) close(fd);
    errno = ENOMEM;
    return NULL;
  }
  void* block = __libc_malloc(size);
  held += (long)malloc_usable_size(block);
  return block;
}

void free(void* block) {
  if (block != NULL && IsRecorder(__builtin_return_address(0))) {
    held -= (long)malloc_usable_size(block);
  }
  __libc_free(block);
}
