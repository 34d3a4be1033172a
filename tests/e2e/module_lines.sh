#!/usr/bin/env bash
# Calls in a procedure of a Fortran module have its name, file and line, as
# addr2line gives them, however the compiler was told to optimise and to debug.
. "$(dirname "$0")/lib.sh"
cat >module.f90 <<'F90'
module m
 use mpi
contains
 subroutine s()
  integer :: e
  call MPI_Barrier(MPI_COMM_WORLD,e)
  call inner()
 contains
  subroutine inner()
   call MPI_Barrier(MPI_COMM_WORLD,e)
  end subroutine
 end subroutine
end module
program p
 use m
 integer :: e
 call MPI_Init(e)
 call s()
 call MPI_Finalize(e)
end program
F90
for options in "-O0 -g" "-O2 -g" "-O1 -gdwarf-4" "-O2 -gdwarf-3"; do
  # shellcheck disable=SC2086
  mpif90.mpich $options module.f90 -o module || fail "compiling"
  must_record m.trace 2 ./module
  "$ranksight" show m.trace --tree >tree.txt || fail "show"
  "$ranksight" show m.trace --tree --json >tree.json || fail "show --json"
  # Addresses of the barriers' callers, and what addr2line calls them.
  grep -o '"call":"MPI_Barrier","site":"module+0x[0-9a-f]*' tree.json |
    sed 's/.*+//' | sort -u >addresses.txt
  [ "$(wc -l <addresses.txt)" = 2 ] || fail "two barriers: $(cat tree.json)"
  while read -r address; do
    place=$(addr2line -e module "$(printf '0x%x' $((address - 1)))")
    line=${place##*:}
    grep -q "MPI_Barrier.*module.f90:${line%% *}\b" tree.txt ||
      fail "$options: no line $place: $(cat tree.txt)"
  done <addresses.txt
  grep -qF 'm::s module.f90:6' tree.txt || fail "$options: $(cat tree.txt)"
  grep -q '_MOD_' tree.txt && fail "$options: $(cat tree.txt)"
done
exit 0
