#!/usr/bin/env python3
"""read_dimemas.py TRACE.dim LOGS

Reads a Dimemas trace and compares what each task does, in order, with the raw
logs of the program (canonical text, LOGS/<rank>.txt): messages with peer, tag
and size, collectives with members, root and sizes. Checks the places of the
header and that everything received at once is waited for.
"""
import os
import re
import sys
from collections import Counter, defaultdict

import raw_log

OPERATIONS = ("Barrier Bcast Gather Gatherv Scatter Scatterv Allgather "
              "Allgatherv Alltoall Alltoallv Reduce Allreduce Reduce_scatter "
              "Reduce_scatter_block Scan Alltoallw").split()

data = open(sys.argv[1], "rb").read()
ranks = len(os.listdir(sys.argv[2]))
header, _, rest = data.partition(b"\n")
m = re.fullmatch(rb'#DIMEMAS:"([^":]+)":1,(\d+):(\d+)\((1(?:,1)*)\),(\d+)',
                 header)
assert m, header
assert int(m[3]) == ranks == m[4].count(b"1")
offsets = [line.split(b":") for line in data[int(m[2]):].splitlines()]
assert [int(o[1]) for o in offsets] == list(range(ranks))
assert all(o[0] == b"s" for o in offsets)

comms = {}
at = len(header) + 1
for line in rest.splitlines():
    if not line.startswith(b"d:1:"):
        break
    at += len(line) + 1
    number, size, *members = map(int, line.split(b":")[2:])
    assert len(members) == size
    comms[number] = members
assert len(comms) == int(m[5])
assert comms[1] == list(range(ranks))

begins = [int(o[2]) for o in offsets] + [int(m[2])]
assert begins[0] == at
tasks = []
for rank in range(ranks):
    lines = data[begins[rank]:begins[rank + 1]].splitlines()
    assert all(line.split(b":")[1:3] == [b"%d" % rank, b"0"] for line in lines)
    tasks.append([line.decode().split(":") for line in lines])


def expected_of(path):
    actions = []

    def message(what, peer, tag, size, how):
        if peer != "null":
            actions.append((what, peer, tag, int(size), how))

    for call, f, members in raw_log.calls(path, ranks):
        b, r = int(f.get("bytes", 0)), int(f.get("rbytes", 0))
        if call in raw_log.SENDS:
            how = (2 if call[0] == "I" else 0) + ("Ss" in call or "ss" in call)
            message("send", f["peer"], f["tag"], b, how)
        elif call in ("Recv", "Irecv"):
            message("receive", f["peer"], f["tag"], b, int(call == "Irecv"))
        elif call in ("Sendrecv", "Isendrecv", "Sendrecv_replace"):
            message("send", f["peer"], f["tag"], b, 2)
            message("receive", f["rpeer"], f["rtag"], f.get("rbytes", b),
                    int(call[0] == "I"))
        elif raw_log.blocking(call) in OPERATIONS + ["Exscan"] and members > 1:
            name = raw_log.blocking(call).replace("Exscan", "Scan")
            actions.append((name, f.get("root"), b, r, members))
    return actions


def check_collective(rank, fields, want):
    number, comm, root, _, sent, received, how = map(int, fields)
    name, wanted_root, b, r, members = want
    assert how == 1 and rank in comms[comm] and len(comms[comm]) == members
    assert OPERATIONS[number] == name, (fields, want)
    if wanted_root is not None:
        is_root = int(wanted_root) == rank
        assert root == (int(wanted_root) if name == "Reduce" else is_root)
    assert (sent, received) == (b, r), (fields, want)


total, seconds = 0, 0.0
for rank, records in enumerate(tasks):
    wanted = iter(expected_of(f"{sys.argv[2]}/{rank}.txt"))
    open_receives = Counter()
    for kind, _, _, *fields in records:
        if kind == "1":
            assert re.fullmatch(r"\d+\.\d{9}", fields[0])
            seconds += float(fields[0])
            continue
        total += 1
        if kind == "10":
            check_collective(rank, fields, next(wanted))
            continue
        peer, thread, size, tag, comm, how = map(int, fields)
        assert thread == -1 and rank in comms[comm]
        key = (peer, size, tag, comm)
        if kind == "3" and how == 2:
            open_receives[key] -= 1
            assert open_receives[key] >= 0, f"rank {rank} waits for {key}"
            continue
        what = {"2": "send", "3": "receive"}[kind]
        want = next(wanted, None)
        assert want is not None and want[0] == what, (rank, fields, want)
        if want[1] != "any":
            assert int(want[1]) == peer, (rank, fields, want)
        if want[2] != "any":
            assert int(want[2]) == tag, (rank, fields, want)
        assert want[3:] == (size, how), (rank, fields, want)
        if kind == "3" and how == 1:
            open_receives[key] += 1
    assert next(wanted, None) is None, f"rank {rank} does less"
    assert not any(open_receives.values()), f"rank {rank} leaves receives open"
assert seconds > 0
print(f"{total} records of {ranks} tasks")
