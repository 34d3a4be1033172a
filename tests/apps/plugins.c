// plugins PLUGIN OTHER: loads two shared objects that make calls, before and
// after MPI_Init; unloads one again and again, so that it comes back elsewhere.
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

typedef int (*Function)(int);

static void* Load(const char* path, Function* function) {
  void* module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (module == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  *(void**)function = dlsym(module, "Exchange");
  return module;
}

int main(int argc, char** argv) {
  Function early, again;
  int rank, sum = 0, total = 0;
  if (argc < 3) return 1;
  void* first = Load(argv[1], &early);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 20; ++i) sum += early(i);
  for (int time = 0; time < 5; ++time) {
    void* module = Load(argv[2], &again);
    for (int i = 0; i < 20; ++i) sum += again(i);
    dlclose(module);
    // What lay there is taken, so that the next one cannot.
    (void)mmap(NULL, (size_t)(1 + time) << 16, PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 3; ++i) sum += early(i);
  }
  MPI_Allreduce(&sum, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("plugins: sum %d\n", total);
  dlclose(first);
  MPI_Finalize();
  return 0;
}
