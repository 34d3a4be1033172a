// The texts of benchmark.h and shape.h: the files of support/, built in (see
// CMakeLists.txt). Thread-safety: immutable.
#pragma once

#include <string_view>

namespace ranksight::adapters::c_mpi {

extern const std::string_view kSupport;
// shape.h, for programs that run on any number of ranks.
extern const std::string_view kShape;

}  // namespace ranksight::adapters::c_mpi
