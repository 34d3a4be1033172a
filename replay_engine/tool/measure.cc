// ranksight-measure: what a machine takes for computation and for messages,
// as JSON on standard output (online_model/api/machine.h has its form).
//
// Every rank computes at the same time, as a program's ranks do; messages go
// to and fro between the first rank and the last.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace ranksight::replay_engine {
namespace {

// Blocks of so many seconds. Of computation the median counts, of messages the
// least: where cores are shared many wait for the other's turn.
constexpr int kBlocks = 15;
constexpr double kKernelSeconds = 0.01, kMessageSeconds = 0.002;
constexpr int kFewest = 4;                    // round trips of a block
constexpr int kLongest = 16 << 20;            // bytes of a message
constexpr size_t kDoubles = size_t{2} << 20;  // of each array: 16 MiB
constexpr size_t kPlaces = size_t{4} << 20;   // 32 MiB

using Kernel = std::function<void()>;

double MedianOf(std::vector<double> values) {
  const auto middle = values.begin() + long(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Seconds of a call, the median of blocks.
double TimeOf(const Kernel& kernel) {
  kernel();
  std::vector<double> blocks;
  while (blocks.size() < kBlocks) {
    const double start = MPI_Wtime();
    double end = start;
    int calls = 0;
    for (; end - start < kKernelSeconds; ++calls) {
      kernel();
      end = MPI_Wtime();
    }
    blocks.push_back((end - start) / calls);
  }
  return MedianOf(std::move(blocks));
}

// Results go here, or the kernels would be optimised away.
volatile double sink;

void Arithmetic() {
  double a = 1, b = 2, c = 3, d = 4;
  for (int i = 0; i < 100000; ++i) {
    a = a * 0.999 + 0.5;
    b = b * 0.998 + 0.5;
    c = c * 0.997 + 0.5;
    d = d * 0.996 + 0.5;
  }
  sink = a + b + c + d;
}

class Streaming {  // the triad of STREAM
 public:
  void operator()() {
    for (size_t i = 0; i < kDoubles; ++i) a_[i] = b_[i] + 0.5 * c_[i];
    sink = a_[kDoubles / 2];
    std::swap(a_, b_);
  }

 private:
  std::vector<double> a_ = std::vector<double>(kDoubles, 1), b_ = a_, c_ = a_;
};

class Chasing {  // one load after the other, all over the memory
 public:
  Chasing() : next_(kPlaces) {
    // One cycle through all places (Sattolo's algorithm).
    std::iota(next_.begin(), next_.end(), uint64_t{0});
    uint64_t state = 1;
    for (size_t i = kPlaces - 1; i > 0; --i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      std::swap(next_[i], next_[size_t((state >> 33) % i)]);
    }
  }
  void operator()() {
    for (int i = 0; i < 10000; ++i) at_ = next_[at_];
    sink = double(at_);
  }

 private:
  std::vector<uint64_t> next_;
  uint64_t at_ = 0;
};

double MeanOverRanks(double value, int ranks) {
  double sum = 0;
  MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum / ranks;
}

double MeasureKernel(const Kernel& kernel, int ranks) {
  MPI_Barrier(MPI_COMM_WORLD);
  return MeanOverRanks(TimeOf(kernel), ranks);
}

// Between the first rank and the last.
class PingPong {
 public:
  explicit PingPong(MPI_Comm pair) : pair_(pair) {
    MPI_Comm_rank(pair, &rank_);
  }

  // Seconds one way. Both call it.
  double At(int bytes) {
    Go(bytes, kFewest);
    const double trip = Go(bytes, kFewest);
    int trips = std::max(kFewest, int(kMessageSeconds / std::max(trip, 1e-8)));
    MPI_Bcast(&trips, 1, MPI_INT, 0, pair_);
    std::vector<double> blocks(kBlocks);
    for (double& block : blocks) block = Go(bytes, trips);
    return *std::min_element(blocks.begin(), blocks.end()) / 2;
  }

 private:
  // Seconds of a round trip.
  double Go(int bytes, int trips) {
    const double start = MPI_Wtime();
    for (int i = 0; i < trips; ++i) {
      if (rank_ == 0) Send(bytes);
      MPI_Recv(buffer_.data(), bytes, MPI_CHAR, 1 - rank_, 0, pair_,
               MPI_STATUS_IGNORE);
      if (rank_ == 1) Send(bytes);
    }
    return (MPI_Wtime() - start) / trips;
  }
  void Send(int bytes) {
    MPI_Send(buffer_.data(), bytes, MPI_CHAR, 1 - rank_, 0, pair_);
  }

  MPI_Comm pair_;
  int rank_ = 0;
  std::vector<char> buffer_ = std::vector<char>(kLongest);
};

void Measure(int rank, int ranks) {
  const auto say = [rank](const char* format, auto... values) {
    if (rank == 0) std::printf(format, values...);
  };
  say("{\"kernels\": {");
  const std::pair<const char*, Kernel> kernels[] = {{"arithmetic", Arithmetic},
                                                    {"memory", Streaming()},
                                                    {"loads", Chasing()}};
  const char* between = "";
  for (const auto& [name, kernel] : kernels) {
    const double seconds = MeasureKernel(kernel, ranks);
    say("%s\"%s\": %.6g", between, name, seconds);
    between = ", ";
  }
  say("},\n \"messages\": [");
  MPI_Comm pair = MPI_COMM_NULL;
  const bool talks = rank == 0 || rank == ranks - 1;
  MPI_Comm_split(MPI_COMM_WORLD, talks ? 0 : MPI_UNDEFINED, rank, &pair);
  if (talks) {
    PingPong ping_pong(pair);
    between = "";
    for (int bytes = 1; bytes <= kLongest; bytes *= 4) {
      const double seconds = ping_pong.At(bytes);
      say("%s\n  {\"bytes\": %d, \"seconds\": %.6g}", between, bytes, seconds);
      between = ",";
    }
    MPI_Comm_free(&pair);
  }
  say("]}\n");
}

}  // namespace
}  // namespace ranksight::replay_engine

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > 1) {
    ranksight::replay_engine::Measure(rank, ranks);
  } else {
    std::fprintf(stderr, "ranksight-measure: needs two ranks or more\n");
  }
  MPI_Finalize();
  return ranks > 1 ? 0 : 2;
}
