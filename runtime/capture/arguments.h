// Turns the arguments of one MPI call into the parameters of its event. The
// generated wrappers call one method for each role, in order.
//
// Thread-safety: one caller at a time (the recorder's lock), between the two
// halves of a call the object belongs to its thread.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "reduction/api/event.h"
#include "runtime/capture/comm_table.h"
#include "runtime/capture/object_table.h"
#include "runtime/capture/request_table.h"
#include "runtime/capture/type_table.h"

namespace ranksight::runtime {

// Whether a receive or probe leaves something to choose.
inline bool AsksForAny(int peer, int tag) {
  return peer == MPI_ANY_SOURCE ||
         (tag == MPI_ANY_TAG && peer != MPI_PROC_NULL);
}

// What a receive or probe matched: a rank of the world, or kNone.
struct Match {
  int64_t source, tag;
};
// From the status of a call that received or probed. Nothing cancels such a
// call, and MPICH (4.0.2) leaves the status of a probe uninitialised there.
Match MatchOfReceived(const WorldRanksOfPeers& peers, const MPI_Status& status);
// The same of a completed request, which may have been cancelled.
// failed_in_status: it came with MPI_ERR_IN_STATUS.
Match MatchOf(const WorldRanksOfPeers& peers, const MPI_Status& status,
              bool failed_in_status);

enum class Side { kSend, kReceive };
enum class InPlaceKind { kNoted, kSendSide, kReceiveSide };

// What is known of this rank's MPI objects.
struct Tables {
  CommTable comms;
  TypeTable types;
  RequestTable requests;
  WindowTable windows;
  ObjectTable files;
  ObjectTable sessions;

  // Whether what is made from now on gets a number. Readers number what the
  // trace says was made.
  void Count(bool on) {
    comms.Count(on);
    requests.Count(on);
    windows.Count(on);
    files.Count(on);
    sessions.Count(on);
  }
};

// Whether a call returned that what it was given is wrong: it did nothing.
bool RefusedArguments(int result);

class Arguments {
 public:
  // maker: the calling thread, as the request table is to know it.
  void Begin(reduction::Call call, Tables* tables, RequestTable::Maker maker);
  reduction::Event& event() { return event_; }

  void Scalar(int64_t v) { event_.Add(v); }
  void Color(int color);
  // Of what the call makes: its place, until NewPart knows.
  void FirstMember();
  void Tag(int tag);
  void Peer(int peer, MPI_Comm comm);
  void Root(int root, MPI_Comm comm);
  void Comm(MPI_Comm comm);
  void Op(MPI_Op op) { event_.Add(tables_->types.OpCode(op)); }
  bool IsRoot(int root, MPI_Comm comm);
  // In the group of an intercommunicator's root only the root takes part, and
  // has no share of its own in what is gathered or scattered.
  static bool IsParty(int root) { return root != MPI_PROC_NULL; }
  static bool IsNonRoot(int root) {
    return IsParty(root) && !CommTable::SaysRoot(root);
  }
  // Leads to the other group, where this rank leads its own; elsewhere it may
  // be anything.
  void PeerComm(MPI_Comm peers, int leader, MPI_Comm comm);
  void RemoteLeader(int rank, MPI_Comm peers, int leader, MPI_Comm comm);
  void InPlace(const void* buffer, InPlaceKind kind);
  void Count(int64_t count, Side side, bool significant);
  void Type(MPI_Datatype type, Side side, bool significant);
  template <class Int>
  void Counts(const Int* counts, MPI_Comm comm, Side side, bool significant) {
    const size_t n = significant && !Absent(side) && counts != nullptr
                         ? CountsLength(comm)
                         : 0;
    values_.assign(counts, counts + n);
    AddList();
  }
  // Those of which nothing is sent or received may be anything.
  template <class Int>
  void Types(const MPI_Datatype* types, const Int* counts, MPI_Comm comm,
             Side side) {
    TakeTypes(types, counts, Absent(side) ? 0 : CountsLength(comm));
    AddTypes(3);
  }
  template <class Int>
  void Array(const Int* values, int n) {
    values_.assign(values, values + std::max(n, 0));
    event_.AddArray(values_);
  }
  void Remain(const int* remain, MPI_Comm cart);
  void Group(MPI_Group group);
  // now: the same requests after the call, where `requests` is a copy.
  // Of a call with one, one that starts them, one that completes all of them,
  // and one that completes some: then DoneIndex or DoneIndices says which.
  void Request(const MPI_Request* request, const MPI_Request* now = nullptr);
  void Requests(const MPI_Request* requests, int n);
  void OpenRequests(const MPI_Request* requests, int n,
                    const MPI_Request* now = nullptr);
  void SomeOfRequests(const MPI_Request* requests, int n,
                      const MPI_Request* now = nullptr);
  // References to the requests passed, in the program's order; those that name
  // one, in the order in which the event has them, by place.
  const std::vector<int64_t>& passed() const { return passed_; }
  const std::vector<size_t>& order() const { return order_; }
  // The call finishes with all of them, if it does not fail: meanwhile other
  // threads may be given their handles again.
  void ClaimAll();
  void ForgetComm(const MPI_Comm* comm) {
    unseen_comms_.clear();  // none any more after the call
    Release(&tables_->comms, *comm);
  }

