#!/usr/bin/env bash
# any_mpi.sh: what is preloaded is not noticed by processes without MPI, finds an
# MPI that is opened later, and passes by an MPI that it does not know: the
# program runs, and `record` says in one line why there is no trace.
. "$(dirname "$0")/lib.sh"
source=$RANKSIGHT_SOURCE/tests/support/stranger_mpi.c

# quiet COMMAND...: the same output with the runtime, and no file of ours.
quiet() {
  "$@" >plain.txt 2>&1
  LD_PRELOAD=$runtime "$@" >traced.txt 2>&1 || fail "$*"
  diff plain.txt traced.txt >&2 || fail "output of $*"
}
mkdir empty
quiet env -C empty ls -a
quiet sh -c 'echo a; (exit 0) && ls -d / | cat'
quiet python3 -c 'import os; os.system("echo b")'
# Nothing but the front is there.
LD_PRELOAD=$runtime cat /proc/self/maps >maps.txt
grep -q 'libranksight\.so' maps.txt || fail "not preloaded"
! grep 'libranksight-\|libmpi' maps.txt || fail "more than the front"

gcc -shared -fPIC "$source" -o libstranger.so || fail "the library"
gcc -DPROGRAM "$source" -o stranger -L. -lstranger "-Wl,-rpath,$folder" ||
  fail "the program"
unrecorded 'libstranger.so, is none that Ranksight knows' ./stranger word
RANKSIGHT_MPI=lam unrecorded 'RANKSIGHT_MPI=lam: there are' ./stranger word
RANKSIGHT_MPI=none unrecorded 'did the program call MPI_Init' ./stranger word
gcc -DPROGRAM -z now "$source" -o at_once -L. -lstranger \
  "-Wl,-rpath,$folder" || fail "the program bound at once"
unrecorded 'libstranger.so, is none that Ranksight knows' ./at_once word

# An MPI that we know, and no flavour for it.
mkdir -p bare/bin bare/lib
cp "$ranksight" bare/bin
cp "$runtime" bare/lib
(ranksight=$PWD/bare/bin/ranksight
 unrecorded 'and this Ranksight has no libranksight-mpich.so' \
   "$launcher" -n 1 "$apps/two_callers") || exit 1
(RANKSIGHT_MPI=openmpi unrecorded 'RANKSIGHT_MPI=openmpi, but its MPI' \
   "$launcher" -n 1 "$apps/two_callers") || exit 1

# Opened by a program that knows nothing of MPI, for itself alone.
mpicc.mpich -g -O1 -shared -fPIC "$RANKSIGHT_SOURCE/tests/apps/two_callers.c" \
  -o libcallers.so || fail "the plug-in"
cat >opens.py <<'END'
import ctypes, os, sys
plugin = ctypes.CDLL("./libcallers.so", mode=os.RTLD_LOCAL | os.RTLD_NOW)
argv = (ctypes.c_char_p * 2)(b"two_callers", None)
sys.exit(plugin.main(1, argv))
END
must_record opened.trace 2 python3 opens.py
must_record linked.trace 2 "$apps/two_callers"
for rank in 0 1; do
  diff <(events linked.trace $rank) <(events opened.trace $rank) \
    >difference.txt || fail "rank $rank: $(head difference.txt)"
done
