#!/usr/bin/env bash
# A wavefront, in which computation stands before other calls on other ranks, in
# simulated time: a replay, generated programs and the same at a size that was
# never traced take as long as the program itself. With computation drawn alike
# on all ranks they took 1.6 times as long.
. "$(dirname "$0")/lib.sh"
torus_platform 64 4,4,4
run() {  # RANKS TRACE PROGRAM ARGS...
  RANKSIGHT_CLOCK=wtime RANKSIGHT_OUTPUT=$2 smpirun -np "$1" \
    -platform torus.xml --cfg=smpi/wtime:0 --cfg=smpi/simulate-computation:no \
    --log=root.thresh:critical "${@:3}" >/dev/null || fail "smpirun $3"
}
seconds() {  # TRACE: of the run
  "$ranksight" show "$1" --json |
    python3 -c 'import json, sys
print(json.load(sys.stdin)["elapsed_ns"]["max"] / 1e9)'
}
replayed() {  # TRACE: seconds
  "$ranksight" simulate "$1" --platform torus.xml --json |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["replayed_seconds_longest_rank"])'
}
near() {  # WHAT SECONDS EXPECTED SHARE
  echo "$1: $2 s, expected $3" >&2
  python3 -c 'import sys
a, b, share = map(float, sys.argv[1:])
sys.exit(abs(a / b - 1) > share)' "$2" "$3" "$4" || fail "$1"
}
for ranks in 4 8 16 32 64; do
  run "$ranks" "$ranks.trace" "$build/bin/smpi/wavefront.recorded" 100
done
expected=$(seconds 32.trace)
near replay "$(replayed 32.trace)" "$expected" 0.01

"$ranksight" generate 32.trace --to c -o program >/dev/null || fail "generate"
smpicc -O2 program/*.c -o generated -Wl,--whole-archive \
  "$build/lib/libranksight-smpi.a" -Wl,--no-whole-archive -lzstd -lstdc++ -lm \
  -ldl || fail "smpicc"
run 32 generated.trace ./generated --sleep
near "generated program" "$(seconds generated.trace)" "$expected" 0.01

"$ranksight" generate 32.trace --to conceptual -o made >/dev/null ||
  fail "generate --to conceptual"
near "coNCePTuaL program, messages taking no time" \
  "$("$(dirname "$0")/read_conceptual.py" made/*.ncptl --seconds)" \
  "$expected" 0.05

"$ranksight" extrapolate {4,8,16,32}.trace --ranks 64 -o guess.trace \
  >/dev/null || fail "extrapolate"
near "extrapolated replay" "$(replayed guess.trace)" "$(seconds 64.trace)" 0.05

# What `forecast` says is what the trace says and takes.
"$ranksight" forecast {4,8,16,32}.trace --ranks 64 --json >forecast.json ||
  fail "forecast"
stated=$(python3 -c 'import json
print(json.load(open("forecast.json"))["points"][0]["seconds"])')
near "what the trace says" "$(seconds guess.trace)" "$stated" 1e-6
near "forecast against replay" "$(replayed guess.trace)" "$stated" 0.02
"$ranksight" show guess.trace >show.txt || fail "show"
grep -q '^elapsed .* forecast; 90 %: ' show.txt || fail "$(cat show.txt)"
