#!/usr/bin/env bash
# libranksight.so exports MPI entry points and ranksight_* alone, and needs
# only MPI and the C library.   symbols.sh LIBRARY
set -euo pipefail
extra=$(nm -D --defined-only "$1" | awk '{print $3}' |
  grep -Ev '^(MPI_|mpi_|ranksight_)' || true)
needed=$(readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
  grep -Ev '^(libmpi|libc\.so|libm\.so|ld-linux|libpthread|libdl)' || true)
count=$(nm -D --defined-only "$1" | grep -c ' MPI_')
[ "$count" -gt 300 ] || { echo "only $count MPI functions are wrapped"; exit 1; }
[ -z "$extra" ] || { echo "exported besides: $extra"; exit 1; }
[ -z "$needed" ] || { echo "needed besides: $needed"; exit 1; }
