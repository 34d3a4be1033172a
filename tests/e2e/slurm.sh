#!/usr/bin/env bash
# Under a Slurm of our own, which runs MPICH by pmi2 and Open MPI by pmix: what
# srun starts is recorded as under Hydra, the trace says which job and step it is
# of and where its ranks were, and a study files its runs as jobs.
. "$(dirname "$0")/lib.sh"
. "$RANKSIGHT_SOURCE/tests/support/own_slurm.sh"
why=$(why_no_slurm)
[ -z "$why" ] || { echo "skipped: $why"; exit 77; }
start_slurm || {
  echo "skipped: Slurm's daemons do not run here: \
$(grep -iE 'error|fatal' daemons.txt | tail -n 2)"
  exit 77
}
export OMPI_MCA_btl=self,vader,tcp OMPI_MCA_mpi_yield_when_idle=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export RANKSIGHT_MPI=

# job NAME OPTIONS...: a batch job of the script on standard input, to its end;
# its number in NAME.id.
job() {
  local name=$1
  shift
  {
    echo '#!/bin/sh'
    cat
    echo "echo \$SLURM_JOB_ID >$name.new; mv $name.new $name.id"
  } >"$name.sh"
  LD_PRELOAD='' sbatch -o "$name.out" "$@" "$name.sh" >"$name.sbatch" 2>&1 ||
    { cat "$name.sbatch" >&2; fail "the job $name"; }
  wait_for test -s "$name.id" || { cat "$name.out" >&2; fail "$name hangs"; }
}
# launch TRACE: what it says of that.
launch() {
  "$ranksight" show "$1" | sed -n 's/^launch *//p'
}
record="$ranksight record -o"

stencil="--size 8x8 --steps 5"
job mpich -N 2 -n 3 <<SH
export LD_PRELOAD=$yield_preload
$record mpich.trace -- srun --mpi=pmi2 $examples/stencil2d $stencil
$record again.trace -- srun --mpi=pmi2 -N 1 -n 2 $examples/stencil2d $stencil
SH
must_be_complete mpich.trace
must_record plain.trace 3 "$examples/stencil2d" --size 8x8 --steps 5
identical mpich.trace plain.trace
id=$(cat mpich.id)
[ "$(launch mpich.trace)" = "slurm $id.0, 2 nodes, ranks on each: 2,1" ] ||
  fail "step 0 of $id: $(launch mpich.trace)"
[ "$(launch again.trace)" = "slurm $id.1, 1 node, ranks on each: 2" ] ||
  fail "step 1 of $id: $(launch again.trace)"
"$ranksight" runs import --store store mpich.trace || fail "import"
"$ranksight" runs --store store >runs.txt
grep -q "  slurm $id.0  " runs.txt || fail "$(cat runs.txt)"

if [ -d "$examples/openmpi" ] && srun --mpi=list 2>&1 | grep -q pmix; then
  # The two nodes are one machine, where PMIx has one folder for each step.
  job there -N 1 -n 4 <<SH
export LD_PRELOAD=$yield_preload
$record there.trace -- srun --mpi=pmix $examples/openmpi/stencil2d $stencil
$record inner.trace -- mpiexec.openmpi --oversubscribe -n 2 --mca ras ^slurm \
  --mca plm isolated $examples/openmpi/stencil2d $stencil
SH
  [ -s there.trace ] || { cat there.out >&2; fail "no trace under pmix"; }
  must_be_complete there.trace
  must_record four.trace 4 "$examples/stencil2d" --size 8x8 --steps 5
  identical there.trace four.trace
  id=$(cat there.id)
  [ "$(launch there.trace)" = "slurm $id.0, 1 node, ranks on each: 4" ] ||
    fail "under pmix, of $id: $(launch there.trace)"
  # A launcher within the job: no step of Slurm's.
  [ "$(launch inner.trace)" = "slurm $id, 1 node, ranks on each: 2" ] ||
    fail "mpiexec in $id: $(launch inner.trace)"
fi

LD_PRELOAD=$yield_preload "$ranksight" study --folder jobs --ranks 2,4 --forecast 16 \
  --submit 'sbatch -o job.%j.out -n {ranks}' \
  --launcher 'srun --mpi=pmi2 -n {ranks}' -- \
  "$examples/stencil2d" --size 8x8 --steps 5 >submit.out 2>submit.err ||
  { cat submit.* >&2; fail "submit"; }
grep -q ' on 4 ranks: under way (Submitted batch job [0-9]*)$' submit.out ||
  fail "$(cat submit.out)"
have_ended() { [ "$(find jobs -name '*.status' | wc -l)" = 2 ]; }
wait_for have_ended || { cat job.*.out; fail "the jobs hang"; }
# 1 because two sizes make no forecast.
"$ranksight" study --collect jobs >collect.out 2>collect.err
[ $? = 1 ] && grep -q '^run 2 of 2: stencil2d on 4 ranks in ' collect.out ||
  { cat collect.* >&2; fail "collect"; }
for ranks in 2 4; do
  id=$(grep -o '[0-9]*$' "jobs/stencil2d.$ranks.submitted")
  launch "jobs/stencil2d.$ranks.trace" | grep -q "^slurm $id.0, " ||
    fail "$ranks ranks: $(launch "jobs/stencil2d.$ranks.trace")"
done
