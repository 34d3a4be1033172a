#!/usr/bin/env bash
# libranksight.so exports MPI entry points and ranksight_* alone, besides abort,
# of which no handler may hear; it needs only MPI and the C library. Each MPI_X stands before one of the MPI library,
# each PMPI_X before one that Fortran's mpi_f08 calls.   symbols.sh LIBRARY
set -euo pipefail
extra=$(nm -D --defined-only "$1" | awk '{print $3}' |
  grep -Ev '^(P?MPI_|ranksight_|abort$)' || true)
needed=$(readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
  grep -Ev '^(libmpi|libc\.so|libm\.so|ld-linux|libpthread|libdl)' || true)
count=$(nm -D --defined-only "$1" | grep -c ' MPI_')
[ "$count" -gt 300 ] || { echo "only $count MPI functions are wrapped"; exit 1; }
[ -z "$extra" ] || { echo "exported besides: $extra"; exit 1; }
[ -z "$needed" ] || { echo "needed besides: $needed"; exit 1; }
exported() { nm -D --defined-only "$1" | awk '{print $3}' | sed 's/@.*//'; }
mpi=$(ldd "$1" | awk '$1 ~ /^libmpich\.so/ {print $3}')
[ -z "$mpi" ] || {
  strangers=$(comm -23 <(exported "$1" | grep -E '^P?MPI_' | sort) \
    <(exported "$mpi" | sort))
  [ -z "$strangers" ] || { echo "not in $mpi: $strangers"; exit 1; }
  fortran=$(dirname "$mpi")/libmpichfort.so
  [ ! -e "$fortran" ] || {
    unused=$(comm -23 <(exported "$1" | grep '^PMPI_' | sort) \
      <(nm -D --undefined-only "$fortran" | awk '{print $2}' | sort))
    [ -z "$unused" ] || { echo "no business of Fortran: $unused"; exit 1; }
  }
}
