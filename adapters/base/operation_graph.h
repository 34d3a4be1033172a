// OperationGraph: what one rank does as a graph of operations (computation,
// messages, joins), each behind those that it waits for, for simulators that
// read schedules. Program order holds; what does not block is waited for where
// the program completed it. Collectives become messages in textbook algorithms
// unless the format takes them whole.
//
// Invariants:
// 1. Operations are numbered from 1 in the order in which they are added.
// 2. An operation depends on earlier ones only, and on the start alone
//    (started_only) of none but the one just before it.
// Memory: the messages under way, and the rounds of one collective.
// Thread-safety: one graph, one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "adapters/api/adapter.h"
#include "adapters/base/message_tags.h"
#include "reduction/api/communicators.h"
#include "reduction/api/messages.h"
#include "reduction/api/rank_walk.h"

namespace ranksight::adapters {

struct Operation {
  enum class Kind : uint8_t { kCompute, kJoin, kSend, kReceive, kCollective };
  Kind kind = Kind::kCompute;
  reduction::Call call;  // that it is a part of, or stands before
  uint32_t site = 0;     // of that call
  int64_t amount = 0;    // bytes; of computation, units of the sink
  int64_t peer = 0;      // of messages, in the world
  int64_t tag = 0;
  const reduction::Communicator* comm = nullptr;  // of collectives
};

struct Dependency {
  int64_t on = 0;
  bool started_only = false;  // not that it has ended
};

// A format.
class OperationSink {
 public:
  virtual ~OperationSink() = default;
  virtual void Add(const Operation& operation,
                   std::span<const Dependency> behind) = 0;
  // The bytes of a collective that the format takes whole.
  virtual std::optional<int64_t> Whole(const reduction::Event&,
                                       int64_t /*members*/) const {
    return std::nullopt;
  }
  // Computation is told in whole units of so many nanoseconds; what is left
  // over counts with the next.
  virtual int64_t unit_ns() const { return 1; }
};

class OperationGraph {
 public:
  // Of the rank's next receive from a rank with a tag: how long the message is
  // that it gets, given what it asks for.
  using SizeOfReceive =
      std::function<int64_t(int64_t from, int64_t tag, int64_t asked)>;
  // farthest_request: FarthestRequest of the trace. sizes: none where receives
  // are as long as they ask for.
  OperationGraph(const reduction::Communicators& comms, const MessageTags& tags,
                 int64_t rank, uint64_t farthest_request, OperationSink* sink,
                 SizeOfReceive sizes, Conversion* conversion);
  void Add(const reduction::RankWalk& walk);

 private:
  // Operations under way, by the number of their request.
  class Open {
   public:
    explicit Open(uint64_t farthest);
    // second: 0 where the request stands for one operation.
    void Begin(int64_t request, int64_t first, int64_t second = 0);
    void End(int64_t request, std::vector<int64_t>* operations);

   private:
    struct Slot {
      int64_t request = 0, first = 0, second = 0;
    };
    Slot& At(int64_t request);
    std::vector<Slot> ring_, persistent_;
  };

  void NotExpressed(const char* what) { ++conversion_->not_expressed[what]; }
  void LeftOut(const reduction::CallInfo& info);
  void Behind(const Operation& operation);
  void Started(const Operation& operation);
  void WaitFor(const std::vector<int64_t>& operations);
  void Compute(double ns);
  Operation Message(bool sends, int64_t peer, int64_t tag, int64_t bytes) const;
  Operation Receive(int64_t from, int64_t tag, int64_t asked) const;
  bool IsNobody(int64_t peer);
  bool IsKnown(int64_t from, int64_t tag);
  int64_t TagOn(const reduction::Event& e, int64_t tag) const;
  void Start(const reduction::Request& request);
  void PointToPoint(const reduction::Event& e, const reduction::Request& made);
  void SendAndReceive(const reduction::Event& e,
                      const reduction::Request& made);
  void Complete(const reduction::RankWalk& walk);
  void Collective(const reduction::Event& e, const reduction::Request& made);
  void ByMessages(const reduction::Communicator& comm);

  const reduction::Communicators& comms_;
  const MessageTags& tags_;
  const int64_t rank_;
  OperationSink* const sink_;
  const SizeOfReceive sizes_;
  Conversion* const conversion_;
  reduction::Call call_ = reduction::Call::MPI_Init_;
  uint32_t site_ = 0;
  int64_t added_ = 0;
  // The operation before, behind which the next one is in program order.
  Dependency last_;
  int64_t spare_ns_ = 0;
  Open open_;
  // Of the event at hand.
  std::vector<int64_t> operations_;
  std::vector<Dependency> behind_;
  std::vector<reduction::Message> messages_;
};

}  // namespace ranksight::adapters
