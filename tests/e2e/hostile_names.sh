#!/usr/bin/env bash
# Names in a trace are anybody's: no command runs them, obeys them, or takes a
# part of them for its own line, cell, element or label.
. "$(dirname "$0")/lib.sh"
here=$RANKSIGHT_SOURCE/tests/e2e
# Quotes, the end of a comment, a line of its own, a tab, commands, tags, a comma,
# a direction mark (U+202E), an escape sequence, a byte that is no UTF-8, C1.
name='a"'\''*/%0aFORGED%09$(touch pwned)`touch pwned`<script>alert(1)</script>'
name+='<b onclick=x>,%e2%80%ae%1b[2J%ff%c2%9b2J\\'
shown() { python3 "$here/shown.py" "$@" || fail "$*"; }
# run CODES FORM COMMAND...: its exit is one of CODES, what it prints harmless.
run() {
  local codes=$1 form=$2 code=0
  shift 2
  timeout 600 "$ranksight" "$@" >out.txt 2>err.txt || code=$?
  case " $codes " in
    *" $code "*) ;;
    *) fail "exit $code: $* $(head -c 600 err.txt)" ;;
  esac
  # Without a document the reason stands on stderr.
  [ "$form" = text ] || [ -s out.txt ] && shown "$form" out.txt
  shown text err.txt
}

program=("$examples/stencil2d" --size 8x8 --steps 4)
traces=()
for n in 4 9 16; do
  must_record plain.$n.trace $n "${program[@]}"
  "$build/bin/hostile_trace" plain.$n.trace $n.trace "$name" || fail "rename"
  traces+=($n.trace)
done
run 0 text show 4.trace
grep -q '^program *a"' out.txt || fail "$(head -3 out.txt)"
grep -q '^launch *a"' out.txt || fail "no launch: $(head -5 out.txt)"
run 0 json show 4.trace --json
run 0 text show 4.trace --tree
run 0 json show 4.trace --tree --json
run 0 text show 4.trace --phases
run 0 json show 4.trace --phases --json
run 0 text show 4.trace --events --rank 0
run 0 json show 4.trace --events --rank 0 --json
run 0 text stats 4.trace
run 0 json stats 4.trace --json
run 0 text matrix 4.trace
run 0 json matrix 4.trace --json
run 0 text matrix 4.trace -o matrix.csv
shown csv matrix.csv
run 0 text diff 4.trace 4.trace
run 1 text diff 4.trace 9.trace
run 1 json diff 4.trace 9.trace --json
run 0 text diff 4.trace plain.4.trace
run 0 text condense 4.trace -o small.trace
run 0 text extrapolate "${traces[@]}" --ranks 25 --laws -o 25.trace
run 0 json extrapolate "${traces[@]}" --ranks 25 --json -o 25.trace
run 0 text extrapolate "${traces[@]}" --ranks 25 --symbolic -o laws.trace
"$build/bin/hostile_trace" laws.trace hostile.trace "$name" || fail "laws"
run 0 text show hostile.trace --laws
run 0 json show hostile.trace --laws --json
run 0 text show hostile.trace
run 0 text extrapolate hostile.trace --ranks 36 --laws -o 36.trace
# Refused, naming the program.
run 2 text extrapolate 4.trace 9.trace plain.16.trace --ranks 25 -o no.trace
run "0 1" text forecast "${traces[@]}" --ranks 25,64
run "0 1" json forecast "${traces[@]}" --ranks 25,64 --json
run 0 text map 4.trace --torus 2x2
run 0 json map 4.trace --torus 2x2 --json
run 0 text map 4.trace --torus 2x2 -o map.txt
printf 'a:2\nb:2\n' >hosts
run 0 text map 4.trace --hosts hosts
run 0 json map 4.trace --hosts hosts --json
LD_PRELOAD=$yield_preload run 0 text replay 4.trace --no-compute \
  --launcher "$launcher"
if [ -x "$build/bin/ranksight-replay-smpi" ]; then
  run 0 text simulate 4.trace --torus 2x2
fi

# The side-car: what it holds, its log, its page and what asks it.
mkdir spool
cp 4.trace "spool/a
FORGED"$'\e[2J\u202e'".trace"
echo 'no trace' >"spool/b
FORGED"$'\e[2J\u202e'".trace"
"$ranksight" serve --listen "ipc://$folder/socket" --store store \
  --http 127.0.0.1:0 --spool spool >serve.out 2>serve.err &
background+=("$!")
stored() { grep -q 'stored a' serve.err && grep -q 'not a trace' serve.err; }
wait_for stored || fail "serve: $(cat serve.err)"
run 0 text runs import --store store 9.trace 16.trace
shown text serve.out serve.err
run 0 text runs --store store
run 0 json runs --store store --json
run "0 1" text forecast --store store --program none --ranks 25
run 0 text monitor --store store --once
run 0 jsonl monitor --store store --once --jsonl
address=$(sed -n 's/.*page at \(http[^/]*..[^/]*\)\/#token=.*/\1/p' serve.err)
token=$(sed -n 's/.*#token=\([0-9a-f]*\).*/\1/p' serve.err)
ask() {
  python3 - "$address/$1" "$token" >answer <<'PY' || fail "$1"
import sys
import urllib.request
request = urllib.request.Request(
    sys.argv[1], headers={"Authorization": "Bearer " + sys.argv[2]})
sys.stdout.buffer.write(urllib.request.urlopen(request).read())
PY
}
ask metrics && shown metrics answer
grep -q 'program="a' answer || fail "no program in /metrics"
ask api/state && shown json answer
group=$(python3 -c 'import json
print(json.load(open("answer"))["groups"][0]["id"])')
ask "api/forecast?group=$group" && shown json answer
ask "api/laws?group=$group" && shown json answer
ask api/runs && shown json answer

# A study of a program under such a name, as far as a file can have one, in
# call sites whose file has one, too.
file=$(printf 'a"'\''*\nFORGED\t$(touch pwned)`touch pwned`<b onclick=x>,\u202e\e[2J\xff')
cat - "$here/../apps/shapes/ring.c" >ring.c <<'LINE'
#line 1 "x\"\nFORGED$(touch pwned)<b onclick=x>,\033[2J\342\200\256.c"
LINE
mpicc.mpich -g -I"$here/../.." ring.c -o "$file" || fail "compiling"
LD_PRELOAD=$yield_preload run "0 1" text study --ranks 2,3,4 --forecast 8 \
  --extrapolate 8 --folder study --launcher "$launcher -n {ranks}" -- "./$file"
while IFS= read -r -d '' page; do
  shown html "$page"
done < <(find study -name '*.html' -print0)
[ -n "$(find study -name '*.html')" ] || fail "no report"
shown text study/report.txt
shown json study/forecast.json
[ ! -e pwned ] && [ ! -e study/pwned ] || fail "a name was run"
