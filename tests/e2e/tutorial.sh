#!/usr/bin/env bash
# tutorial.sh REPOSITORY: types the commands of docs/tutorial.md (lines that
# begin with "$ " in blocks of ```console). Each must succeed. What the
# tutorial shows of laws, structure and answers, without times and sizes, must
# be among what the command before printed; lines with "..." are left out.
. "$(dirname "$0")/lib.sh"
export ranksight_repository=$1
tutorial=$1/docs/tutorial.md
export PATH=$build/bin:$PATH LD_PRELOAD=$yield_preload

python3 - "$tutorial" >steps.sh <<'PY'
import shlex, sys

SAME = ("identical:", "grid:", "parameters:", "held out:", "loop x", "MPI_")
console = False
print("set -euo pipefail")
print("ranksight=$ranksight_repository")
for line in open(sys.argv[1]):
    line = line.rstrip("\n")
    if line.startswith("```"):
        console = line == "```console"
    elif console and line.startswith("$ "):
        command = line[2:]
        print("echo " + shlex.quote("$ " + command) + " >&2")
        if command.endswith("&"):
            # A server is ready when it says where it listens.
            print(command[:-1] + ">server.txt 2>&1 &")
            print("until grep -q 'page at' server.txt; do kill -0 $!; "
                  "sleep 0.1; done")
        else:
            print("{ " + command + "; } >step.txt")
    elif console and "..." not in line and line.lstrip().startswith(SAME):
        print("grep -qxF " + shlex.quote(line) + " step.txt")
PY
[ "$(grep -c '^echo' steps.sh)" -gt 20 ] || fail "the tutorial has no commands"
bash -m steps.sh >steps.out 2>steps.err || {
  tail -n 20 steps.out steps.err server.txt >&2
  fail "a command of the tutorial"
}
[ -s loads.png ] && [ -s ranksight-study/report.html ] || fail "files missing"
"$ranksight" show heat.4.trace >show.txt
grep -qx "first host    4 ranks, $(nproc) cores" show.txt ||
  fail "the host of the run: $(grep host show.txt)"
