"""address_families.py UNIT COMMAND...: runs COMMAND where the system makes no sockets
of other families than the unit's RestrictAddressFamilies names, as systemd does.
Exit 77 where the processor is none of those known here."""
import ctypes
import os
import platform
import re
import socket
import struct
import sys

unit, *command = sys.argv[1:]
with open(unit, encoding="utf-8") as text:
    names = re.search(r"^RestrictAddressFamilies=(.*)$", text.read(), re.M)[1]
families = [getattr(socket, name) for name in names.split()]
# Of the system call `socket`.
number = {"x86_64": 41, "aarch64": 198}.get(platform.machine())
if number is None:
    sys.exit(77)
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06  # instructions of a classic BPF filter
NUMBER, FIRST_ARGUMENT = 0, 16          # places in struct seccomp_data
ALLOW, EAFNOSUPPORT = 0x7fff0000, 0x00050000 | 97


def step(code, value, if_so=0, if_not=0):
    return struct.pack("HBBI", code, if_so, if_not, value)


count = len(families)
steps = [step(LOAD, NUMBER), step(EQUAL, number, 0, count + 2),
         step(LOAD, FIRST_ARGUMENT)]
steps += [step(EQUAL, family, count - i) for i, family in enumerate(families)]
steps += [step(RETURN, EAFNOSUPPORT), step(RETURN, ALLOW)]
filter_ = ctypes.create_string_buffer(b"".join(steps))
program = struct.pack("HP", len(steps), ctypes.addressof(filter_))
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
libc = ctypes.CDLL(None, use_errno=True)
if (libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or
        libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0)):
    sys.exit(77)
os.execv(command[0], command)
