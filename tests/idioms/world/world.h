// World: all ranks of a program in one thread of this process, and an MPI
// among them. A rank is a fiber that runs until it has to wait for another
// one; who goes on then, what came first of several requests, and how often a
// test fails is drawn from the seed. So a world does what a real run may do,
// again and again the same.
//
// Only what programs decide by is carried: numbers of MPI_INT. Sends are
// buffered; collectives wait for all members, as MPI allows.
//
// Thread-safety: one world at a time in a process, in one thread.
#pragma once

#include <mpi.h>
#include <ucontext.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "reduction/api/folder.h"
#include "reduction/api/trace.h"

namespace ranksight::idioms {

// Where the members of a communicator, or their parts of a collective, meet.
struct Meeting {
  // What member i brought; two numbers for each where it brought a choice.
  std::vector<std::vector<int>> brought;
  size_t here = 0, left = 0;
  bool IsComplete() const { return here == brought.size(); }
};

struct Group {
  int context = 0;
  std::vector<int> members;  // ranks of the world
  std::map<int64_t, Meeting> meetings;
  // Groups made by splitting this one, by which call and which part.
  std::map<std::pair<int64_t, int64_t>, std::shared_ptr<Group>> parts;
};

// A communicator, as one rank holds it.
struct Communicator {
  std::shared_ptr<Group> group;
  int64_t number = 0;  // as in the canonical text
  int rank = 0;
  int64_t meetings = 0;                  // so far
  std::vector<int> dims, period;         // of a Cartesian one
  size_t sources = 0, destinations = 0;  // of a graph
  int size() const { return int(group->members.size()); }
};

struct TypeInfo {
  int64_t kind = 0, size = 0, excess = 0;
};

// A request, active or not.
struct Operation {
  enum class Kind { kSend, kReceive, kCollective };
  Kind kind = Kind::kSend;
  bool is_persistent = false, is_active = false, is_complete = false;
  bool waits_for_match = false;  // of a synchronous send
  bool has_choice = false;       // asks for any source or tag
  int64_t number = 0;            // among those of its kind, persistent or not
  int owner = 0;                 // rank of the world
  int peer = 0, tag = 0, count = 0;
  const void* given = nullptr;
  void* taken = nullptr;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  Communicator* comm = nullptr;
  int64_t meeting = 0;
  int source = MPI_ANY_SOURCE, matched_tag = MPI_ANY_TAG, matched_count = 0;
};

struct Message {
  int context = 0, source = 0, tag = 0, count = 0;
  std::vector<int> numbers;
  Operation* synchronous = nullptr;
};

class World;

struct Rank {
  explicit Rank(World* w, int number, uint64_t seed);

  World* world;
  int number;
  reduction::Folder folder;
  std::mt19937_64 random;
  std::deque<Message> unexpected;
  std::vector<Operation*> posted;
  std::vector<std::unique_ptr<Operation>> operations;  // by handle
  std::vector<size_t> free_handles;
  std::map<int, Communicator> comms;
  std::map<int, TypeInfo> types;
  std::map<int, std::vector<int>> groups;
  std::map<int, std::pair<int64_t, Communicator*>> windows;
  int64_t made = 0, made_persistent = 0, comm_numbers = 2, window_numbers = 0;
  int handles = 0;  // of everything else
  // Call paths known, by what they are made of; and what lies outermost.
  std::unordered_map<uint64_t, uint32_t> sites;
  uint32_t module = 0;
  uint64_t phase = 0;
  void* outermost = nullptr;
  uint64_t events = 0;
  std::vector<reduction::MadeDims> made_dims;

  bool Coin() { return (random() & 1) != 0; }
  size_t Below(size_t n) { return size_t(random() % n); }

  ucontext_t context{};
  std::vector<char> stack;
  bool is_waiting = false, is_over = false;
};

class World {
 public:
  World(int ranks, uint64_t seed);
  // body: what a rank does between MPI_Init and MPI_Finalize. False when the
  // ranks wait for one another, or a message was left over.
  bool Run(const std::function<void(Rank*)>& body);
  // All ranks' events as one trace, as the end of a recording makes it.
  reduction::Trace MergedTrace() const;

  int size() const { return int(ranks_.size()); }
  Rank& rank(int r) { return *ranks_[size_t(r)]; }
  std::shared_ptr<Group> NewGroup(std::vector<int> members);

  // Of the running rank: until somebody wakes it; and let others go first.
  void Wait();
  void Yield();
  void Wake(int rank);
  static Rank& Now() { return *now_; }

 private:
  static void Enter(unsigned high, unsigned low);
  void Resume(Rank* rank);

  std::vector<std::unique_ptr<Rank>> ranks_;
  std::vector<int> ready_;
  std::mt19937_64 random_;
  std::function<void(Rank*)> body_;
  ucontext_t scheduler_{};
  int contexts_ = 2;
  static inline Rank* now_ = nullptr;
};

// The communicator, type, request, ... that a handle of the running rank
// stands for.
Communicator& CommOf(MPI_Comm comm);
TypeInfo InfoOf(MPI_Datatype type);
Operation* OperationOf(MPI_Request request);
MPI_Comm KeepComm(Communicator comm);
MPI_Request KeepOperation(std::unique_ptr<Operation> operation);
void DropOperation(MPI_Request* request);
// Rank in the world, or what stands for none and any.
int64_t WorldRank(int peer, const Communicator& comm);

// Brings something to the next meeting of a communicator; its number.
int64_t Arrive(Communicator* comm, std::vector<int> brought);
// Whether everybody is there. REQUIRES: the caller has arrived.
bool IsMet(const Communicator& comm, int64_t meeting);
// Waits for everybody; what each brought. Once for each arrival.
std::vector<std::vector<int>> Meet(Communicator* comm,
                                   std::vector<int> brought);
void Leave(Communicator* comm, int64_t meeting);

// A message to a rank that has to get it sooner or later; and a receive.
void Deliver(const Operation& send, Operation* synchronous);
void Post(Operation* receive);
void Begin(Operation* operation);
bool IsDone(Operation* operation);

}  // namespace ranksight::idioms
