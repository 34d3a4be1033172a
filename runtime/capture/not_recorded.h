// Calls that are seen but not recorded, counted by name.
// Thread-safety: any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace ranksight::runtime {

// Names, ended by nullptr; in the generated file.
extern const char* const kPassingCalls[];

// Counts a call by its place in kPassingCalls. Calls MPI makes itself are not
// counted.
void CountNotRecorded(int call) noexcept;
// How often each was made, those that never were left out.
std::map<std::string, uint64_t> NotRecorded();

}  // namespace ranksight::runtime
