#!/usr/bin/env bash
# A study whose runs are jobs: filed by one command, collected by another. A
# stand-in for sbatch says what Slurm says and keeps the script in a queue, of
# which `work` makes the first job.
. "$(dirname "$0")/lib.sh"
export LD_PRELOAD=$yield_preload
cat >sbatch <<'SH'
#!/bin/sh
[ ! -e full ] || { echo "sbatch: error: queue is full" >&2; exit 7; }
echo "$@" >>asked.txt
n=$(($(wc -l <asked.txt)))
for script; do :; done
echo "$script" >queue.$n
echo "Submitted batch job $n"
SH
chmod +x sbatch
work() { sh "$(cat "queue.$1")"; }
submit() {
  "$ranksight" study --folder jobs --ranks 4,9,16 --forecast 64 \
    --extrapolate 36 --launcher "$launcher -n {ranks}" \
    --tree 16,1 --link-speed "level 1=12e9" \
    --submit './sbatch --ntasks={ranks} --time=10' "$@" -- \
    "$examples/stencil2d" --size 8x8 --steps 5
}
collect() { "$ranksight" study --collect jobs "$@"; }

expect_exit 4 collect
expect_exit 0 submit
diff - out.txt <<TEXT || fail "what submit says"
$examples/stencil2d on 4 ranks: under way (Submitted batch job 1)
$examples/stencil2d on 9 ranks: under way (Submitted batch job 2)
$examples/stencil2d on 16 ranks: under way (Submitted batch job 3)
TEXT
grep -q "^--ntasks=9 --time=10 $PWD/jobs/stencil2d.9.job$" asked.txt ||
  fail "$(cat asked.txt)"
expect_exit 1 collect
[ "$(grep -c 'under way' out.txt)" = 3 ] || fail "$(cat out.txt)"

# One has ended, one has failed: the others are waited for.
work 1 || fail "the first job"
sed -i 's/ -- .* >/ -- false >/' jobs/stencil2d.9.job
work 2 && fail "a job that fails succeeds"
expect_exit 1 collect
grep -q '^run 1 of 3: stencil2d on 4 ranks in ' out.txt || fail "$(cat out.txt)"
grep -q ' on 9 ranks: ended with status 1 (Submitted batch job 2); its output' \
  out.txt || fail "$(cat out.txt)"
grep -q ' on 16 ranks: under way' out.txt || fail "$(cat out.txt)"

# Filed again is what failed, and nothing else.
expect_exit 0 submit
[ "$(wc -l <asked.txt)" = 4 ] || fail "$(cat asked.txt)"
grep -q ' on 4 ranks: done' out.txt && grep -q '9 ranks: under way (.* 4)' \
  out.txt || fail "$(cat out.txt)"
work 4 && work 3 || fail "the other jobs"

# All are there: what a study that makes the runs itself says, at the end. The
# same again, from another folder; its name may be any.
expect_exit 0 collect
[ "$(grep -c '^run [123] of 3: ' out.txt)" = 3 ] || fail "$(cat out.txt)"
grep -q '^wrote jobs/stencil2d.36.trace$' out.txt || fail "$(cat out.txt)"
must_record real.trace 36 "$examples/stencil2d" --size 8x8 --steps 5
identical jobs/stencil2d.36.trace real.trace
for file in report.html report.txt forecast.json; do
  [ -s jobs/$file ] || fail "no $file"
done
mv jobs "it's moved"
# The network of where jobs run is known from when they were filed; how many
# cores there are here says nothing of it.
expect_exit 0 env -u RANKSIGHT_CLOCK "$ranksight" study \
  --collect "it's moved" --json
grep -q '"layout":"network"' "it's moved/report.html" ||
  fail "the report has ranks elsewhere than on the tree"
grep -q -e "--tree 16,1 --link-speed 'level 1=12e9'" "it's moved/report.html" ||
  fail "the report does not name the network"
python3 -c 'import json, sys
study = json.load(open("out.txt"))
assert [run["ranks"] for run in study["runs"]] == [4, 9, 16], study["runs"]
assert study["extrapolation"]["ranks"] == 36' || fail "$(head -c 600 out.txt)"
mv "it's moved" jobs

# What cannot be filed ends with the exit status of who refused it.
touch full
rm jobs/stencil2d.4.status jobs/stencil2d.4.submitted
expect_exit 7 submit
grep -q 'stencil2d.4.job could not be filed: status 7' err.txt ||
  fail "$(cat err.txt)"
# Another program's study is not this one's; one that is none is told.
expect_exit 2 "$ranksight" study --folder jobs --ranks 4 --forecast 64 \
  --submit ./sbatch -- "$apps/loops"
expect_exit 2 "$ranksight" study --collect jobs -- "$apps/loops"
expect_exit 2 "$ranksight" study --collect jobs --submit ./sbatch
sed 's/"repeat":1/"repeat":999999999999/' jobs/study.json >much.json
for saved in "$(cat much.json)" '{"program": 3}' ''; do
  echo "$saved" >jobs/study.json
  expect_exit 3 collect
done
