// How the members of a communicator wait for one another.
#include "tests/idioms/world/world.h"

namespace ranksight::idioms {

int64_t Arrive(Communicator* comm, std::vector<int> brought) {
  const int64_t number = comm->meetings++;
  Meeting& meeting = comm->group->meetings[number];
  meeting.brought.resize(size_t(comm->size()));
  meeting.brought[size_t(comm->rank)] = std::move(brought);
  if (++meeting.here == meeting.brought.size()) {
    for (const int member : comm->group->members) {
      World::Now().world->Wake(member);
    }
  }
  return number;
}

bool IsMet(const Communicator& comm, int64_t meeting) {
  return comm.group->meetings.at(meeting).IsComplete();
}

void Leave(Communicator* comm, int64_t number) {
  auto& meetings = comm->group->meetings;
  const auto it = meetings.find(number);
  if (++it->second.left == it->second.brought.size()) meetings.erase(it);
}

std::vector<std::vector<int>> Meet(Communicator* comm,
                                   std::vector<int> brought) {
  const int64_t number = Arrive(comm, std::move(brought));
  while (!IsMet(*comm, number)) World::Now().world->Wait();
  auto all = comm->group->meetings.at(number).brought;
  Leave(comm, number);
  return all;
}

}  // namespace ranksight::idioms
