#!/usr/bin/env python3
"""read_dumpi.py FOLDER LOGS

Reads the DUMPI trace in FOLDER by a reader of its own and compares it with the
raw logs of the program (canonical text, LOGS/<rank>.txt): every message and
collective in order, with its tag and bytes, and its peer where it is in the
world. Requests must be known when something waits for them.
"""
import glob
import os
import struct
import sys

import raw_log

CALLS = {0: "Send", 1: "Recv", 3: "Bsend", 4: "Ssend", 5: "Rsend", 8: "Isend",
         9: "Ibsend", 10: "Issend", 11: "Irsend", 12: "Irecv", 13: "Wait",
         15: "Request_free", 18: "Waitall", 23: "Probe", 26: "Send_init",
         27: "Bsend_init", 28: "Ssend_init", 29: "Rsend_init",
         30: "Recv_init", 31: "Start", 32: "Startall", 33: "Sendrecv",
         34: "Sendrecv_replace", 52: "Barrier", 53: "Bcast", 54: "Gather",
         55: "Gatherv", 56: "Scatter", 57: "Scatterv", 58: "Allgather",
         59: "Allgatherv", 60: "Alltoall", 61: "Alltoallv", 62: "Reduce",
         65: "Allreduce", 66: "Reduce_scatter", 67: "Scan", 84: "Comm_dup",
         86: "Comm_split", 87: "Comm_free", 124: "Init", 125: "Finalize",
         155: "Alltoallw", 156: "Exscan"}
COLLECTIVES = {name for number, name in CALLS.items()
               if 52 <= number <= 67 or number in (155, 156)}
# Arguments: i an int, t a type, c a communicator, o a reduction, I and T
# arrays, r a request, R several. Behind | those that only the root has.
FORMS = {"Recv": "itiic", "Wait": "r", "Request_free": "r", "Waitall": "iR",
         "Probe": "iic", "Start": "r", "Startall": "iR",
         "Sendrecv": "itiiitiic", "Sendrecv_replace": "itiiiic",
         "Barrier": "c", "Bcast": "itic", "Gather": "iitic|it",
         "Gatherv": "iiitic|II;t", "Scatter": "iitic|it",
         "Scatterv": "iititic|II", "Allgather": "ititc",
         "Allgatherv": "iitIItc", "Alltoall": "ititc",
         "Alltoallv": "iIItIItc", "Alltoallw": "iIITIITc",
         "Reduce": "itoic", "Allreduce": "itoc", "Scan": "itoc",
         "Exscan": "itoc", "Reduce_scatter": "iItoc", "Comm_dup": "cc",
         "Comm_split": "ciic", "Comm_free": "c", "Init": "i", "Finalize": ""}
MAGIC = b"\xff\xaa\xddDUMPI"


class File:
    def __init__(self, path):
        self.data = open(path, "rb").read()
        assert self.data[:8] == MAGIC and self.data[-64:-56] == MAGIC, path
        index = struct.unpack(">7Q", self.data[-56:])
        sizes, _, _, _, body, footer, _ = index
        self.at = sizes
        self.sizes = self.ints()
        self.at = footer + 8
        self.counts = [self.number("I") for _ in range(291)]
        self.at = body + 8

    def number(self, kind):
        size = struct.calcsize(kind)
        self.at += size
        return struct.unpack(">" + kind, self.data[self.at - size:self.at])[0]

    def ints(self):
        return [self.number("i") for _ in range(self.number("i"))]

    def argument(self, kind):
        if kind == "I" or kind == "R":
            return self.ints()
        if kind == "T":
            return [self.sizes[self.number("H")]
                    for _ in range(self.number("i"))]
        if kind == "t":
            return self.sizes[self.number("H")]
        return self.number({"c": "H", "o": "B"}.get(kind, "i"))

    def calls(self):
        seen, last = [0] * 291, 0
        while (number := self.number("H")) != 293:
            seen[number] += 1
            assert self.number("B") == 12
            times = [self.number("H") * 10**9 + self.number("I")
                     for _ in range(4)]
            assert times[:2] == times[2:] and last <= times[0] <= times[1]
            last = times[1]
            name = CALLS[number]
            form = FORMS.get(name, "itiic" + "r" * (name[0] == "I" or
                                                    "_init" in name))
            always, _, more = form.partition("|")
            rooted, _, behind = more.partition(";")
            a = [self.argument(k) for k in always]
            if rooted and a[0] == a[-2]:
                a += [self.argument(k) for k in rooted]
            a += [self.argument(k) for k in behind]
            yield name, a
        assert seen == self.counts


