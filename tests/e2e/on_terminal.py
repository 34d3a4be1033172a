#!/usr/bin/env python3
"""on_terminal.py [--until TEXT] [--signal NAME] [--leave KEYS] [--no-input]
[--columns N] COMMAND...: runs it on a terminal of N columns, 100 by itself,
signals it or types KEYS once it wrote TEXT, prints what it wrote and how it
ended: a number, or the signal's name."""
import argparse
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time

parser = argparse.ArgumentParser()
parser.add_argument("--until")
parser.add_argument("--signal")
parser.add_argument("--leave", default="")
parser.add_argument("--no-input", action="store_true")
parser.add_argument("--columns", type=int, default=100)
parser.add_argument("command", nargs=argparse.REMAINDER)
options = parser.parse_args()

ours, theirs = pty.openpty()
fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, options.columns, 0, 0))
child = subprocess.Popen(
    options.command,
    stdin=subprocess.DEVNULL if options.no_input else theirs,
    stdout=theirs,
    stderr=theirs,
    start_new_session=True,
    env={**os.environ, "TERM": "xterm"},
)
os.close(theirs)


def read(seconds, until=None):
    """What comes until then, or until nobody can write any more."""
    text = b""
    end = time.monotonic() + seconds
    while until is None or until not in text:
        left = end - time.monotonic()
        if left <= 0 or not select.select([ours], [], [], left)[0]:
            break
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        text += part
    return text


written = read(600, options.until.encode()) if options.until else b""
if options.signal:
    child.send_signal(signal.Signals["SIG" + options.signal])
if options.leave:
    os.write(ours, options.leave.encode())
written += read(600)
status = child.wait(600)
sys.stdout.buffer.write(written)
print()
print(status if status >= 0 else signal.Signals(-status).name)
