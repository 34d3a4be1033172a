#!/usr/bin/env bash
# RANKSIGHT_BUILD=BUILD nas.sh FOLDER [EVENTS] [RANKS...]: runs the eight NAS
# codes of class S, FOLDER/<code>.S.x, on 4 and 16 (or RANKS) ranks with an
# epoch forced every EVENTS (300) calls; the short EP, FT and IS every 2, 4 and
# 10. Each must give the trace of a run without epochs, and the independent
# log's text on every rank.
set -u
folder=$1
events=${2:-300}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- 4 16
script=$(dirname "$(readlink -f "$0")")/../../e2e/epochs.sh
failed=0
for ranks in "$@"; do
  for code in bt cg ep ft is lu mg sp; do
    case $code in
      ep) every=2 ;;
      ft) every=4 ;;
      is) every=10 ;;
      *) every=$events ;;
    esac
    if bash "$script" "$ranks" "$every" "$folder/$code.S.x"; then
      echo "$code.S on $ranks ranks: equal"
    else
      echo "$code.S on $ranks ranks: DIFFERS"
      failed=1
    fi
  done
done
exit $failed
