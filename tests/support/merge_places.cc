// Prints the order in which ranks join when they merge (reduction/api/epoch.h):
// ranks by place, then the first place of each host.
#include <mpi.h>

#include <cstdio>

#include "reduction/api/tree.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const auto link = ranksight::reduction::MakeWorldLink();
    const auto& order = link->order();
    if (link->rank() == 0) {
      std::printf("ranks");
      for (const int64_t r : order.ranks) std::printf(" %d", int(r));
      std::printf("\nhosts");
      for (const int64_t p : order.host_firsts) std::printf(" %d", int(p));
      std::printf("\n");
    }
  }
  MPI_Finalize();
  return 0;
}
