#!/usr/bin/env bash
# The tools of these tests themselves: the raw log of a tiny stencil, whose
# events follow from its options, is as expected to the byte; ranks that start yield
# in the barrier of an MPICH that is known.
. "$(dirname "$0")/lib.sh"
logged logs 2 "$examples/stencil2d" --size 4x6 --steps 2 --periodic \
  >logged.txt || fail "the logged run"
plain 2 "$examples/stencil2d" --size 4x6 --steps 2 --periodic >plain.txt ||
  fail "the plain run"
diff logged.txt plain.txt >&2 || fail "the logger changes the output"
diff "$RANKSIGHT_SOURCE/tests/golden/stencil2d.2.rank1.txt" logs/1.txt >&2 ||
  fail "the log of rank 1"
mpich=$(ldd "$apps/ring" | sed -n 's/.*=> \(.*libmpich\.so[^ ]*\) .*/\1/p')
package=$(dpkg-query -W -f '${Version}' libmpich12 2>&1) || package=none
if [ "$(uname -m) ${package%+*}" = 'x86_64 4.0.2-3' ]; then
  yielding=$(PMI_SIZE=2 LD_PRELOAD=$yield_preload:$mpich python3 -c '
import ctypes
print(ctypes.c_int.in_dll(ctypes.CDLL(None), "yielding_barriers").value)')
  [ "$yielding" = 1 ] || fail "$yielding barriers of $mpich yield"
fi
