#!/usr/bin/env python3
"""read_chunks.py TRACE: the bytes of a trace's chunks that hold structure (meta,
sites, tree) and of all of it, read by reduction/FORMAT.md alone."""
import sys

MAGIC = b"\x89RST\r\n\x1a\n"
END, STRUCTURE = 0, (1, 2, 3)
CHECKSUM = 4

data = open(sys.argv[1], "rb").read()
assert data.startswith(MAGIC), "not a trace"
at = len(MAGIC)


def varint():
    global at
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value


version = varint()
assert version in (1, 2, 4, 7), version
structure, seen, tag = 0, [], None
while tag != END:
    begin = at
    tag, form = data[at], data[at + 1]
    at += 2
    stored = varint()
    if form == 1:
        varint()
    at += stored + CHECKSUM
    seen.append(tag)
    if tag in STRUCTURE:
        structure += at - begin
assert at == len(data) and seen[:3] == list(STRUCTURE), seen
print(structure, len(data))
