// Conjugate gradients on a line cut over the ranks: halo exchange and sums in
// Kokkos regions, one exchange inside a kernel of the host; a deep copy, a
// fence and a kernel inside another one are there for the connector.
#include <mpi.h>

#include <Kokkos_Core.hpp>
#include <cstdio>

namespace {

using Vector = Kokkos::View<double*>;

double Dot(const Vector& a, const Vector& b) {
  double mine = 0, all = 0;
  Kokkos::parallel_reduce(
      "dot", a.extent(0),
      KOKKOS_LAMBDA(int i, double& sum) { sum += a(i) * b(i); }, mine);
  Kokkos::Profiling::pushRegion("sum");
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  Kokkos::Profiling::popRegion();
  return all;
}

// The values beside the own ones, by a kernel with one iteration.
void Exchange(const Vector& p, const Kokkos::View<double[2]>& edge, int rank,
              int ranks) {
  const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int right = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  Kokkos::parallel_for(
      "exchange", 1, KOKKOS_LAMBDA(int) {
        const int last = int(p.extent(0)) - 1;
        edge(0) = edge(1) = 0;
        MPI_Sendrecv(&p(0), 1, MPI_DOUBLE, left, 1, &edge(1), 1, MPI_DOUBLE,
                     right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&p(last), 1, MPI_DOUBLE, right, 2, &edge(0), 1, MPI_DOUBLE,
                     left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      });
}

void Apply(const Vector& p, const Kokkos::View<double[2]>& edge,
           const Vector& q) {
  const int n = int(p.extent(0));
  Kokkos::parallel_for(
      "apply", n, KOKKOS_LAMBDA(int i) {
        const double before = i > 0 ? p(i - 1) : edge(0);
        const double behind = i + 1 < n ? p(i + 1) : edge(1);
        q(i) = 2.1 * p(i) - before - behind;
      });
}

double Solve(int rank, int ranks) {
  const Vector x("x", 100), r("r", 100), p("p", 100), q("q", 100);
  const Kokkos::View<double[2]> edge("edge");
  Kokkos::parallel_for(
      "start", 100, KOKKOS_LAMBDA(int i) { r(i) = 1.0 + i % 3; });
  Kokkos::deep_copy(p, r);
  double norm = Dot(r, r);
  for (int step = 0; step < 3; ++step) {
    Kokkos::Profiling::pushRegion("step");
    Exchange(p, edge, rank, ranks);
    Apply(p, edge, q);
    const double alpha = norm / Dot(p, q);
    Kokkos::parallel_for(
        "axpy", 100, KOKKOS_LAMBDA(int i) {
          x(i) += alpha * p(i);
          r(i) -= alpha * q(i);
        });
    const double next = Dot(r, r), beta = next / norm;
    Kokkos::parallel_for(
        "update", 100, KOKKOS_LAMBDA(int i) { p(i) = r(i) + beta * p(i); });
    norm = next;
    Kokkos::Profiling::popRegion();
  }
  return Dot(x, x);
}

// As backends with devices do around a wait; the serial one never does.
void Fence() {
  uint64_t fence = 0;
  Kokkos::Tools::beginFence("before the end", 0, &fence);
  Kokkos::fence();
  MPI_Barrier(MPI_COMM_WORLD);
  Kokkos::Tools::endFence(fence);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Kokkos::initialize(argc, argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const double solution = Solve(rank, ranks);
  Kokkos::View<int*> places("places", 10);
  Kokkos::parallel_scan(
      "places", 10, KOKKOS_LAMBDA(int i, int& sum, bool last) {
        if (last) places(i) = sum;
        sum += i;
      });
  Fence();
  Kokkos::Profiling::pushRegion("left open");
  MPI_Barrier(MPI_COMM_WORLD);
  places = {};
  Kokkos::finalize();
  if (rank == 0) std::printf("kokkos %.6g\n", solution);
  MPI_Finalize();
  return 0;
}
