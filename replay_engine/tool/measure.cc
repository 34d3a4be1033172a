// ranksight-measure [--messages]: what a machine takes for computation and for
// messages, or for messages only, as JSON on standard output
// (online_model/api/machine.h has its form).
//
// Every rank computes at the same time, as a program's ranks do; messages go
// to and fro between the first rank and the last.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace ranksight::replay_engine {
namespace {

// Blocks of so many seconds. Of computation the median counts, of messages the
// least: where cores are shared many wait for the other's turn.
constexpr int kBlocks = 15;
constexpr double kKernelSeconds = 0.01, kMessageSeconds = 0.0005;
constexpr int kFewest = 2;          // round trips of a block
constexpr int kLongest = 16 << 20;  // bytes of a message
// Lengths between powers of two: one in each, and this many where times are off
// the line by more than kBent, up to next to each other but for kClose. Shorter
// and longer ones lie on a line.
constexpr int kShortestBetween = 64, kLongestBetween = 1 << 20;
constexpr int kMostBetween = 64;
constexpr double kMostSeconds = 10;  // no more once all took so long
constexpr double kBent = 0.05, kClose = 1.05;
// Bytes of a message whose receive comes late, and the part of its way that it
// takes no more where it left when it was sent.
constexpr int kProbe = 1024;
constexpr double kMostOfWay = 0.7;
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

// Between the first rank and the last. Both call all of it, with the same
// values, and get the same times.
class PingPong {
 public:
  explicit PingPong(MPI_Comm pair) : pair_(pair) {
    MPI_Comm_rank(pair, &rank_);
  }

  // Seconds one way.
  double At(int bytes) {
    Go(bytes, kFewest);
    const double trip = Go(bytes, kFewest);
    int trips = std::max(kFewest, int(kMessageSeconds / std::max(trip, 1e-8)));
    MPI_Bcast(&trips, 1, MPI_INT, 0, pair_);
    std::vector<double> blocks(kBlocks);
    for (double& block : blocks) block = Go(bytes, trips);
    double least = *std::min_element(blocks.begin(), blocks.end()) / 2;
    MPI_Bcast(&least, 1, MPI_DOUBLE, 0, pair_);
    return least;
  }

  double Seconds() {  // since the beginning
    double seconds = MPI_Wtime() - begin_;
    MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, pair_);
    return seconds;
  }

  // Whether messages leave no sooner than their receive is posted: late ones
  // then take their receive as long as others take all their way.
  bool Pulled() {
    const double way = At(kProbe);
    double least = way;
    for (int block = 0; block < kBlocks; ++block) {
      least = std::min(least, LateReceive());
    }
    MPI_Bcast(&least, 1, MPI_DOUBLE, 1, pair_);
    return least > kMostOfWay * way;
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
  // Seconds that a message takes its receiver after others have gone to and fro
  // since it was sent.
  double LateReceive() {
    MPI_Request sent = MPI_REQUEST_NULL;
    if (rank_ == 0) {
      MPI_Isend(probe_.data(), kProbe, MPI_CHAR, 1, 1, pair_, &sent);
    }
    Go(kProbe, kFewest);
    const double start = MPI_Wtime();
    if (rank_ == 1) {
      MPI_Recv(probe_.data(), kProbe, MPI_CHAR, 0, 1, pair_, MPI_STATUS_IGNORE);
    }
    const double seconds = MPI_Wtime() - start;
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    return seconds;
  }
  void Send(int bytes) {
    MPI_Send(buffer_.data(), bytes, MPI_CHAR, 1 - rank_, 0, pair_);
  }

  MPI_Comm pair_;
  const double begin_ = MPI_Wtime();
  int rank_ = 0;
  std::vector<char> buffer_ = std::vector<char>(kLongest);
  std::vector<char> probe_ = std::vector<char>(kProbe);
};

// Times by length: at powers of two, and closer where a time is not what it
// would be on the line between those beside it: there a library or a network
// goes over to another protocol.
class Curve {
 public:
  explicit Curve(PingPong* ping_pong) : ping_pong_(*ping_pong) {
    for (int bytes = 1; bytes <= kLongest; bytes *= 2) Add(bytes);
    for (int bytes = kShortestBetween; bytes < kLongestBetween; bytes *= 2) {
      AddBetween(bytes, 2 * bytes);
    }
    for (int i = 0; i < kMostBetween && !bent_.empty(); ++i) {
      if (ping_pong_.Seconds() > kMostSeconds) break;
      const auto worst = std::prev(bent_.end())->second;
      bent_.erase(std::prev(bent_.end()));
      AddBetween(worst.first, worst.second);
    }
  }
  const std::map<int, double>& times() const { return times_; }

