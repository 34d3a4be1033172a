#!/usr/bin/env python3
"""read_exchange.py LOGS AGAIN

Compares the raw logs of a program (canonical text, LOGS/<rank>.txt) with those
of a generated one that makes messages in place of collectives (AGAIN): what
was there besides is there again, and the collectives that are missing have
become as many messages and bytes as the MPI standard says their shares are.
Exact but where a log cannot tell a call in place from an empty share.
"""
import os
import sys
from collections import Counter
from fractions import Fraction

import raw_log

# The exchange's own completions, and what a generated program leaves out.
LOCAL = ("Waitall", "Type_", "Buffer_", "Group_")

ranks = len(os.listdir(sys.argv[1]))


def read(folder, rank):
    """Collectives as (call, bytes, rbytes, root, size), other calls."""
    collectives, others, sent, got = Counter(), Counter(), [], []
    for call, f, n in raw_log.calls(f"{folder}/{rank}.txt", ranks, ()):
        sizes = int(f.get("bytes", 0)), int(f.get("rbytes", 0))
        if call in raw_log.SENDS and f["peer"] != "null":
            sent.append(sizes[0])
        elif call in ("Recv", "Irecv") and f["peer"] != "null":
            got.append(sizes[0])
        elif call in EXPECTED:
            collectives[call, *sizes, f.get("root"), n] += 1
        elif not call.startswith(LOCAL):
            others[call] += 1
    return collectives, others, sent, got


def expected(messages, size, least=None):
    """Messages and bytes that leave, each (least, most)."""
    low = (messages, size) if least is None else least
    return (low[0], messages), (low[1], size)


def gather(own, root, sent, received, n):
    # The root in place sends itself nothing, and so says 0 bytes.
    if own == root and sent == 0:
        return expected(1, 0, (0, 0))
    return expected(1, sent)


def scatter(own, root, sent, received, n):
    # What arrives here left the root.
    if own == root and received == 0:
        return expected(1, 0, (0, 0))
    return expected(1, received)


def allgather(own, root, sent, received, n):
    if sent == 0:
        return expected(n, received * (n - 1), (n - 1, 0))
    return expected(n, sent * n)


def allgatherv(own, root, sent, received, n):
    if sent == 0:
        return expected(n, Fraction(received * (n - 1), n), (n - 1, 0))
    return expected(n, sent * n)


# What one rank's call becomes; where it depends on who is the first, the mean.
EXPECTED = {
    "Barrier": lambda me, root, s, r, n: expected(Fraction(2 * (n - 1), n), 0),
    "Bcast": lambda me, root, s, r, n:
        expected(n - 1, s * (n - 1)) if me == root else expected(0, 0),
    "Gather": gather,
    "Gatherv": gather,
    "Scatter": scatter,
    "Scatterv": scatter,
    "Allgather": allgather,
    "Allgatherv": allgatherv,
    "Alltoall": lambda me, root, s, r, n: expected(n, (s or r) * n),
    "Alltoallv": lambda me, root, s, r, n: expected(n, s or r),
    "Alltoallw": lambda me, root, s, r, n: expected(n, s or r),
    "Reduce": lambda me, root, s, r, n:
        expected(0, 0) if me == root else expected(1, s),
    "Allreduce": lambda me, root, s, r, n:
        expected(Fraction(2 * (n - 1), n), Fraction(2 * s * (n - 1), n)),
    "Scan": lambda me, root, s, r, n:
        expected(Fraction(n - 1, n), Fraction(s * (n - 1), n)),
    "Exscan": lambda me, root, s, r, n:
        expected(Fraction(n - 1, n), Fraction(s * (n - 1), n)),
    "Reduce_scatter": lambda me, root, s, r, n:
        expected(n - 1, Fraction(s * (n - 1), n)),
    "Reduce_scatter_block": lambda me, root, s, r, n:
        expected(n - 1, Fraction(s * (n - 1), n)),
}

want = [[Fraction(0)] * 2, [Fraction(0)] * 2]
count, amount, received, gone, left = 0, 0, 0, 0, 0
for own in range(ranks):
    before, calls, sent, got = read(sys.argv[1], own)
    after, calls_after, sent_after, got_after = read(sys.argv[2], own)
    # With a communicator goes the one that was made for its messages.
    besides = calls_after - calls
    assert besides.pop("Comm_free", 0) <= calls["Comm_free"], own
    assert not besides and not calls - calls_after, (own, calls, calls_after)
    assert not after - before, (own, after - before)
    for (call, s, r, root, n), times in (before - after).items():
        gone += times
        root = int(root) if root is not None else None
        for i, bounds in enumerate(EXPECTED[call](own, root, s, r, n)):
            for k in (0, 1):
                want[i][k] += times * bounds[k]
    left += sum(after.values())
    count += len(sent_after) - len(sent)
    amount += sum(sent_after) - sum(sent)
    received += len(got_after) - len(got)
assert gone > 0, "nothing was exchanged"
assert count == received, f"{count} sends, {received} receives"
for what, n, (low, high) in (("messages", count, want[0]),
                             ("bytes", amount, want[1])):
    assert low <= n <= high, f"{n} {what}, expected {low} to {high}"
print(f"{gone} calls: {count} messages, {amount} bytes "
      f"({want[0][0]} to {want[0][1]}, {want[1][0]} to {want[1][1]}), "
      f"{left} calls stay")
