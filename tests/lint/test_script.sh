#!/usr/bin/env bash
# test_script.sh SOURCE: the end of what `scripts/test` prints says what failed:
# the tests by name, what they left lying about, and that it stopped there.
set -euo pipefail
source=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/{scripts,bin,tests/e2e} "$folder"/build/{release,asan,tsan}
cp "$source/scripts/test" "$folder/scripts"
# Stand-ins for everything that takes time.
for tool in scripts/install-packages bin/cmake bin/ninja tests/e2e/races.sh; do
  printf '#!/bin/sh\n' >"$folder/$tool"
  chmod +x "$folder/$tool"
done
cat >"$folder/bin/ctest" <<'END'
#!/usr/bin/env bash
# --test-dir BUILD ...
echo "tests of $2"
mkdir -p "$2/Testing/Temporary"
[ -z "${LEAVES:-}" ] || touch "$TMPDIR/$LEAVES"
[ "$2" = "${FAILS:-}" ] || exit 0
printf '7:e2e.one\n12:unit.Two\n' >"$2/Testing/Temporary/LastTestsFailed.log"
echo "a long report"
exit 8
END
chmod +x "$folder/bin/ctest"

# runs EXPECTED_CODE: into out.txt, without the time that it took.
runs() {
  local code=0
  PATH=$folder/bin:$PATH "$folder/scripts/test" >"$folder/out.txt" 2>&1 || code=$?
  sed -i 's/[0-9]* s\b/S s/' "$folder/out.txt"
  [ "$code" -eq "$1" ] || { cat "$folder/out.txt"; exit 1; }
}
# ends_with LINES: the last of out.txt.
ends_with() {
  local lines
  lines=$(printf '%s\n' "$1" | wc -l)
  diff <(tail -n "$lines" "$folder/out.txt") <(printf '%s\n' "$1") || exit 1
}

runs 0
ends_with '== scripts/test: all tests passed (at S s)'
FAILS=build/release LEAVES=forgotten runs 8
ends_with 'a long report
tests that failed:
  e2e.one
  unit.Two
left in TMPDIR by tests:
forgotten
scripts/test: FAILED after S s'
! grep -q 'tests of build/asan' "$folder/out.txt" || exit 1
FAILS=build/asan runs 8
grep -q 'tests of build/release' "$folder/out.txt" || exit 1
ends_with '  unit.Two
scripts/test: FAILED after S s'
# Failures of an earlier time are none of this.
runs 0
LEAVES=forgotten runs 1
ends_with 'left in TMPDIR by tests:
forgotten
scripts/test: FAILED after S s'
