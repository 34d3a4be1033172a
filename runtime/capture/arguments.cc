#include "runtime/capture/arguments.h"

namespace ranksight::runtime {

using reduction::Param;

void Arguments::Begin(reduction::Call call, Tables* tables,
                      RequestTable::Maker maker) {
  event_.Reset(call);
  tables_ = tables;
  maker_ = maker;
  in_place_ = false;
  requests_ = nullptr;
  failed_ = failed_in_status_ = did_nothing_ = false;
  take_back_ = nullptr;
  unseen_types_.clear();
  unseen_comms_.clear();
  lasting_ = true;
  on_unknown_comm_ = false;
  held_.clear();
  choices_.clear();
  matched_.clear();
  matched_tags_.clear();
}

void Arguments::Color(int color) {
  event_.Add(color == MPI_UNDEFINED ? reduction::kColorUndefined : color);
}

void Arguments::FirstMember() {
  first_member_at_ = event_.values().size();
  event_.Add(reduction::kColorUndefined);
}

void Arguments::Tag(int tag) {
  event_.Add(tag == MPI_ANY_TAG ? reduction::kTagAny : tag);
}

void Arguments::Peer(int peer, MPI_Comm comm) {
  if (!tables_->comms.Knows(comm)) {
    unseen_comms_.push_back({comm, event_.values().size(), peer});
  }
  event_.Add(tables_->comms.WorldRank(peer, comm));
}

void Arguments::Root(int root, MPI_Comm comm) { Peer(root, comm); }

void Arguments::Comm(MPI_Comm comm) {
  if (!tables_->comms.Knows(comm)) {
    unseen_comms_.push_back({comm, event_.values().size(), std::nullopt});
  }
  event_.Add(tables_->comms.Get(comm).number);
}

// One that is known is kept elsewhere too: it tells each rank alone whether the
// way to the other group was recorded.
void Arguments::PeerComm(MPI_Comm peers, int leader, MPI_Comm comm) {
  const bool leads = tables_->comms.Get(comm).rank == leader;
  Comm(leads || tables_->comms.Knows(peers) ? peers : MPI_COMM_NULL);
}

void Arguments::RemoteLeader(int rank, MPI_Comm peers, int leader,
                             MPI_Comm comm) {
  const bool leads = tables_->comms.Get(comm).rank == leader;
  Peer(rank, leads || tables_->comms.Knows(peers) ? peers : MPI_COMM_NULL);
}

// In an intercommunicator the root says so itself.
bool Arguments::IsRoot(int root, MPI_Comm comm) {
  if (CommTable::SaysRoot(root)) return true;
  const CommInfo& info = tables_->comms.Get(comm);
  return info.rank == root && !info.is_inter;
}

void Arguments::InPlace(const void* buffer, InPlaceKind kind) {
  const bool given = buffer == MPI_IN_PLACE;
  event_.Add(given ? 1 : 0);
  in_place_ = given && kind != InPlaceKind::kNoted;
  in_place_side_ =
      kind == InPlaceKind::kReceiveSide ? Side::kReceive : Side::kSend;
}

void Arguments::Count(int64_t count, Side side, bool significant) {
  event_.Add(significant && !Absent(side) ? count : 0);
}

void Arguments::Type(MPI_Datatype type, Side side, bool significant) {
  TypeInfo info;
  if (significant && !Absent(side)) {
    info = Known(type, event_.values().size(), 1, 3);
  }
  event_.Add(info.kind);
  event_.Add(info.size);
  event_.Add(info.excess);
}

// The array of a reduce-scatter is over the own group, all others are over
// the group that the peers are in.
size_t Arguments::CountsLength(MPI_Comm comm) {
  const CommInfo& info = tables_->comms.Get(comm);
  using reduction::Call;
  const bool own = event_.call() == Call::MPI_Reduce_scatter_ ||
                   event_.call() == Call::MPI_Ireduce_scatter_ ||
                   event_.call() == Call::MPI_Reduce_scatter_init_;
  return size_t(own ? info.size : info.peers);
}

void Arguments::AddList() {
  event_.Add(int64_t(values_.size()));
  event_.AddArray(values_);
}

// Of handles_: all kinds, all sizes, and all excesses where there are 3 fields.
void Arguments::AddTypes(size_t fields) {
  const size_t n = handles_.size(), at = event_.values().size();
  values_.assign(3 * n, 0);
  for (size_t i = 0; i < n; ++i) {
    const TypeInfo info = Known(handles_[i], at + i, n, fields);
    values_[i] = info.kind;
    values_[n + i] = info.size;
    values_[2 * n + i] = info.excess;
  }
  const std::span<const int64_t> values = values_;
  for (size_t f = 0; f < fields; ++f) {
    event_.AddArray(values.subspan(f * n, n));
  }
}

TypeInfo Arguments::Known(MPI_Datatype type, size_t at, size_t step,
                          size_t fields) {
  if (const TypeInfo* info = tables_->types.Find(type)) return *info;
  unseen_types_.push_back({type, at, step, fields});
  return {};
}

void Arguments::LookAtUnseen() {
  const std::span<int64_t> values = event_.MutableValues();
  for (const UnseenType& u : unseen_types_) {
    const TypeInfo& info = tables_->types.Get(u.type);
    lasting_ &= info.lasts;
    const int64_t fields[] = {info.kind, info.size, info.excess};
    for (size_t f = 0; f < u.fields; ++f) {
      values[u.at + f * u.step] = fields[f];
    }
  }
  CommTable& comms = tables_->comms;
  for (const UnseenComm& u : unseen_comms_) {
    const CommInfo& info =
        comms.Knows(u.comm) ? comms.Get(u.comm) : comms.LookAt(u.comm);
    lasting_ &= info.lasts;
    on_unknown_comm_ |= !info.lasts;
    values[u.at] =
        u.peer ? CommTable::WorldRank(*u.peer, info.world_ranks) : info.number;
  }
}

void Arguments::Remain(const int* remain, MPI_Comm cart) {
  const int dims = tables_->comms.DimCount(cart);
  values_.clear();
  for (int i = 0; i < dims; ++i) values_.push_back(remain[i] != 0);
  AddList();
}

void Arguments::Group(MPI_Group group) {
  values_ = tables_->comms.WorldRanks(group);
  AddList();
}

void Arguments::LookUp(const MPI_Request* requests, int n,
                       const MPI_Request* now) {
  passed_.clear();
  claimed_ = false;
  // Handles may have been changed by MPI already: what they were tells the
  // requests, and what they are now tells which have ended.
  requests_ = now != nullptr ? now : requests;
  made_before_ = tables_->requests.made();
  tables_->requests.BeginCall();
  held_.resize(size_t(std::max(n, 0)));
  for (size_t i = 0; i < held_.size(); ++i) {
    passed_.push_back(
        tables_->requests.Reference(requests[i], &held_[i], maker_));
  }
  reduction::SortRequests(passed_, &order_);
  choices_.clear();
  if (tables_->requests.HasChoices()) {
    for (const auto& h : held_) {
      const auto* peers = RequestTable::ChoiceOf(h);
      choices_.push_back(peers == nullptr ? std::nullopt
                                          : std::optional(*peers));
    }
  }
}

void Arguments::Request(const MPI_Request* request, const MPI_Request* now) {
  LookUp(request, 1, now);
  event_.Add(1);
  event_.AddArray(passed_);
}

void Arguments::Requests(const MPI_Request* requests, int n) {
  LookUp(requests, n, nullptr);
  event_.AddArray(passed_);
}

void Arguments::OpenRequests(const MPI_Request* requests, int n,
                             const MPI_Request* now) {
  LookUp(requests, n, now);
  values_.clear();
  for (const size_t i : order_) values_.push_back(passed_[i]);
  AddList();
}

void Arguments::SomeOfRequests(const MPI_Request* requests, int n,
                               const MPI_Request* now) {
  LookUp(requests, n, now);
}

void Arguments::ClaimAll() {
  claimed_ = true;
  for (const auto& h : held_) tables_->requests.Claim(h);
}

void Arguments::NewRequest(const MPI_Request* request, bool persistent) {
  if (Made()) tables_->requests.Add(*request, persistent, maker_);
}

void Arguments::NewComm(const MPI_Comm* comm) {
  const bool none = !Made() || *comm == MPI_COMM_NULL;
  event_.Add(none ? 0 : tables_->comms.Add(*comm).size);
}

void Arguments::NewPart(const MPI_Comm* comm) {
  NewComm(comm);
  if (!Made() || *comm == MPI_COMM_NULL) return;
  event_.MutableValues()[first_member_at_] = tables_->comms.WorldRank(0, *comm);
}

void Arguments::NewDuplicate(const MPI_Comm* comm, MPI_Comm parent) {
  event_.Add(Made() ? tables_->comms.AddDuplicate(*comm, parent).size : 0);
}

void Arguments::DoneIndices(const int* indices, int count) {
  std::vector<bool> is_done(passed_.size(), false);
  for (int i = 0; !failed_ && count != MPI_UNDEFINED && i < count; ++i) {
    if (indices[i] >= 0 && size_t(indices[i]) < is_done.size()) {
      is_done[size_t(indices[i])] = true;
    }
  }
  std::erase_if(order_, [&](size_t i) { return !is_done[i]; });
  values_.clear();
  for (const size_t i : order_) values_.push_back(passed_[i]);
  AddList();
  event_.Add(0);
  event_.AddArray({});
}

// Other threads may have made requests during the call.
void Arguments::CountReferencesFromNow() {
  const int64_t more = tables_->requests.made() - made_before_;
  if (held_.empty() || more == 0) return;
  for (int64_t& reference : event_.MutableArray(Param::kRequests)) {
    if (reference > 0) reference += more;
  }
  for (int64_t& reference : passed_) {
    if (reference > 0) reference += more;
  }
}

// An error of another class may have come after a message.
bool RefusedArguments(int result) {
  if (result == MPI_SUCCESS) return false;
  int error_class = MPI_SUCCESS;
  PMPI_Error_class(result, &error_class);
  switch (error_class) {
    case MPI_ERR_ARG:
    case MPI_ERR_BUFFER:
    case MPI_ERR_COMM:
    case MPI_ERR_COUNT:
    case MPI_ERR_OP:
    case MPI_ERR_RANK:
    case MPI_ERR_ROOT:
    case MPI_ERR_TAG:
    case MPI_ERR_TYPE:
      return true;
    default:
      return false;
  }
}

void Arguments::Returned(int result) {
  CountReferencesFromNow();
  int error_class = MPI_SUCCESS;
  if (result != MPI_SUCCESS) PMPI_Error_class(result, &error_class);
  // The outputs then say which of the requests failed.
  failed_in_status_ = error_class == MPI_ERR_IN_STATUS;
  failed_ = error_class != MPI_SUCCESS && !failed_in_status_;
  if (!failed_) {
    LookAtUnseen();
  } else if (!unseen_types_.empty()) {
    lasting_ = false;
  }
  if (failed_ && take_back_) {
    take_back_();
    did_nothing_ = true;
  }
  // What became of requests their handles tell.
  if (held_.empty() && RefusedArguments(result)) did_nothing_ = true;
}

// After a call that failed, if only for one of them, only the handles tell what
// became of the requests.
void Arguments::FinishNulled() {
  for (size_t i = 0; i < held_.size(); ++i) {
    if (requests_[i] == MPI_REQUEST_NULL) {
      tables_->requests.Finish(held_[i], false);
    } else if (claimed_) {
      tables_->requests.Unclaim(held_[i],
                                HasChoice(i) ? &*choices_[i] : nullptr);
    }
  }
}

void Arguments::FinishAll() {
  const bool freed = event_.call() == reduction::Call::MPI_Request_free_;
  did_nothing_ = failed_ && freed;
  if (failed_ || failed_in_status_) {
    FinishNulled();
    return OmitLeft();
  }
  for (const auto& h : held_) tables_->requests.Finish(h, freed);
}

// The event is about the requests that the call is done with.
void Arguments::OmitLeft() {
  for (size_t i = 0; i < passed_.size(); ++i) {
    if (IsLeft(i)) passed_[i] = reduction::kRequestNull;
  }
  reduction::SetRequests(passed_, &event_);
}

void Arguments::FinishAt(const int* indices, int count) {
  if (failed_) return FinishNulled();
  for (int i = 0; count != MPI_UNDEFINED && i < count; ++i) {
    if (indices[i] >= 0 && size_t(indices[i]) < held_.size()) {
      tables_->requests.Finish(held_[size_t(indices[i])], false);
    }
  }
}

}  // namespace ranksight::runtime
