// RankWalk: one rank's calls in order with what simulators and timelines ask
// for: how long each took, and which messages a completion call completes.
//
// Times are the means of the event's first and later occurrences over all
// ranks: a rank's own speed and jitter are not in them.
//
// Complexity: O(1) a call plus its requests. Memory: the structure, and the
// requests as far back as any call refers.
// Thread-safety: one walk, one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "reduction/api/cursor.h"
#include "reduction/api/look_ahead.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction {

// What a request stands for.
struct Request {
  enum class Kind : uint8_t { kNone, kSend, kReceive, kBoth, kOther };
  Kind kind = Kind::kNone;
  int64_t number = 0;  // of this rank's requests, persistent ones negative
  int64_t comm = 0;
  int64_t peer = 0, tag = 0, bytes = 0;  // of a receive where it is both
  int64_t send_peer = 0, send_tag = 0, send_bytes = 0;
  // Of a receive that received nothing (look_ahead.h); only in walks opened
  // with OpenAhead.
  bool cancelled = false;
};

class RankWalk {
 public:
  // form() of an event like which none is remembered.
  static constexpr size_t kNoForm = SIZE_MAX;

  static Result<RankWalk> Open(const Trace& trace, int64_t rank);
  // Requests of receives that asked for any source or tag name what they will
  // match, as far as that is recorded, and say whether they are cancelled.
  // Costs a second walk where a receive asks for any, or a call cancels.
  static Result<RankWalk> OpenAhead(const Trace& trace, int64_t rank);
  // False at the end or on an error: see status().
  bool Next();
  const Status& status() const;

  const Event& event() const { return cursor_.event(); }
  const Node& node() const { return cursor_.node(); }
  uint64_t occurrence() const { return cursor_.occurrence(); }
  uint64_t round() const { return cursor_.round(); }
  // The same number, counted from 0, wherever the walk meets the same node
  // with the same values of all parameters, which most events repeat: what is
  // made of them need be made but once. What a request is numbered is no value.
  size_t form() const { return form_; }
  double compute_ns() const;
  double call_ns() const;
  // The number of the communicator this call obtained, or -1.
  int64_t new_comm() const { return new_comm_; }
  // The request this call made; kNone when it made none.
  const Request& made() const { return made_; }
  // What this call completes, in the order of its requests; what was
  // completed before is not among them.
  const std::vector<Request>& completed() const { return completed_; }
  // What MPI_Request_free gives up while it is under way.
  const std::vector<Request>& freed() const { return freed_; }
  // What MPI_Start and MPI_Startall start.
  const std::vector<Request>& started() const { return started_; }

 private:
  RankWalk(Cursor cursor, size_t ring);
  // The events seen at a node, as far as they are few and short.
  struct Forms {
    struct Seen {
      std::vector<int64_t> values;
      size_t form;
      size_t next;  // of those seen, what came behind it
    };
    std::vector<Seen> seen;
    size_t last = 0;
    int failures = 0;  // since one was found
  };

  void FindForm();
  void Make();
  const Request& RequestOfEvent();
  void Foresee(Request* request);
  void Complete();
  void Take(int64_t reference, std::vector<Request>* taken);
  void Begin(int64_t reference);
  Request* Find(int64_t reference);

  Cursor cursor_;
  std::vector<Request> ring_;  // a power of two
  std::vector<Request> persistent_;
  std::vector<Request> active_;  // by persistent number; kNone: not started
  std::unique_ptr<LookAhead> ahead_;
  int64_t requests_made_ = 0;
  int64_t comms_made_ = 2;
  int64_t new_comm_ = -1;
  std::vector<Forms> forms_;  // by place
  size_t form_ = kNoForm, forms_made_ = 0;
  std::vector<Request> made_by_form_;
  Request made_;
  std::vector<Request> completed_, freed_, started_;
};

// The messages of a blocking send, receive or both, as a request would stand
// for them; kNone for any other call: probes start no message, and a matched
// receive takes one whose sender and tag are not among its parameters.
Request BlockingMessage(const Event& e);
// The same for calls that make a request, too; not for persistent ones.
Request MessageOf(const Event& e);

// Requests back that any call of the trace refers to, at least 1.
uint64_t FarthestRequest(const Trace& trace);

}  // namespace ranksight::reduction
