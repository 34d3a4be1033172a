// The parts of all_calls: together they make every call that a trace records
// as an event, each in several forms. Every part is collective over the
// world, works at 2 to 9 ranks, and makes the same events in the same order
// whatever the timing. Returns a number that depends on what arrived.
#ifndef RANKSIGHT_TESTS_APPS_ALL_CALLS_PARTS_H_
#define RANKSIGHT_TESTS_APPS_ALL_CALLS_PARTS_H_

long SendModes(int rank, int ranks);
long Wildcards(int rank, int ranks);
long NullPeers(int rank, int ranks);
long DerivedTypes(int rank, int ranks);
long BothWays(int rank, int ranks);
long Probes(int rank, int ranks);
long Persistent(int rank, int ranks);
long FreedAndCancelled(int rank, int ranks);

long Waits(int rank, int ranks);
long Tests(int rank, int ranks);
long EmptyCompletions(int rank, int ranks);

long Communicators(int rank, int ranks);
long Grids(int rank, int ranks);
long ReusedHandles(int rank, int ranks);

long WorldCollectives(int rank, int ranks);

#endif  // RANKSIGHT_TESTS_APPS_ALL_CALLS_PARTS_H_