  // An argument that only the root gives.
  void AtRoot(int64_t v, bool significant) { event_.Add(significant ? v : 0); }
  void Window(MPI_Win window);
  void WindowPeer(int rank, MPI_Win window);
  void ForgetWindow(const MPI_Win* w) { Release(&tables_->windows, *w); }
  void File(MPI_File file) { event_.Add(tables_->files.Number(file)); }
  void ForgetFile(const MPI_File* f) { Release(&tables_->files, *f); }
  template <class Handle>
  void Session(Handle session) {
    event_.Add(tables_->sessions.Number(session));
  }
  template <class Handle>
  void ForgetSession(const Handle* s) {
    Release(&tables_->sessions, *s);
  }
  void LockType(int type);
  // As reduction/api/modes.def numbers them.
  void Assertion(int bits);
  void Access(int bits);
  void Whence(int whence);
  void ArrayOrder(int order);
  void Element(MPI_Datatype type);
  void TypeReference(const MPI_Datatype* type, bool freed);
  void ItemTypes(const MPI_Datatype* types, int n);
  void Ranks(const int* ranks, int n, MPI_Comm comm);
  void AllDestinations(const int* ranks, const int* degrees, int n,
                       MPI_Comm comm);
  void Edges(const int* edges, const int* index, int nodes);
  // Over the neighbours of a communicator with a topology: sources receive.
  template <class Int>
  void NeighbourCounts(const Int* counts, MPI_Comm comm, Side side) {
    const int n = tables_->comms.NeighbourCount(comm, side == Side::kReceive);
    values_.assign(counts, counts + n);
    AddList();
  }
  template <class Int>
  void NeighbourTypes(const MPI_Datatype* types, const Int* counts,
                      MPI_Comm comm, Side side) {
    const bool in = side == Side::kReceive;
    TakeTypes(types, counts, size_t(tables_->comms.NeighbourCount(comm, in)));
    AddTypes(3);
  }

  // What the call returned, before its outputs are read: those of a failed
  // call mean nothing.
  void Returned(int result);

  void NewRequest(const MPI_Request* request, bool persistent);
  // The peers among whom a receive or probe on comm finds its match; none where
  // MPI does not tell.
  WorldRanksOfPeers Choice(MPI_Comm comm);
  // Of a receive asking for peer and tag.
  void NewReceive(const MPI_Request* request, bool persistent, int peer,
                  int tag, MPI_Comm comm);
  void NewComm(const MPI_Comm* comm);
  // With its first member, which tells the parts of one call apart.
  void NewPart(const MPI_Comm* comm);
  // The duplicate is not usable yet, so what is known of the parent is taken.
  void NewDuplicate(const MPI_Comm* comm, MPI_Comm parent);
  void NewWindow(const MPI_Win* window);
  void NewFile(const MPI_File* file) {
    if (Made()) tables_->files.Add(*file);
  }
  template <class Handle>
  void NewSession(const Handle* session) {
    if (Made()) tables_->sessions.Add(*session);
  }
  void NewGroup(const MPI_Group* group);
  void NewType(const MPI_Datatype* type);
  void DoneIndex(int index) {
    DoneIndices(&index, index == MPI_UNDEFINED ? 0 : 1);
  }
  void DoneIndices(const int* indices, int count);
  // What the call gets for its statuses: own ones, when the program wants
  // none and one of its requests, or the call itself (any), has a choice.
  MPI_Status* Statuses(MPI_Status* given);
  MPI_Status* Statuses(MPI_Status* given, bool any) {
    return any ? OrOwn(given, 1) : given;
  }
  MPI_Status* OrOwn(MPI_Status* given, int count);
  // What was matched, from the statuses after the call: by a receive or
  // probe that asked for peer and tag, by the requests, by some of them.
  void Matched(int peer, int tag, MPI_Comm comm, const MPI_Status* status);
  void MatchedAll(const MPI_Status* statuses);
  void MatchedAt(const int* indices, int count, const MPI_Status* statuses);
  // Whether the call failed, so that its outputs mean nothing.
  bool failed() const { return failed_; }
  // Whether a communicator was not known before the call.
  bool has_unseen_comm() const { return !unseen_comms_.empty(); }
  // Whether the same arguments mean the same next time.
  bool lasting() const { return lasting_; }
  // Whether it names a communicator that was not seen being made.
  bool on_unknown_comm() const { return on_unknown_comm_; }
  // Whether it failed to make, or to free, what it should, or refused its
  // arguments: it counts as not made.
  bool did_nothing() const { return did_nothing_; }
  void FinishAll();
  void FinishAt(const int* indices, int count);

