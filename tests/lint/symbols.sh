#!/usr/bin/env bash
# symbols.sh front LIBRARY... | symbols.sh flavour LIBRARY [MPI [FORTRAN]]
# What is preloaded or opened exports MPI entry points and ranksight_* alone, and
# needs the C library and no MPI: the process has one or none. The front,
# besides, exports abort, of which no handler may hear, and what MPI libraries call
# where an error ends the job, and stands before every function that a flavour
# (LIBRARY...) wraps. Each MPI_X of a flavour stands
# before one of the MPI library, each PMPI_X before one that its Fortran calls.
set -euo pipefail
kind=$1 library=$2
shift 2
exported() { nm -D --defined-only "$1" | awk '{print $3}' | sed 's/@.*//'; }
stop() { echo "$*"; exit 1; }
allowed='^(P?MPI_|ranksight_)'
[ "$kind" != front ] || allowed='^(P?MPI_|ranksight_|abort$|MPIR_Err_return_comm$|ompi_mpi_abort$)'
extra=$(exported "$library" | grep -Ev "$allowed" || true)
[ -z "$extra" ] || stop "exported besides: $extra"
needed=$(readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
  grep -Ev '^(libc\.so|libm\.so|ld-linux|libpthread|libdl)' || true)
[ -z "$needed" ] || stop "needed besides: $needed"
count=$(exported "$library" | grep -c '^MPI_')
[ "$count" -gt 250 ] || stop "only $count MPI functions are wrapped"
if [ "$kind" = front ]; then
  for flavour in "$@"; do
    missing=$(comm -13 <(exported "$library" | sort) \
      <(exported "$flavour" | grep -vxE "ranksight_watch_(abort|error)" | sort))
    [ -z "$missing" ] || stop "not in the front: $missing"
  done
  exit 0
fi
[ $# -ge 1 ] || exit 0
strangers=$(comm -23 <(exported "$library" | grep -E '^P?MPI_' | sort) \
  <(exported "$1" | sort))
[ -z "$strangers" ] || stop "not in $1: $strangers"
[ $# -ge 2 ] || exit 0
unused=$(comm -23 <(exported "$library" | grep '^PMPI_' | sort) \
  <(nm -D --undefined-only "$2" | awk '{print $2}' | sort))
[ -z "$unused" ] || stop "no business of Fortran: $unused"
