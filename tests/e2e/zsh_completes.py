"""zsh_completes.py FOLDER EXPECTED LINE...: a zsh on a terminal, with the
completion of FOLDER, turns each LINE and a tab into EXPECTED. ranksight is on the
path. Stops at the first that does not come within a minute."""
import os
import pty
import re
import select
import sys
import time

PATIENCE_S = 60
PROMPT = b"ready>"


class Shell:
    def __init__(self, folder):
        pid, self._to = pty.fork()
        if pid == 0:
            os.environ.update(TERM="dumb", PS1=PROMPT.decode())
            os.execvp("zsh", ["zsh", "-f", "-i"])
        self._said = b""
        self.wait_for(PROMPT)
        self.type("fpath=('%s' $fpath); autoload -Uz compinit; compinit -u -D; "
                  "echo has''begun\n" % folder)
        self.wait_for(b"hasbegun")

    def type(self, text):
        self._said = b""
        os.write(self._to, text.encode())

    def wait_for(self, text):
        end = time.monotonic() + PATIENCE_S
        while text not in re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", self._said):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self._to], [], [], left)[0]:
                sys.exit("zsh: no %r in %r" % (text, self._said))
            self._said += os.read(self._to, 1 << 16)


shell = Shell(sys.argv[1])
for expected, line in zip(sys.argv[2::2], sys.argv[3::2]):
    shell.type(line + "\t")
    # The line is drawn again, or goes on where it ended.
    rest = expected[len(line):] if expected.startswith(line) else expected
    shell.wait_for(rest.encode())
    shell.type("\x15")
os.write(shell._to, b"\x04")