 private:
  bool Absent(Side side) const { return in_place_ && side == in_place_side_; }
  bool Made() {
    did_nothing_ = failed_;
    return !failed_;
  }
  // Before a call that frees the handle: another thread may be given it before
  // this one hears of that. It means again what it did if the call fails.
  template <class Table, class Handle>
  void Release(Table* table, Handle handle) {
    take_back_ = [table, handle, known = table->Forget(handle)] {
      table->PutBack(handle, known);
    };
  }
  void AddList();
  size_t CountsLength(MPI_Comm comm);
  template <class Int>
  void TakeTypes(const MPI_Datatype* types, const Int* counts, size_t n) {
    handles_.assign(types, types + n);
    for (size_t i = 0; i < n; ++i) {
      if (counts[i] <= 0) handles_[i] = MPI_DATATYPE_NULL;
    }
  }
  void AddTypes(size_t fields);
  TypeInfo Known(MPI_Datatype type, size_t at, size_t step, size_t fields);
  void LookAtUnseen();
  void LookUp(const MPI_Request* requests, int n, const MPI_Request* now);
  void FinishNulled();
  void OmitLeft();
  // Whether the call is not done with the request, of those it should be.
  bool IsLeft(size_t i) const {
    return requests_[i] != MPI_REQUEST_NULL && held_[i].number >= 0;
  }
  bool HasChoice(size_t i) const {
    return !choices_.empty() && choices_[i].has_value();
  }
  void CountReferencesFromNow();
  void AddMatched(const Match& match);
  void EndMatched();

  // Handles that the tables do not know may be none. MPI is asked about them
  // once it has taken them; where in the event's values that belongs.
  struct UnseenType {
    MPI_Datatype type;
    size_t at, step, fields;
  };
  struct UnseenComm {
    MPI_Comm comm;
    size_t at;
    std::optional<int> peer;  // whose rank it is; nullopt: its own number
  };

  reduction::Event event_;
  std::vector<UnseenType> unseen_types_;
  std::vector<UnseenComm> unseen_comms_;
  std::vector<MPI_Datatype> handles_;
  Tables* tables_ = nullptr;
  RequestTable::Maker maker_ = nullptr;
  bool in_place_ = false;
  size_t first_member_at_ = 0;  // in the event's values
  Side in_place_side_ = Side::kSend;
  std::vector<int64_t> values_;
  const MPI_Request* requests_ = nullptr;
  std::vector<int64_t> passed_;
  std::vector<size_t> order_;
  int64_t made_before_ = 0;
  bool failed_ = false;
  bool failed_in_status_ = false;
  bool did_nothing_ = false;
  std::function<void()> take_back_;
  bool lasting_ = true;
  bool on_unknown_comm_ = false;
  bool claimed_ = false;
  std::vector<RequestTable::Held> held_;
  // Of each: the peers it has to choose from. Empty where none has a choice.
  std::vector<std::optional<WorldRanksOfPeers>> choices_;
  std::vector<MPI_Status> statuses_;
  std::vector<int64_t> matched_, matched_tags_;
};

}  // namespace ranksight::runtime
