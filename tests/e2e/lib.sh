# What the end-to-end tests share. Sourced by every script, which ctest calls
# with RANKSIGHT_BUILD set to the build tree. Gives each test a temporary
# folder, made the working directory and removed at the end.
set -u

build=${RANKSIGHT_BUILD:?set RANKSIGHT_BUILD to the build tree}
# shellcheck disable=SC2034
apps=${RANKSIGHT_APPS:-$build/bin/apps} examples=${RANKSIGHT_EXAMPLES:-$build/bin}
ranksight=$build/bin/ranksight
runtime=$build/lib/libranksight.so
raw_logger=${RANKSIGHT_RAW_LOGGER:-$build/lib/libraw_logger.so}
yield_preload=$build/lib/libyield_preload.so
launcher=${RANKSIGHT_MPIEXEC:-mpiexec.mpich}

# MPICH's transport prints backtraces of its own otherwise.
export UCX_HANDLE_ERRORS=none

# Ranks that wait for messages leave the processor for a moment (yield_preload),
# to those that could send them and to other tests.
export IDLE_US=${IDLE_US:-20}

# Every rank that starts would look through the devices of this machine otherwise, to
# know which core is near which. Cores are found without.
export HWLOC_COMPONENTS=-gl,-linuxio,-pci

# A busy machine takes its time to answer.
export RANKSIGHT_PATIENCE=60

# What a test records must not depend on how fast this machine is, nor on how
# many cores it has: where ranks share them, calls go another way.
export RANKSIGHT_TIME=off
export RANKSIGHT_CLOCK=tsc

folder=$(mktemp -d)
# Open MPI keeps the files of a launch in a folder that all share otherwise: one
# launch has ended because another test's made it at the same time. Beside the
# test's own folder, since tests list what is in that.
launches=$(mktemp -d)
export OMPI_MCA_orte_tmpdir_base=$launches
background=()
clean_up() {
  local pid
  for pid in "${background[@]}"; do
    kill -9 "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
  done
  rm -rf "$folder" "$folder.launcher" "$launches"
}
trap clean_up EXIT
cd "$folder" || exit 1

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# drop_progress FILE: a slow machine adds a line for every 30 s of work.
drop_progress() { sed -i -E '/^ranksight: .*, [0-9]+ s$/d' "$1"; }

# expect_exit CODE COMMAND...: runs it into out.txt and err.txt, there without
# progress.
expect_exit() {
  local expected=$1 code=0
  shift
  "$@" >out.txt 2>err.txt || code=$?
  drop_progress err.txt
  if [ "$code" -ne "$expected" ]; then
    head -50 out.txt err.txt >&2
    fail "exit $code instead of $expected: $*"
  fi
}

# unrecorded WORDS COMMAND...: its output is that without us, record's one line
# has the words.
unrecorded() {
  local words=$1
  shift
  "$@" >plain.txt || fail "plain: $*"
  expect_exit 0 "$ranksight" record -o none.trace -- "$@"
  diff plain.txt out.txt >&2 || fail "output of $*"
  [ "$(wc -l <err.txt)" = 1 ] && grep -qF "$words" err.txt ||
    fail "said: $(cat err.txt)"
  [ -z "$(find . -name '*none*' -o -name '.ranksight*')" ] || fail "$(ls -a)"
}

