#!/usr/bin/env bash
# httplib.sh: httplib is found by the CMake files that its own installation
# leaves, where no distribution made a pkg-config file.
set -eu
module=$(cd "$(dirname "$0")/../../cmake/install" && pwd)/RanksightHttplib.cmake
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p prefix/lib/cmake/httplib none
cat >prefix/lib/cmake/httplib/httplibConfig.cmake <<'END'
add_library(httplib::httplib INTERFACE IMPORTED)
set_target_properties(httplib::httplib PROPERTIES INTERFACE_COMPILE_DEFINITIONS
                                                  OF_ITS_OWN=7)
END
cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(user CXX)
find_package(PkgConfig REQUIRED)
include($module)
add_library(user user.cc)
target_link_libraries(user PRIVATE PkgConfig::httplib)
END
echo 'static_assert(OF_ITS_OWN == 7);' >user.cc
export PKG_CONFIG_LIBDIR=$folder/none PKG_CONFIG_PATH=
if ! { cmake -S . -B build -DCMAKE_PREFIX_PATH="$folder/prefix" &&
  cmake --build build; } >said.txt 2>&1; then
  echo "FAILED: $(cat said.txt)" >&2
  exit 1
fi
