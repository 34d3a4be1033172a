#!/usr/bin/env python3
"""convert_speed.py RANKSIGHT TRACE FORMAT...

Converts TRACE into each format, into a folder that goes away afterwards, and
prints events a second of CPU time (user and system, all threads) and the most
memory that the command held.
"""
import json
import os
import subprocess
import sys
import tempfile


def convert(ranksight, trace, form, folder):
    """(events, seconds, bytes written, bytes of memory)"""
    out = os.path.join(folder, "out")
    with open(os.path.join(folder, "report"), "w+", encoding="utf-8") as report:
        run = subprocess.Popen([ranksight, "convert", trace, "--to", form,
                                "-o", out, "--json"], stdout=report)
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        assert run.returncode == 0, f"{form}: exit {run.returncode}"
        report.seek(0)
        events = json.load(report)["events"]
    seconds = used.ru_utime + used.ru_stime
    written = sum(os.path.getsize(os.path.join(at, name))
                  for at, _, names in os.walk(folder) for name in names)
    return events, seconds, written, used.ru_maxrss * 1024


print("| format | events | CPU s | million events/s | MB written | MB memory |")
print("|---|---|---|---|---|---|")
for name in sys.argv[3:]:
    with tempfile.TemporaryDirectory() as place:
        n, cpu, size, memory = convert(sys.argv[1], sys.argv[2], name, place)
    print(f"| {name} | {n:,} | {cpu:.2f} | {n / cpu / 1e6:.2f} | "
          f"{size / 1e6:.0f} | {memory / 1e6:.0f} |", flush=True)
