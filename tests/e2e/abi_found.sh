#!/usr/bin/env bash
# abi_found.sh: a program of the standard's binary interface is told by the name of
# its library, wherever that lies and whatever else is in the process; what only
# looks so is not taken for it, and no process without MPI notices anything.
. "$(dirname "$0")/lib.sh"
source=$RANKSIGHT_SOURCE
shim=$build/lib/abi
program=$apps/loops

LD_PRELOAD=$runtime ls / >preloaded.txt 2>&1
ls / >plain.txt 2>&1
diff plain.txt preloaded.txt >&2 || fail "ls notices"

# Preloaded by hand, without the command.
LD_PRELOAD=$runtime:$yield_preload RANKSIGHT_OUTPUT=$PWD/by_hand.trace \
  "$launcher" -n 2 "$program" >out.txt 2>&1 || fail "$(cat out.txt)"
must_be_complete by_hand.trace
must_record command.trace 2 "$program"
for rank in 0 1; do
  diff <(events by_hand.trace $rank) <(events command.trace $rank) \
    >difference.txt || fail "rank $rank: $(head difference.txt)"
done
RANKSIGHT_MPI=abi must_record asked.trace 2 "$program"
identical command.trace asked.trace

# The flavour that is there, and no other.
cat >maps.c <<'END_C'
#include <mpi.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  MPI_Init(NULL, NULL);
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[4096];
  while (fgets(line, sizeof line, maps)) {
    char* name = strstr(line, "libranksight");
    if (name != NULL) fputs(name, stdout);
  }
  return MPI_Finalize();
}
END_C
abi_cc() {
  gcc -g "$@" -I "$source/runtime/abi" -I "$source" -L "$shim" -lmpi_abi \
    "-Wl,-rpath,$shim" || fail "$*"
}
abi_cc maps.c -o maps
must_record maps.trace 1 ./maps
sort -u record.out >seen.txt
printf '%s\n' libranksight-abi.so libranksight.so | diff - seen.txt >&2 ||
  fail "loaded: $(cat seen.txt)"

(RANKSIGHT_MPI=mpich unrecorded "is of the standard's binary interface" \
   "$launcher" -n 1 "$program") || exit 1
mkdir -p bare/bin bare/lib
cp "$ranksight" bare/bin
cp "$runtime" bare/lib
(ranksight=$PWD/bare/bin/ranksight
 unrecorded 'and this Ranksight has no libranksight-abi.so' \
   "$launcher" -n 1 "$program") || exit 1

# Opened later, under a file name that says nothing.
mkdir elsewhere
cp "$shim"/libmpich_yielding.so "$shim"/libmpi_abi.so.0 elsewhere
mv elsewhere/libmpi_abi.so.0 elsewhere/some.so
cat >opens.py <<'END_PY'
import ctypes, os, sys
ctypes.CDLL("./elsewhere/some.so", mode=os.RTLD_GLOBAL | os.RTLD_NOW)
plugin = ctypes.CDLL("./libloops.so", mode=os.RTLD_LOCAL | os.RTLD_LAZY)
sys.exit(plugin.main(1, (ctypes.c_char_p * 2)(b"loops", None)))
END_PY
gcc -g -shared -fPIC -I "$source/runtime/abi" -I "$source" \
  "$source/tests/apps/loops.c" -o libloops.so || fail "the plug-in"
must_record opened.trace 2 python3 opens.py
must_be_complete opened.trace

# MPICH's own library under the standard's name is no library of its interface.
mpich=$(ldd "$shim/libmpich_yielding.so" | sed -n 's/^\s*libmpich\.so[^ ]* => \([^ ]*\).*/\1/p')
cp "$(readlink -f "$mpich")" libmpi_abi.so.9
cat >like.c <<'END_C'
int MPI_Init(int*, char***);
int MPI_Finalize(void);
int main(void) { return MPI_Init(0, 0) + MPI_Finalize(); }
END_C
gcc like.c -o like ./libmpi_abi.so.9 || fail "like.c"
LD_LIBRARY_PATH=$PWD must_record like.trace 1 ./like
must_be_complete like.trace

# A library of the standard's name that has next to nothing: the program runs.
gcc -shared -fPIC "$source/tests/support/stranger_mpi.c" -o libmpi_abi.so.8 \
  -Wl,-soname,libmpi_abi.so.8 || fail "the library"
gcc -DPROGRAM "$source/tests/support/stranger_mpi.c" -o little \
  ./libmpi_abi.so.8 -Wl,-rpath,"$PWD" || fail "the program"
unrecorded 'PMPI_' ./little word

# A function that the library lacks says that it failed to a program that asks
# the process for it and finds ours.
cat >asks.c <<'END_C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
int main(void) {
  MPI_Init(NULL, NULL);
  int (*flush)(MPI_Comm) =
      (int (*)(MPI_Comm))dlsym(RTLD_DEFAULT, "MPI_Comm_flush_buffer");
  printf("%d\n", flush == NULL ? MPI_ERR_OTHER : flush(MPI_COMM_WORLD));
  return MPI_Finalize();
}
END_C
abi_cc asks.c -o asks
must_record asks.trace 1 ./asks
[ "$(cat record.out)" = 16 ] || fail "$(cat record.out)"