# limit_launches SECONDS: a launch by Open MPI that lasts longer from here on is
# killed. Its launcher waits for ever after one of sixty jobs that abort, without
# us too.
limit_launches() {
  [ "${RANKSIGHT_MPI:-}" = openmpi ] || return 0
  local limited=$folder.launcher
  mkdir "$limited"
  printf '#!/bin/sh\nexec timeout -s KILL %s %s "$@"\n' "$1" "$launcher" \
    >"$limited/${launcher##*/}"
  chmod +x "$limited/${launcher##*/}"
  launcher=$limited/${launcher##*/}
}

# plain RANKS PROGRAM...: without any of ours but the yielding.
plain() {
  local ranks=$1
  shift
  LD_PRELOAD=$yield_preload "$launcher" -n "$ranks" "$@"
}

# logged FOLDER RANKS PROGRAM...: leaves FOLDER/<rank>.txt.
logged() {
  local logs=$1 ranks=$2
  shift 2
  mkdir -p "$logs"
  RAWLOG_DIR=$PWD/$logs "$launcher" -n "$ranks" \
    -env LD_PRELOAD "$raw_logger:$yield_preload" "$@"
}

# record FILE RANKS PROGRAM...: through the command.
record() {
  local trace=$1 ranks=$2
  shift 2
  LD_PRELOAD=$yield_preload "$ranksight" record -o "$trace" -- \
    "$launcher" -n "$ranks" "$@"
}

# must_record FILE RANKS PROGRAM...: and it must succeed and leave a trace.
must_record() {
  record "$@" >record.out 2>record.err || {
    cat record.out record.err >&2
    fail "recording $*"
  }
  [ -s "$1" ] || fail "no trace $1"
}

# stopped TRACE REASON: the trace is marked partial and names the reason.
stopped() {
  "$ranksight" show "$1" >show.txt || fail "the trace does not read"
  grep -q '^state *partial, complete until ' show.txt ||
    { cat show.txt; fail "not marked partial"; }
  grep -q "$2" show.txt || { cat show.txt; fail "no reason given"; }
}

# identical A B: `ranksight diff` says so.
identical() {
  "$ranksight" diff "$1" "$2" >diff.out 2>diff.err || {
    head -40 diff.out diff.err >&2
    fail "$1 and $2 differ"
  }
  grep -q '^identical: ' diff.out || fail "diff printed: $(head -3 diff.out)"
}

# must_be_complete FILE: and without losses; leaves show.txt.
must_be_complete() {
  "$ranksight" show "$1" >show.txt || fail "show $1"
  grep -q '^state *complete' show.txt || { cat show.txt; fail "not complete"; }
  grep -q '^losses *none' show.txt || { cat show.txt; fail "losses"; }
}

# events FILE RANK: canonical text.
events() { "$ranksight" show "$1" --events --rank "$2"; }

# logged_events LOG TRACE RANK [--unordered]: the rank's events in the trace are
# those of the raw logger's file, or the same in any order.
logged_events() {
  local order=cat
  [ "${4:-}" != --unordered ] || order=sort
  events "$2" "$3" >shown.txt || fail "show --events --rank $3"
  [ -s "$1" ] || fail "no raw log $1"
  diff <("$order" "$1") <("$order" shown.txt) >difference.txt || {
    echo "rank $3: < raw logger, > trace" >&2
    head -40 difference.txt >&2
    fail "canonical text of rank $3"
  }
}

# replay_recorded FILE OUT
replay_recorded() {
  LD_PRELOAD=$yield_preload "$ranksight" replay "$1" --no-compute --stall 600 \
    --launcher "$launcher" --record "$2" >replay.out 2>replay.err || {
    tail -n 30 replay.out replay.err >&2
    fail "replay of $1"
  }
  [ -s "$2" ] || fail "replay left no trace"
}

# wait_for COMMAND...: until it succeeds; what takes ten minutes hangs.
wait_for() {
  local end=$((SECONDS + 600))
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    read -r -t 0.05 <> <(:) || true
  done
}

# after_cut TRACE RANKS COMMAND...: runs it into out.txt and err.txt, and makes
# the file `go` when TRACE holds 40 events of each of the first RANKS ranks.
# The status is the command's.
after_cut() {
  local trace=$1 ranks=$2 run
  shift 2
  rm -f go
  "$@" >out.txt 2>err.txt &
  run=$!
  background+=("$run")
  holds() {
    local rank
    for ((rank = 0; rank < ranks; ++rank)); do
      [ "$(events "$trace" "$rank" 2>/dev/null | wc -l)" -ge 40 ] || return 1
    done
  }
  wait_for holds || fail "no cut of the run: $(cat out.txt err.txt)"
  touch go
  wait "$run"
}

# start_server STORE ENDPOINT: sets $server to the process.
start_server() {
  "$ranksight" serve --listen "$2" --store "$1" >serve.out 2>serve.err &
  server=$!
  background+=("$server")
  wait_for test -S "${2#ipc://}" || {
    cat serve.out serve.err >&2
    fail "ranksight serve does not listen"
  }
}

# A side-car whose OPTIONS ask for a page: sets $server to the process, which
# writes serve.err. What an earlier one said there is no answer.
start_page() {  # OPTIONS...
  rm -f serve.err
  "$ranksight" serve "$@" 2>serve.err &
  server=$!
  background+=("$server")
  wait_for grep -qs 'page at' serve.err || fail "serve $*: $(cat serve.err)"
}

# A side-car by serve.toml until end_service, with a page.
start_service() {  # OPTIONS...
  start_page --config serve.toml "$@"
}

end_service() {
  kill "$server"
  wait "$server" || fail "serve ended with $?"
}

# torus_platform [NODES A,B,C]: writes torus.xml, by default 16 nodes as 4x2x2,
# for SimGrid.
torus_platform() {
  cat >torus.xml <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="t" prefix="n" suffix="" radical="0-$((${1:-16} - 1))" speed="1Gf"
           bw="2GBps" lat="50ns" topology="TORUS"
           topo_parameters="${2:-4,2,2}"
           sharing_policy="SPLITDUPLEX" loopback_bw="10GBps"
           loopback_lat="50ns"/>
</platform>
XML
}

# record_sizes SIZES PROGRAM ARGS...: N.trace of a run at each of SIZES (comma-
# separated), and their names in the array inputs.
record_sizes() {
  local sizes=$1 ranks
  shift
  inputs=()
  for ranks in ${sizes//,/ }; do
    must_record "$ranks.trace" "$ranks" "$@"
    inputs+=("$ranks.trace")
  done
}

# must_extrapolate ARGS...: what is said of it is left in report.txt.
must_extrapolate() {
  # A sanitizer makes every search longer.
  "$ranksight" extrapolate --limit 0 "$@" >report.txt 2>&1 || {
    cat report.txt >&2
    fail "extrapolation"
  }
}

# must_replay TRACE ARGS...: the check finds nothing, and real MPI gets to the end.
must_replay() {
  local trace=$1
  shift
  expect_exit 0 "$ranksight" replay "$trace" --check
  LD_PRELOAD=$yield_preload expect_exit 0 "$ranksight" replay "$trace" \
    --no-compute --launcher "$launcher -n {ranks}" --stall 600 "$@"
}

# must_make_twin SIZES RANKS PROGRAM ARGS...: twin.trace, drawn from a run at each
# of SIZES (comma-separated), which replays; leaves report.txt.
must_make_twin() {
  local sizes=$1 ranks=$2
  shift 2
  record_sizes "$sizes" "$@"
  must_extrapolate "${inputs[@]}" --ranks "$ranks" -o twin.trace
  grep -q '^estimated: ' report.txt || fail "no twin: $(cat report.txt)"
  must_replay twin.trace
}

# must_give_alike CALL PERCENT: the calls of twin.trace give as many bytes as
# those of real.trace, up to so many percent, and not none.
must_give_alike() {
  must_count twin real
  python3 - "$1" "$2" <<'END' || fail "$1 unlike a run"
import json, sys
def given(file):
    return sum(c["sent_bytes"] for c in json.load(open(file))["calls"]
               if c["call"] == sys.argv[1])
twin, real = given("twin.json"), given("real.json")
most = float(sys.argv[2]) / 100 * real
assert real > 0 and abs(twin - real) <= most, (twin, real)
END
}

# must_count NAME...: NAME.json, the statistics of NAME.trace.
must_count() {
  local name
  for name in "$@"; do
    "$ranksight" stats "$name.trace" --json >"$name.json" || fail "stats: $name"
  done
}

# simgrid_replays FOLDER RANKS: SimGrid itself replays its trace there to the
# end, where it is installed.
simgrid_replays() {
  local rank
  command -v smpirun >/dev/null || return 0
  cat >cluster.xml <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="h" suffix="" radical="0-63" speed="1Gf"
           bw="10Gbps" lat="1us"/>
</platform>
END
  for ((rank = 0; rank < $2; ++rank)); do echo "h$rank"; done >hosts
  expect_exit 0 env -C "$1" smpirun -np "$2" -platform ../cluster.xml \
    -hostfile ../hosts -replay trace.txt --cfg=smpi/host-speed:1Gf
  grep -q 'Simulation time' out.txt err.txt || fail "SimGrid did not finish"
}
