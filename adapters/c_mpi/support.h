// The text of benchmark.h: the files of support/, built in (see
// CMakeLists.txt). Thread-safety: immutable.
#pragma once

#include <string_view>

namespace ranksight::adapters::c_mpi {

extern const std::string_view kSupport;

}  // namespace ranksight::adapters::c_mpi
