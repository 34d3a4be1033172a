// Which send meets which receive.
#include <algorithm>
#include <cstring>

#include "tests/idioms/world/world.h"

namespace ranksight::idioms {
namespace {

bool Fits(const Operation& receive, const Message& message) {
  return receive.comm->group->context == message.context &&
         (receive.peer == MPI_ANY_SOURCE || receive.peer == message.source) &&
         (receive.tag == MPI_ANY_TAG || receive.tag == message.tag);
}

void Give(const Message& message, Operation* receive) {
  receive->is_complete = true;
  receive->source = message.source;
  receive->matched_tag = message.tag;
  receive->matched_count = message.count;
  const size_t room = size_t(std::max(receive->count, 0));
  const size_t n = std::min(message.numbers.size(), room);
  if (n > 0) std::memcpy(receive->taken, message.numbers.data(), 4 * n);
  World& world = *World::Now().world;
  if (message.synchronous != nullptr) {
    message.synchronous->is_complete = true;
    world.Wake(message.synchronous->owner);
  }
  world.Wake(receive->owner);
}

Message MessageOf(const Operation& send, Operation* synchronous) {
  Message message{send.comm->group->context,
                  send.comm->rank,
                  send.tag,
                  send.count,
                  {},
                  synchronous};
  if (send.type == MPI_INT && send.count > 0) {
    const int* numbers = static_cast<const int*>(send.given);
    message.numbers.assign(numbers, numbers + send.count);
  }
  return message;
}

}  // namespace

void Deliver(const Operation& send, Operation* synchronous) {
  World& world = *World::Now().world;
  const int to = send.comm->group->members.at(size_t(send.peer));
  Rank& other = world.rank(to);
  const Message message = MessageOf(send, synchronous);
  const auto fits = [&](Operation* r) { return Fits(*r, message); };
  const auto it = std::find_if(other.posted.begin(), other.posted.end(), fits);
  if (it == other.posted.end()) {
    other.unexpected.push_back(message);
    world.Wake(to);  // it may be looking for it
    return;
  }
  Operation* receive = *it;
  other.posted.erase(it);
  Give(message, receive);
}

void Post(Operation* receive) {
  Rank& me = World::Now();
  const auto fits = [&](const Message& m) { return Fits(*receive, m); };
  const auto it =
      std::find_if(me.unexpected.begin(), me.unexpected.end(), fits);
  if (it == me.unexpected.end()) {
    me.posted.push_back(receive);
    return;
  }
  const Message message = *it;
  me.unexpected.erase(it);
  Give(message, receive);
}

void Begin(Operation* operation) {
  operation->is_active = true;
  operation->is_complete = false;
  operation->source = MPI_ANY_SOURCE;
  if (operation->kind == Operation::Kind::kCollective) return;
  if (operation->peer == MPI_PROC_NULL) {
    operation->is_complete = true;
    operation->source = MPI_PROC_NULL;
    operation->matched_count = 0;
  } else if (operation->kind == Operation::Kind::kReceive) {
    Post(operation);
  } else {
    operation->is_complete = !operation->waits_for_match;
    Deliver(*operation, operation->waits_for_match ? operation : nullptr);
  }
}

bool IsDone(Operation* operation) {
  if (operation->kind == Operation::Kind::kCollective) {
    return IsMet(*operation->comm, operation->meeting);
  }
  return operation->is_complete;
}

}  // namespace ranksight::idioms
