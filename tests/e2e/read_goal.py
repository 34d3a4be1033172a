#!/usr/bin/env python3
"""read_goal.py BINARY TEXT

Reads compiled GOAL, as LogGOPSim maps it into memory, and compares it with the
text of the same trace: every operation, what it is behind, and the order in
which the schedule names what is behind an operation's end and its start.
"""
import re
import struct
import sys

KINDS = {1: "send", 2: "recv", 3: "calc"}
RECORD = struct.Struct("=IBIQIBBIIII")


def compiled(data):
    """Of each rank: operations, and those behind the end and start of each."""
    magic, ranks, cpu, nic = struct.unpack_from("=QIBB", data)
    assert (magic, cpu, nic) == (4223, 0, 0)
    places = struct.unpack_from(f"={2 * ranks}Q", data, 14)
    assert places[0] == 6 + 16 * ranks and places[-1] + 8 == len(data)
    for begin, end, after in zip(places[::2], places[1::2],
                                 places[2::2] + (places[-1],)):
        assert end == after
        yield compiled_rank(data[begin + 8:end + 8])


def compiled_rank(data):
    count, free = struct.unpack_from("=II", data)
    roots = struct.unpack_from(f"={free}I", data, 8)
    at = 8 + 4 * free
    records = list(RECORD.iter_unpack(data[at:at + RECORD.size * count]))
    later = [n for n, in struct.iter_unpack("=I",
                                            data[at + RECORD.size * count:])]
    operations, behind, used = [], [], 0
    for waits, kind, peer, size, tag, cpu, nic, ends, end_at, starts, start_at \
            in records:
        assert (cpu, nic) == (0, 0)
        assert (end_at, start_at) == (used, used + ends)
        used += ends + starts
        operations.append((KINDS[kind], size, peer, tag, waits))
        behind.append((later[end_at:start_at], later[start_at:used]))
    assert used == len(later)
    assert roots == tuple(i for i, o in enumerate(operations) if o[4] == 0)
    return operations, behind


def text(path):
    """The same of the text."""
    rank = None
    for line in open(path):
        if line.startswith("rank"):
            rank = ([], [])
        elif line == "}\n":
            operations, behind = rank
            waits = [0] * len(operations)
            for pair in behind:
                for later in pair:
                    for number in later:
                        waits[number] += 1
            yield [(*o, n) for o, n in zip(operations, waits)], behind
        elif m := re.fullmatch(r"l(\d+): (\w+) (\d+)(?:b (?:to|from) (\d+) "
                               r"tag (\d+))?\n", line):
            assert int(m[1]) == len(rank[0]) + 1
            rank[0].append((m[2], int(m[3]), int(m[4] or 0), int(m[5] or 0)))
            rank[1].append(([], []))
        elif m := re.fullmatch(r"l(\d+) (i?)requires l(\d+)\n", line):
            rank[1][int(m[3]) - 1][m[2] == "i"].append(int(m[1]) - 1)


def main():
    total = ranks = 0
    for ours, theirs in zip(compiled(open(sys.argv[1], "rb").read()),
                            text(sys.argv[2]), strict=True):
        assert ours == theirs, f"rank {ranks}"
        total += len(ours[0])
        ranks += 1
    print(f"{total} operations of {ranks} ranks")


main()
