#!/usr/bin/env bash
# opened.sh: what a program calls in an MPI library that it opened itself is not
# seen, and that is said; what it asks of the whole process is recorded.
. "$(dirname "$0")/lib.sh"
mpi=$(ldd "$apps/loops" | sed -n 's/^\s*\(libmp[^ ]*\) .*/\1/p' | head -1)
[ -n "$mpi" ] || fail "no MPI library beneath the programs"
cat >calls.py <<'END'
import ctypes, sys
mpi = ctypes.CDLL(sys.argv[1])
if len(sys.argv) > 2:
    mpi = ctypes.CDLL(None)
mpi.MPI_Init(None, None)
size, room = ctypes.c_int(), ctypes.create_string_buffer(4096)
for _ in range(3):
    mpi.MPI_Buffer_attach(room, 4096)
    mpi.MPI_Buffer_detach(ctypes.byref(ctypes.c_void_p()),
                          ctypes.byref(size))
mpi.MPI_Finalize()
print("done")
END
record opened.trace 2 python3 calls.py "$mpi" >out.txt 2>err.txt ||
  fail "$(cat err.txt)"
# Ranks write their lines and the ends of these at once.
[ "$(grep -o done out.txt | wc -l)" = 2 ] && [ ! -e opened.trace ] ||
  fail "$(ls; cat out.txt)"
grep -q 'What it opens by dlopen (ctypes) is not seen' err.txt ||
  fail "$(cat err.txt)"
must_record whole.trace 2 python3 calls.py "$mpi" whole
events whole.trace 1 >shown.txt
[ "$(grep -c '^MPI_Buffer_attach' shown.txt)" = 3 ] || fail "$(cat shown.txt)"
exit 0