 private:
  void Add(int bytes) {
    const double seconds = ping_pong_.At(bytes);
    const auto [at, fresh] = times_.emplace(bytes, seconds);
    if (!fresh) at->second = std::min(at->second, seconds);
  }
  double Off(int from, int middle, int to) const {
    const double share = double(middle - from) / double(to - from);
    const double line =
        times_.at(from) + share * (times_.at(to) - times_.at(from));
    return std::abs(times_.at(middle) / line - 1);
  }
  // The length in the middle of the two, next to each other so far. Where it is
  // off the line the ways to both sides are left to look at.
  void AddBetween(int from, int to) {
    const int middle = int(std::lround(std::sqrt(double(from) * to)));
    if (middle <= from || middle >= to) return;
    Add(middle);
    if (Off(from, middle, to) < kBent) return;
    for (const int bytes : {from, middle, to}) Add(bytes);  // was it a hitch?
    const double off = Off(from, middle, to);
    if (off < kBent) return;
    for (const auto& [a, b] :
         {std::pair(from, middle), std::pair(middle, to)}) {
      if (b > kClose * a) bent_.insert({off, {a, b}});
    }
  }

  PingPong& ping_pong_;
  std::map<int, double> times_;
  std::multimap<double, std::pair<int, int>> bent_;
};

void MeasureMessages(MPI_Comm pair, bool prints) {
  PingPong ping_pong(pair);
  const Curve curve(&ping_pong);
  const bool pulled = ping_pong.Pulled();
  if (prints) std::printf("\"pulled\": %s,\n", pulled ? "true" : "false");
  if (prints) std::printf(" \"messages\": [");
  const char* between = "";
  for (const auto& [bytes, seconds] : curve.times()) {
    if (!prints) break;
    std::printf("%s\n  {\"bytes\": %d, \"seconds\": %.6g}", between, bytes,
                seconds);
    between = ",";
  }
}

void MeasureKernels(int ranks, bool prints) {
  const std::pair<const char*, Kernel> kernels[] = {{"arithmetic", Arithmetic},
                                                    {"memory", Streaming()},
                                                    {"loads", Chasing()}};
  const char* between = "";
  for (const auto& [name, kernel] : kernels) {
    const double seconds = MeasureKernel(kernel, ranks);
    if (prints) std::printf("%s\"%s\": %.6g", between, name, seconds);
    between = ", ";
  }
}

void Measure(int rank, int ranks, bool messages_only) {
  const bool prints = rank == 0;
  if (prints) std::printf("{\"ranks\": %d, \"kernels\": {", ranks);
  if (!messages_only) MeasureKernels(ranks, prints);
  if (prints) std::printf("},\n ");
  MPI_Comm pair = MPI_COMM_NULL;
  const bool talks = rank == 0 || rank == ranks - 1;
  MPI_Comm_split(MPI_COMM_WORLD, talks ? 0 : MPI_UNDEFINED, rank, &pair);
  if (talks) {
    MeasureMessages(pair, prints);
    MPI_Comm_free(&pair);
  }
  if (prints) std::printf("]}\n");
}

}  // namespace
}  // namespace ranksight::replay_engine

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const bool messages_only = argc > 1 && argv[1] == std::string("--messages");
  if (ranks > 1) {
    ranksight::replay_engine::Measure(rank, ranks, messages_only);
  } else {
    std::fprintf(stderr, "ranksight-measure: needs two ranks or more\n");
  }
  MPI_Finalize();
  return ranks > 1 ? 0 : 2;
}
