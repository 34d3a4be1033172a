#!/usr/bin/env bash
# slow_reading.sh: commands that look at traces say on a terminal what they are at
# while that takes: here as long as nobody writes what they read.
. "$(dirname "$0")/lib.sh"
must_record 2.trace 2 "$examples/stencil2d" --size 16x16 --steps 20
mkfifo slow
shows() {  # TEXT WANTED COMMAND...: TEXT until slow is written, WANTED behind it
  timeout 600 python3 - "$@" <<'END' || fail "${*:3}"
import os, pty, select, subprocess, sys
text, wanted, *command = sys.argv[1:]
ours, theirs = pty.openpty()
child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs)
os.close(theirs)
shown = b""
while text.encode() not in shown:
    shown += os.read(ours, 65536)
assert child.poll() is None, shown
with open("2.trace", "rb") as trace, open("slow", "wb") as slow:
    slow.write(trace.read())
said = child.communicate()[0].decode()
assert child.returncode == 0 and wanted in said, (child.returncode, said)
while select.select([ours], [], [], 0)[0]:
    try:
        shown += os.read(ours, 65536)
    except OSError:  # nobody can write any more
        break
assert shown.endswith(b"\r\x1b[K"), shown  # and is gone
END
}
shows 'ranksight: reading slow' 'from,to,messages' "$ranksight" matrix slow
shows 'ranksight: reading slow' MPI_Isend "$ranksight" stats slow
shows 'ranksight: reading slow' stencil2d "$ranksight" show slow
shows 'ranksight: condensing slow' 'bytes' "$ranksight" condense slow -o small.trace
shows 'ranksight: merging 1 parts' 'slow.trace: 2 of 2 ranks' \
  "$ranksight" merge slow -o slow.trace
shows 'ranksight: importing 1 trace' '' "$ranksight" runs import --store store slow
"$ranksight" runs list --store store | grep -q stencil2d || fail "not imported"
