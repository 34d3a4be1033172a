#!/usr/bin/env bash
# doctor.sh: what works is tried and said, and what does not has its mend.
. "$(dirname "$0")/lib.sh"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
expect_exit 0 "$ranksight" doctor
grep -q "^yes  recording: $runtime$" out.txt || fail "$(cat out.txt)"
grep -q '^yes  MPICH programs: ran, replayed and recorded 2 ranks' out.txt ||
  fail "$(cat out.txt)"
[ "$(grep -c '^no ' out.txt)" -eq "$(grep -c '^     mend: .' out.txt)" ] ||
  fail "$(cat out.txt)"
[ -z "$(find . -name '*.trace*')" ] || fail "a trial left files"

expect_exit 0 "$ranksight" doctor --json
python3 - <<'PY' || fail "$(cat out.txt)"
import json
findings = json.load(open("out.txt"))["findings"]
assert all(f["works"] != bool(f["mend"]) for f in findings), findings
PY

# No launcher, and one that fails.
mkdir none broken
expect_exit 1 env PATH="$PWD/none" "$ranksight" doctor
grep -q '^no   MPICH programs: no mpiexec.mpich$' out.txt || fail "$(cat out.txt)"
# Our part for it is there: the launcher alone is missing.
grep -q '^     mend: apt-get install mpich$' out.txt || fail "$(cat out.txt)"
printf '#!/bin/sh\necho it is broken >&2\nexit 7\n' >broken/mpiexec.mpich
chmod +x broken/mpiexec.mpich
expect_exit 1 env PATH="$PWD/broken" "$ranksight" doctor
grep -q '^no   MPICH programs: .*ended with .*: ' out.txt || fail "$(cat out.txt)"

# smpirun alone is missing where our part is there. What was installed without a
# part has nothing to build anew.
if [ -e "$(dirname "$ranksight")/ranksight-replay-smpi" ]; then
  grep -A1 '^no   simulated time' out.txt |
    grep -q '^     mend: apt-get install libsimgrid-dev$' || fail "$(cat out.txt)"
fi
mkdir -p installed/bin
cp "$ranksight" installed/bin
"$PWD/installed/bin/ranksight" doctor >out.txt
grep -A1 '^no   Kokkos kernels' out.txt |
  grep -q 'mend: this installation was made without .* install from source' ||
  fail "$(cat out.txt)"
! grep -q 'build anew' out.txt || fail "$(cat out.txt)"
