// MPI from C++: calls in templates, lambdas, constructors, destructors and
// while an exception is on its way.
#include <mpi.h>

#include <cstdio>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace {

template <class T>
struct TypeOf;
template <>
struct TypeOf<int> {
  static MPI_Datatype Get() { return MPI_INT; }
};
template <>
struct TypeOf<double> {
  static MPI_Datatype Get() { return MPI_DOUBLE; }
};

class Line {
 public:
  explicit Line(int color) {
    MPI_Comm_split(MPI_COMM_WORLD, color, 0, &comm_);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }
  ~Line() {
    MPI_Barrier(comm_);
    MPI_Comm_free(&comm_);
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  template <class T>
  std::vector<T> Rotate(const std::vector<T>& out) const {
    std::vector<T> in(out.size());
    const int count = static_cast<int>(out.size());
    MPI_Sendrecv(out.data(), count, TypeOf<T>::Get(), (rank_ + 1) % size_, 1,
                 in.data(), count, TypeOf<T>::Get(),
                 (rank_ + size_ - 1) % size_, 1, comm_, MPI_STATUS_IGNORE);
    return in;
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};

long Work(int rank, int step) {
  Line line(rank % 2);
  std::vector<int> whole(3 + step % 3, rank + step);
  std::vector<double> halves(2, 0.5 * rank);
  const std::function<void(int)> repeat = [&](int depth) {
    whole = line.Rotate(whole);
    if (depth > 0) repeat(depth - 1);
  };
  repeat(step % 4);
  halves = line.Rotate(halves);
  if (step % 3 == 2) throw std::runtime_error("unwinds through a Line");
  return std::accumulate(whole.begin(), whole.end(), 0L) +
         static_cast<long>(2 * halves[0]);
}

}  // namespace

int main(int argc, char** argv) {
  int rank = 0, ranks = 1;
  long sum = 0, total = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < 10; ++step) {
    try {
      sum += Work(rank, step);
    } catch (const std::exception&) {
      MPI_Bcast(&sum, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    }
  }
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) std::printf("modern: %d ranks, sum %ld\n", ranks, total);
  MPI_Finalize();
  return 0;
}
