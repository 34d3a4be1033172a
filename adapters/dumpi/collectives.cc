// Collectives; non-blocking ones as blocking ones.
#include <vector>

#include "adapters/dumpi/call_numbers.h"
#include "adapters/dumpi/calls.h"

namespace ranksight::adapters::dumpi {

using reduction::Call;
using reduction::Event;
using reduction::Param;

// Counts, and where each one's share lies.
void Calls::Counts(std::span<const int64_t> counts) {
  std::vector<int64_t> fitting, places;
  int64_t place = 0;
  for (const int64_t n : counts) {
    fitting.push_back(Fit(n));
    places.push_back(Fit(place));
    place += n;
  }
  file_->Ints(fitting);
  file_->Ints(places);
}

bool Calls::Collective(const Event& e) {
  const Call call = reduction::BlockingForm(e.call());
  const int number = NumberOf(call);
  if (number < 0) return false;
  if (!HasComm(e.Get(Param::kComm))) {
    NotExpressed("collectives of communicators that the files do not have");
    return true;
  }
  if (call != e.call()) {
    NotExpressed("non-blocking collectives (made blocking)");
  }
  switch (number) {
    case kBarrier:
      Begin(number);
      break;
    case kBcast:
      Begin(number);
      CountAndType(e, Side::kSend);
      file_->Int(Place(e.Get(Param::kComm), e.Get(Param::kRoot)));
      break;
    case kGather:
    case kGatherv:
    case kScatter:
    case kScatterv:
      Rooted(number, e);
      return true;
    case kAllgather:
    case kAllgatherv:
    case kAlltoall:
    case kAlltoallv:
    case kAlltoallw:
      AllToAll(number, e);
      break;
    default:
      Reduction(number, e);
  }
  Comm(e.Get(Param::kComm));
  return true;
}

void Calls::Rooted(int number, const Event& e) {
  const int64_t comm = e.Get(Param::kComm);
  const int64_t root = e.Get(Param::kRoot);
  const bool is_root = root == rank_;
  const bool gathers = number == kGather || number == kGatherv;
  const bool several = number == kGatherv || number == kScatterv;
  // In the order of the C calls' arguments, which differs between the four.
  Begin(number);
  file_->Int(Place(comm, rank_));
  if (several) file_->Int(comms_.Size(rank_, comm));
  if (number == kScatterv) Type(e, Side::kSend);
  CountAndType(e, gathers ? Side::kSend : Side::kReceive);
  file_->Int(Place(comm, root));
  Comm(comm);
  if (is_root && several) {
    Counts(e.GetArray(gathers ? Param::kRecvCounts : Param::kCounts));
  } else if (is_root) {
    CountAndType(e, gathers ? Side::kReceive : Side::kSend);
  }
  if (number == kGatherv) Type(e, Side::kReceive);
}

// In place, as much is sent as received.
void Calls::AllToAll(int number, const Event& e) {
  const Side sent = e.Get(Param::kInPlace) != 0 ? Side::kReceive : Side::kSend;
  const int64_t size = comms_.Size(rank_, e.Get(Param::kComm));
  const bool sends = sent == Side::kSend;
  const auto counts = e.GetArray(sends ? Param::kCounts : Param::kRecvCounts);
  const auto received = e.GetArray(Param::kRecvCounts);
  Begin(number);
  if (number == kAllgatherv) {
    file_->Int(size);
    if (sends) {
      CountAndType(e, sent);
    } else {
      const int64_t place = Place(e.Get(Param::kComm), rank_);
      const bool known = place >= 0 && place < int64_t(received.size());
      file_->Int(known ? Fit(received[size_t(place)]) : 0);
      Type(e, sent);
    }
    Counts(received);
    return Type(e, Side::kReceive);
  }
  if (number == kAllgather || number == kAlltoall) {
    CountAndType(e, sent);
    return CountAndType(e, Side::kReceive);
  }
  const bool typed = number == kAlltoallw;
  file_->Int(size);
  Counts(counts);
  typed ? Types(e, sent) : Type(e, sent);
  Counts(received);
  typed ? Types(e, Side::kReceive) : Type(e, Side::kReceive);
}

void Calls::Reduction(int number, const Event& e) {
  const int64_t comm = e.Get(Param::kComm);
  Begin(number);
  if (number == kReduceScatter) {
    const int64_t size = comms_.Size(rank_, comm);
    file_->Int(size);
    const auto given = e.GetArray(Param::kCounts);
    std::vector<int64_t> counts(given.begin(), given.end());
    // Of MPI_Reduce_scatter_block: one count, the same for each rank.
    if (given.empty()) counts.assign(size_t(size), e.Get(Param::kCount));
    for (int64_t& n : counts) n = Fit(n);
    file_->Ints(counts);
    Type(e, Side::kSend);
  } else {
    CountAndType(e, Side::kSend);
  }
  file_->Byte(NumberOfOp(e.Get(Param::kReduceOp)));
  if (number == kReduce) file_->Int(Place(comm, e.Get(Param::kRoot)));
}

}  // namespace ranksight::adapters::dumpi
