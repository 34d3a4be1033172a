/* An MPI library of a kind that nobody knows: handles and counts of 64 bits,
 * and functions that say what they got. Also, with PROGRAM defined, a program
 * that needs it. */
#include <stdio.h>

typedef unsigned long long Handle;

#ifndef PROGRAM
#define FUNCTION(name, arguments, statement) \
  int P##name arguments {                    \
    statement;                               \
    return 0;                                \
  }                                          \
  int name arguments __attribute__((alias("P" #name)));

FUNCTION(MPI_Init, (int* argc, char*** argv),
         printf("init %d %s\n", *argc, (*argv)[1]))
FUNCTION(MPI_Alltoallw,
         (Handle a, Handle b, Handle c, Handle d, Handle e, Handle f, Handle g,
          double x, double y, Handle h, Handle i),
         printf("%llx %llx %llx %llx %llx %llx %llx %g %g %llx %llx\n", a, b, c,
                d, e, f, g, x, y, h, i))
FUNCTION(MPI_Finalize, (void), puts("finalize"))
#else
int MPI_Init(int* argc, char*** argv);
int MPI_Alltoallw(Handle, Handle, Handle, Handle, Handle, Handle, Handle,
                  double, double, Handle, Handle);
int MPI_Finalize(void);

int main(int argc, char** argv) {
  const Handle most = ~0ull;
  MPI_Init(&argc, &argv);
  MPI_Alltoallw(most, most - 1, most - 2, most - 3, most - 4, most - 5,
                most - 6, 0.5, 0.25, most - 7, most - 8);
  return MPI_Finalize();
}
#endif
