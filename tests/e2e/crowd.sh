#!/usr/bin/env bash
# crowd.sh REQUEST_WALK PROGRAM STEPS [any]: calls that several threads make at
# once. Every rank's events are the raw logger's, as multisets, and each call
# completes the requests that its thread made, or was handed (crowd.c). The
# threads' parameters of the run are all there.
. "$(dirname "$0")/lib.sh"
walk=$1
program=$2
steps=$3
logged logs 2 "$program" "${@:3}" >logged.txt || fail "the logged run"
must_record run.trace 2 "$program" "${@:3}"
"$ranksight" show run.trace >shown.txt
for lane in 0 1 2 3; do
  grep -q "lane$lane=$steps\b" shown.txt || fail "no parameter of lane $lane"
done
for rank in 0 1; do
  logged_events "logs/$rank.txt" run.trace "$rank" --unordered
  "$walk" run.trace "$rank" >walk.txt || fail "requests of rank $rank"
  # Communicators are numbered from 2: lane 0 has 2, ...
  awk -v steps="$steps" -F: '
    { n = split($2, comms, " "); lane = n <= 2 ? 0 : n / 2 - 2
      for (i in comms) if (comms[i] != lane + 2) { print; bad = 1 }
      ++seen[n] }
    END { for (k = 0; k < 4; ++k) if (seen[2 * k + 4] != steps) bad = 1
          exit bad || seen[1] != 2 * steps || seen[2] != int(steps / 10) }
  ' walk.txt >wrong.txt || { head -20 wrong.txt >&2; fail "rank $rank"; }
done
