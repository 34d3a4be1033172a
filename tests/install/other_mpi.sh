#!/usr/bin/env bash
# other_mpi.sh SOURCE: the second MPI is linked with its own library, also where a
# name that the first one's has, too, leads to that. Exit 77 without a compiler.
set -eu
source=$1
command -v cmake cc >/dev/null || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p bin lib include
echo '#define MPICH_NAME 4' >include/mpi.h
touch lib/libmpich.so lib/libopen.so
ln -s libopen.so lib/libmpi.so
printf '#!/bin/sh\necho "gcc -I%s/include -L%s/lib -lmpich"\n' "$folder" "$folder" \
  >bin/mpicc.mpich
chmod +x bin/mpicc.mpich
cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(user C)
set(RANKSIGHT_MPI_KIND openmpi)
include($source/cmake/RanksightOtherMpi.cmake)
file(WRITE \${CMAKE_BINARY_DIR}/found "\${RANKSIGHT_OTHER_MPI} "
     "\${RANKSIGHT_OTHER_MPI_LIBRARY}")
END
PATH=$folder/bin:$PATH cmake -S . -B build >said.txt 2>&1 || {
  cat said.txt >&2
  exit 1
}
[ "$(cat build/found)" = "mpich $folder/lib/libmpich.so" ] || {
  echo "FAILED: $(cat build/found)" >&2
  exit 1
}
