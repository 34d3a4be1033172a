#!/usr/bin/env bash
# One verdict: of the same runs the terminal, the report and the files of `study`,
# `forecast`, the page, its list of programs and the monitor say the same sentence.
. "$(dirname "$0")/lib.sh"
# said_of NAME PROGRAM RANKS TARGETS
said_of() {
  LD_PRELOAD=$yield_preload "$ranksight" study --ranks "$3" --forecast "$4" \
    --folder "$1" --store store --launcher "$launcher -n {ranks}" -- $2 \
    >"$1.out" 2>"$1.err"
  # 1 where the machine is so busy that all points are refused.
  [ $? -le 1 ] || fail "study of $1: $(cat "$1.err")"
}
said_of stencil2d "$examples/stencil2d --size 32x32 --steps 10" 4,9,16 64,100
said_of wavefront "$apps/wavefront" 3,4,5,6 8
start_page --listen "ipc://$folder/socket" --store store --http 127.0.0.1:0
for program in stencil2d wavefront; do
  python3 - "$program" "$ranksight" "$(sed -n 's/.*page at //p' serve.err)" \
    <<'PY' || fail "more than one verdict"
import json, re, subprocess, sys, time, urllib.request
program, ranksight, page = sys.argv[1:]
address, token = page.split("/#token=")


def ask(path):
    request = urllib.request.Request(address + path, headers={
        "Authorization": "Bearer " + token})
    return json.load(urllib.request.urlopen(request))


def words(text):
    return " ".join(text.split())


(group,) = [g["id"] for g in ask("/api/state")["groups"]
            if g["program"] == program]
while (forecast := ask("/api/forecast?group=" + group))["walking"]:
    time.sleep(0.1)
said = forecast["verdict"]["text"]
ranks = ",".join(str(p["ranks"]) for p in forecast["points"])
with open(program + ".out", encoding="utf-8") as out:
    terminal = out.read()
with open(program + "/report.html", encoding="utf-8") as out:
    report = out.read()
with open(program + "/forecast.json", encoding="utf-8") as out:
    stored = json.load(out)
(overview,) = [p["verdict"] for p in ask("/api/overview")["programs"]
               if p["program"] == program]
monitor = subprocess.run(
    [ranksight, "monitor", "--store", "store", "--once", "--program", program],
    capture_output=True, text=True).stdout
command = subprocess.run(
    [ranksight, "forecast", "--store", "store", "--program", program, "--ranks",
     ranks], capture_output=True, text=True).stdout
places = {"the terminal": said in terminal.splitlines(),
          "the report": json.dumps(said)[1:-1] in report,
          "forecast.json": said == stored["verdict"]["text"],
          "the list of programs": said == overview,
          "the monitor": words(said) in words(monitor),
          "forecast": said == command.splitlines()[0]}
wrong = [place for place, same in places.items() if not same]
if wrong:
    sys.exit("%s: the page says '%s', not so %s:\n%s\n%s\n%s\n%s" % (
        program, said, wrong, terminal, overview, monitor, command))
PY
done
