// MPI_Wait, MPI_Test and their like, for the running rank of a world.
#include <algorithm>

#include "tests/idioms/world/record.h"
#include "tests/idioms/world/world.h"

namespace ranksight::idioms {
namespace {

using reduction::Call;
using reduction::Param;

bool IsActive(MPI_Request request) {
  const Operation* o = OperationOf(request);
  return o != nullptr && o->is_active;
}

bool CanFinish(MPI_Request request) {
  return !IsActive(request) || IsDone(OperationOf(request));
}

// Those that are active and done.
std::vector<int> DoneAmong(int n, const MPI_Request* requests) {
  std::vector<int> done;
  for (int i = 0; i < n; ++i) {
    if (IsActive(requests[i]) && IsDone(OperationOf(requests[i]))) {
      done.push_back(i);
    }
  }
  return done;
}

bool AnyActive(int n, const MPI_Request* requests) {
  return std::any_of(requests, requests + n, IsActive);
}

void Finish(MPI_Request* request, MPI_Status* status, Record* record) {
  Operation* o = OperationOf(*request);
  if (o == nullptr) return;
  if (record != nullptr) record->AddMatch(*o);
  if (!o->is_active) return;
  if (status != MPI_STATUS_IGNORE) {
    status->MPI_SOURCE = o->source;
    status->MPI_TAG = o->matched_tag;
    status->MPI_ERROR = o->matched_count;
  }
  if (o->kind == Operation::Kind::kCollective) Leave(o->comm, o->meeting);
  o->is_active = false;
  if (!o->is_persistent) DropOperation(request);
}

void FinishAll(int n, MPI_Request* requests, MPI_Status* statuses,
               Record* record) {
  for (int i = 0; i < n; ++i) {
    MPI_Status* status =
        statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i;
    Finish(requests + i, status, record);
  }
}

void WaitAll(Call call, int n, MPI_Request* requests, MPI_Status* statuses,
             void* frame) {
  Record record(call, frame);
  record.SetRequests(n, requests);
  while (!std::all_of(requests, requests + n, CanFinish)) {
    World::Now().world->Wait();
  }
  FinishAll(n, requests, statuses, &record);
  record.Push();
}

// Whether a test that could succeed does so this time. Who failed lets others
// go first.
bool Succeeds(bool can) {
  const bool does = can && World::Now().Coin();
  if (!does) World::Now().world->Yield();
  return does;
}

// A few of them, one at least.
std::vector<int> Some(std::vector<int> done) {
  Rank& me = World::Now();
  std::shuffle(done.begin(), done.end(), me.random);
  done.resize(1 + me.Below(done.size()));
  std::sort(done.begin(), done.end());
  return done;
}

void PushDone(const std::vector<int>& done, MPI_Request* requests,
              MPI_Status* statuses, Record* record) {
  for (size_t i = 0; i < done.size(); ++i) {
    MPI_Status* status =
        statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i;
    Finish(requests + done[i], status, record);
  }
  record->SetCompleted(done).Push();
}

std::vector<int> WaitForSome(int n, const MPI_Request* requests) {
  std::vector<int> done;
  while ((done = DoneAmong(n, requests)).empty()) World::Now().world->Wait();
  return done;
}

}  // namespace
}  // namespace ranksight::idioms

using namespace ranksight::idioms;  // NOLINT: what MPI's names stand for

extern "C" {

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  WaitAll(Call::MPI_Wait_, 1, request,
          status == MPI_STATUS_IGNORE ? MPI_STATUSES_IGNORE : status,
          __builtin_frame_address(0));
  return MPI_SUCCESS;
}

int MPI_Waitall(int n, MPI_Request requests[], MPI_Status* statuses) {
  WaitAll(Call::MPI_Waitall_, n, requests, statuses,
          __builtin_frame_address(0));
  return MPI_SUCCESS;
}

int MPI_Waitany(int n, MPI_Request requests[], int* index, MPI_Status* status) {
  Record record(Call::MPI_Waitany_, __builtin_frame_address(0));
  record.SetRequests(n, requests);
  std::vector<int> done;
  if (AnyActive(n, requests)) {
    done = WaitForSome(n, requests);
    done = {done[World::Now().Below(done.size())]};
  }
  *index = done.empty() ? MPI_UNDEFINED : done[0];
  PushDone(done, requests,
           status == MPI_STATUS_IGNORE ? MPI_STATUSES_IGNORE : status, &record);
  return MPI_SUCCESS;
}

int MPI_Waitsome(int n, MPI_Request requests[], int* count, int indices[],
                 MPI_Status statuses[]) {
  Record record(Call::MPI_Waitsome_, __builtin_frame_address(0));
  record.SetRequests(n, requests);
  std::vector<int> done;
  *count = MPI_UNDEFINED;
  if (AnyActive(n, requests)) {
    done = Some(WaitForSome(n, requests));
    *count = int(done.size());
  }
  std::copy(done.begin(), done.end(), indices);
  PushDone(done, requests, statuses, &record);
  return MPI_SUCCESS;
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  Record record(Call::MPI_Test_, __builtin_frame_address(0));
  *flag = Succeeds(CanFinish(*request)) ? 1 : 0;
  if (*flag == 0) return MPI_SUCCESS;
  record.SetRequests(1, request);
  Finish(request, status, &record);
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Testall(int n, MPI_Request requests[], int* flag,
                MPI_Status statuses[]) {
  Record record(Call::MPI_Testall_, __builtin_frame_address(0));
  *flag = Succeeds(std::all_of(requests, requests + n, CanFinish)) ? 1 : 0;
  if (*flag == 0) return MPI_SUCCESS;
  record.SetRequests(n, requests);
  FinishAll(n, requests, statuses, &record);
  record.Push();
  return MPI_SUCCESS;
}

int MPI_Testany(int n, MPI_Request requests[], int* index, int* flag,
                MPI_Status* status) {
  Record record(Call::MPI_Testany_, __builtin_frame_address(0));
  std::vector<int> done = DoneAmong(n, requests);
  const bool none = !AnyActive(n, requests);
  *flag = none || Succeeds(!done.empty()) ? 1 : 0;
  *index = MPI_UNDEFINED;
  if (*flag == 0) return MPI_SUCCESS;
  record.SetRequests(n, requests);
  if (!done.empty()) done = {done[World::Now().Below(done.size())]};
  if (!done.empty()) *index = done[0];
  PushDone(done, requests,
           status == MPI_STATUS_IGNORE ? MPI_STATUSES_IGNORE : status, &record);
  return MPI_SUCCESS;
}

int MPI_Request_free(MPI_Request* request) {
  Record record(Call::MPI_Request_free_, __builtin_frame_address(0));
  record.SetRequests(1, request);
  DropOperation(request);
  record.Push();
  return MPI_SUCCESS;
}

}  // extern "C"