def total(counts, sizes):
    if isinstance(sizes, int):
        sizes = [sizes] * len(counts)
    return sum(n * s for n, s in zip(counts, sizes))


def collective(name, a):
    """(bytes sent, bytes received), as the canonical text counts them."""
    if name in ("Bcast", "Reduce", "Allreduce", "Scan", "Exscan"):
        return a[0] * a[1], 0
    if name == "Reduce_scatter":
        return total(a[1], a[2]), 0
    if name == "Barrier":
        return 0, 0
    root = a[0] == a[-2] if len(a) == 5 else True
    if name in ("Gather", "Scatter"):
        own, other = a[1] * a[2], a[5] * a[6] if len(a) > 5 else 0
        return (own, other) if name == "Gather" else (other, own)
    if name == "Gatherv":
        return a[2] * a[3], total(a[6], a[8]) if len(a) > 7 else 0
    if name == "Scatterv":
        return total(a[7], a[2]) if len(a) > 7 else 0, a[3] * a[4]
    if name in ("Allgather", "Alltoall"):
        return a[0] * a[1], a[2] * a[3]
    if name == "Allgatherv":
        return a[1] * a[2], total(a[3], a[5])
    assert root
    return total(a[1], a[3]), total(a[4], a[6])


def read(path):
    """What a rank does, and whether what it waits for was begun."""
    begun = set()
    for name, a in File(path).calls():
        if FORMS.get(name, "r")[-1:] in ("r", "R"):
            if name in ("Wait", "Request_free", "Waitall", "Start",
                        "Startall"):
                waited = a[-1] if isinstance(a[-1], list) else [a[-1]]
                assert set(waited) <= begun, (path, name, waited)
                continue
            begun.add(a[-1])
        if name.endswith("_init"):
            continue
        if name in raw_log.SENDS or name in ("Recv", "Irecv"):
            yield name, a[2] if a[4] == 2 else None, a[3], a[0] * a[1]
        elif name == "Sendrecv":
            yield name, a[2] if a[8] == 2 else None, a[3], a[0] * a[1]
            yield name, a[6] if a[8] == 2 else None, a[7], a[4] * a[5]
        elif name == "Sendrecv_replace":
            yield name, a[2] if a[6] == 2 else None, a[3], a[0] * a[1]
            yield name, a[4] if a[6] == 2 else None, a[5], a[0] * a[1]
        elif name in COLLECTIVES:
            yield (name, *collective(name, a))


def expected(path, ranks):
    for call, f, n in raw_log.calls(path, ranks, ()):
        own, other = int(f.get("bytes", 0)), int(f.get("rbytes", 0))
        world = f.get("comm") == "0"

        def half(peer, tag, size):
            number = {"any": -1, "null": None}
            at = number.get(f[peer], f[peer])
            return (int(at) if world and at is not None else None,
                    int(number.get(f[tag], f[tag])), size)
        if "rpeer" in f:
            name = call[1:].capitalize() if call[0] == "I" else call
            alone = "null" in (f["peer"], f["rpeer"])
            if f["peer"] != "null":
                yield ("Send" if alone else name, *half("peer", "tag", own))
            if f["rpeer"] != "null":
                yield ("Recv" if alone else name,
                       *half("rpeer", "rtag", other or own))
        elif call in raw_log.SENDS or call in ("Recv", "Irecv"):
            if f["peer"] != "null":
                yield (call, *half("peer", "tag", own))
        elif raw_log.blocking(call).replace("_block", "") in COLLECTIVES:
            name = raw_log.blocking(call)
            yield name.replace("_block", ""), own, other


def same(name, want, got):
    """In place the trace says what moves, the log that it says nothing."""
    if want == got:
        return True
    return name.startswith("All") and want[1] == 0 and want[2] == got[2]


ranks = len(os.listdir(sys.argv[2]))
files = sorted(glob.glob(sys.argv[1] + "/*.bin"))
assert len(files) == ranks
assert f"numprocs={ranks}\n" in open(
    glob.glob(sys.argv[1] + "/*.meta")[0], encoding="utf-8").read()
records = 0
for own, path in enumerate(files):
    want = list(expected(f"{sys.argv[2]}/{own}.txt", ranks))
    got = list(read(path))
    for i, (w, g) in enumerate(zip(want, got)):
        w = tuple(g[k] if k == 1 and g[k] is None else v
                  for k, v in enumerate(w))
        assert same(g[0], w, g), f"rank {own}, {i}: {g}, expected {w}"
    assert len(want) == len(got), (own, len(want), len(got))
    records += len(got)
print(f"{records} records of {ranks} ranks")
