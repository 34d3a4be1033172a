// request_walk TRACE RANK: for each call that completes requests a line with
// the communicators of those it completes, in order. Fails when a reference
// names no request that is open, and when one is open at the end; null ones are
// passed over. For traces without persistent requests.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "reduction/api/codec.h"
#include "reduction/api/cursor.h"

namespace {

using ranksight::reduction::Call;
using ranksight::reduction::Event;
using ranksight::reduction::Param;

constexpr int64_t kOver = -1;

bool Makes(Call call) {
  return call == Call::MPI_Isend_ || call == Call::MPI_Irecv_;
}

// False when a reference is wrong.
bool Complete(const Event& event, std::vector<int64_t>* comms) {
  for (const int64_t reference : event.GetArray(Param::kRequests)) {
    if (reference == ranksight::reduction::kRequestNull) continue;
    if (reference <= 0 || size_t(reference) > comms->size()) return false;
    int64_t& comm = (*comms)[comms->size() - size_t(reference)];
    if (comm == kOver) return false;
    std::printf(" %d", int(comm));
    comm = kOver;
  }
  return true;
}

int Fail(const char* why) {
  std::fprintf(stderr, "%s\n", why);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return Fail("request_walk TRACE RANK");
  const auto trace = ranksight::reduction::ReadTraceFile(argv[1]);
  if (!trace.ok()) return Fail("no trace");
  auto cursor =
      ranksight::reduction::Cursor::Open(trace.value(), std::atoi(argv[2]));
  if (!cursor.ok()) return Fail("no such rank");
  std::vector<int64_t> comms;  // of each request made
  while (cursor.value().Next()) {
    const Event& event = cursor.value().event();
    if (Makes(event.call())) comms.push_back(event.Get(Param::kComm));
    if (!event.Has(Param::kRequests)) continue;
    std::printf("%d:", int(event.GetArray(Param::kRequests).size()));
    if (!Complete(event, &comms)) return Fail("a request that is not open");
    std::printf("\n");
  }
  for (const int64_t comm : comms) {
    if (comm != kOver) return Fail("a request is left open");
  }
  return 0;
}
