#!/usr/bin/env python3
"""read_chakra.py FOLDER LOGS GOAL

Reads Chakra execution traces (FOLDER/trace.RANK.et) with a protobuf reader of
its own and compares what each rank does, in order, with the raw logs of the
program (canonical text, LOGS/RANK.txt): messages with peer, tag and size,
collectives with members and size, waits with what they wait for, collectives
that became messages with how many these are. Plays all ranks to their end, so
that every message and collective meets its other side. Computation adds up to
that of the same trace in GOAL, less than a microsecond apart.
"""
import json
import os
import re
import sys
from collections import Counter, defaultdict, deque

import raw_log

COMPUTE, SEND, RECEIVE, COLLECTIVE = 4, 5, 6, 7
WHOLE = {"Allreduce": 0, "Allgather": 2, "Alltoall": 6,
         "Reduce_scatter_block": 7}


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7f) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def fields(data):
    """(number, value) of each field; a value is a number or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        value, at = varint(data, at)
        assert key & 7 in (0, 2), f"wire type {key & 7}"
        if key & 7 == 2:
            assert at + value <= len(data)
            value, at = data[at:at + value], at + value
        yield key >> 3, value


def packed(data):
    at, values = 0, []
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values


class Node:
    """A message Node of et_def.proto."""

    def __init__(self, data):
        self.behind, self.micros, self.attributes = [], 0, {}
        for number, value in fields(data):
            if number == 1:
                self.id = value
            elif number == 2:
                self.name = value.decode()
            elif number == 3:
                self.kind = value
            elif number == 5:
                self.behind = packed(value)
            elif number == 7:
                self.micros = value
            else:
                assert number == 10, f"field {number}"
                self.add_attribute(dict(fields(value)))
        assert self.attributes.pop("is_cpu_op") == (27, 0)

    def add_attribute(self, parts):
        name = parts.pop(1).decode()
        assert name not in self.attributes
        (self.attributes[name],) = parts.items()

    def get(self, name, field):
        """The attribute, which is of this field of the value's oneof."""
        found, value = self.attributes[name]
        assert found == field, (name, found)
        return value

    def size(self):
        return self.get("comm_size", 9)

    def ends(self):
        return self.get("comm_src", 7), self.get("comm_dst", 7)

    def tag(self):
        return self.get("comm_tag", 7)


def read(path):
    data = open(path, "rb").read()
    size, at = varint(data, 0)
    assert dict(fields(data[at:at + size])) == {1: b"0.0.4"}
    at, nodes = at + size, []
    while at < len(data):
        size, at = varint(data, at)
        nodes.append(Node(data[at:at + size]))
        at += size
    assert at == len(data)
    for place, node in enumerate(nodes, 1):
        assert node.id == place
        assert all(0 < on < node.id for on in node.behind)
        assert len(set(node.behind)) == len(node.behind)
    return nodes


class RankCheck:
    """What one rank's nodes are against its raw log."""

    def __init__(self, rank, nodes, log, groups):
        self.rank, self.nodes, self.groups = rank, nodes, groups
        self.log = deque(raw_log.calls(log, len(groups["0"])))
        self.at = 0
        self.last = 0      # the last node that all later ones are behind
        self.under_way = []  # of messages: None where there is no node

    def fail(self, what):
        node = self.nodes[self.at] if self.at < len(self.nodes) else None
        raise SystemExit(f"rank {self.rank}, {what}: "
                         f"{node and (node.id, node.name, node.attributes)}")

    def next_is(self, name, kind):
        if self.at == len(self.nodes):
            return False
        node = self.nodes[self.at]
        return (node.name, node.kind) == (name, kind)

    def take(self, name, kind, blocks):
        if not self.next_is(name, kind):
            self.fail(f"no {name}")
        node = self.nodes[self.at]
        self.at += 1
        if self.last and max(node.behind) < self.last:
            self.fail(f"{name} not behind {self.last}")
        if blocks:
            self.last = node.id
        return node

    def message(self, call, kind, f, side, blocks):
        """The node, or None where nobody is at the other end."""
        peer, tag = f[side + "peer"], f[side + "tag"]
        if peer == "null":
            return None
        node = self.take("MPI_" + call, kind, blocks)
        ends = node.ends()
        if kind == RECEIVE:
            ends = ends[::-1]
        if ends[0] != self.rank or peer not in ("any", str(ends[1])):
            self.fail(f"{call} with {peer}")
        if f["comm"] == "0" and tag not in ("any", str(node.tag())):
            self.fail(f"{call} with tag {tag}")
        asked = int(f.get(side + "bytes", f["bytes"]))
        # A receive has room for more than it may get: play() knows what it gets.
        if node.size() > asked or (kind == SEND and node.size() < asked):
            self.fail(f"{call} of {f}")
        return node

    def wait(self, name, waited):
        """For these messages, under way until then."""
        ids = {node.id for node in waited if node}
        if ids and not ids <= set(self.take(name, COMPUTE, True).behind):
            self.fail(f"{name} waits for less than {ids}")

    def wait_for(self, call, count):
        if count == len(self.under_way):
            self.wait("MPI_" + call, self.under_way)
            self.under_way = []
            return
        # Which ones the log does not say.
        if not self.next_is("MPI_" + call, COMPUTE):
            return
        behind = set(self.take("MPI_" + call, COMPUTE, True).behind)
        done = [n for n in self.under_way if n and n.id in behind]
        if not 0 < len(done) <= count:
            self.fail(f"{call} of {count} waits for {len(done)}")
        self.under_way = [n for n in self.under_way if n not in done]

    def whole(self, call, f, members, blocks):
        if members < 2 or f["bytes"] == f.get("rbytes", "0") == "0":
            return None
        node = self.take("MPI_" + call, COLLECTIVE, blocks)
        group = self.groups[node.get("pg_name", 29).decode()]
        name, share = raw_log.blocking(call), int(f["bytes"])
        if name == "Alltoall":
            share *= members
        if (self.rank not in group or len(group) != members or
                node.get("comm_type", 9) != WHOLE[name] or
                node.size() != share):
            self.fail(f"{call} of {f}")
        return node

    def by_messages(self, call, f, members):
        """All calls of the same name behind one another."""
        wanted, sizes = Counter(), set()
        while True:
            if members > 1 and call == "Barrier":
                rounds = (members - 1).bit_length()
                wanted[SEND] += rounds
                wanted[RECEIVE] += rounds
                sizes.add(1)
            elif members > 1 and call in ("Bcast", "Reduce"):
                if f["root"] != str(self.rank):
                    wanted[RECEIVE if call == "Bcast" else SEND] += 1
                sizes.add(int(f["bytes"]))
            if not self.log or self.log[0][0] != call:
                break
            _, f, members = self.log.popleft()
        found = Counter()
        while self.at < len(self.nodes):
            node = self.nodes[self.at]
            if node.name == "MPI_" + call and node.kind in (SEND, RECEIVE):
                found[node.kind] += 1
                if sizes and node.size() not in sizes:
                    self.fail(f"{call} of {sizes}")
            elif node.name not in ("computation", "MPI_" + call):
                break
            self.take(node.name, node.kind, node.kind == COMPUTE)
        for kind, count in wanted.items():
            if found[kind] != count:
                self.fail(f"{call}: {found} and not {wanted}")

    def check(self):
        while self.log:
            call, f, members = self.log.popleft()
            while self.next_is("computation", COMPUTE):
                self.take("computation", COMPUTE, True)
            starts = call[0] == "I" and call != "Init"
            if call in raw_log.SENDS or call in ("Recv", "Irecv"):
                kind = RECEIVE if call.endswith("recv") or call == "Recv" \
                    else SEND
                node = self.message(call, kind, f, "", not starts)
                if starts:
                    self.under_way.append(node)
            elif call in ("Sendrecv", "Sendrecv_replace"):
                f.setdefault("rbytes", f["bytes"])
                self.wait("MPI_" + call,
                          [self.message(call, SEND, f, "", False),
                           self.message(call, RECEIVE, f, "r", False)])
            elif call in ("Wait", "Waitall"):
                self.wait_for(call, int(f["n"]))
            elif raw_log.blocking(call) in WHOLE:
                node = self.whole(call, f, members, not starts)
                if starts:
                    self.under_way.append(node)
            elif "comm" in f and "peer" not in f and call != "Comm_free":
                self.by_messages(call, f, members)
        if self.at != len(self.nodes):
            self.fail("more than the log")


def play(ranks, groups):
    """Every node of every rank comes to its end."""
    waiting = [[len(set(n.behind)) for n in nodes] for nodes in ranks]
    after = [defaultdict(list) for _ in ranks]
    for nodes, later in zip(ranks, after):
        for n in nodes:
            for on in n.behind:
                later[on].append(n.id)
    sent, wanted = defaultdict(deque), defaultdict(deque)
    joined, turns = defaultdict(list), Counter()
    ready = deque((r, n.id) for r, nodes in enumerate(ranks)
                  for n in nodes if not n.behind)
    ended = 0

    def end(rank, number):
        nonlocal ended
        ended += 1
        for later in after[rank][number]:
            waiting[rank][later - 1] -= 1
            if waiting[rank][later - 1] == 0:
                ready.append((rank, later))

    while ready:
        rank, number = ready.popleft()
        node = ranks[rank][number - 1]
        if node.kind == COMPUTE:
            end(rank, number)
        elif node.kind == COLLECTIVE:
            group = node.get("pg_name", 29)
            turn = (group, turns[rank, group])
            turns[rank, group] += 1
            joined[turn].append((rank, number))
            if len(joined[turn]) == len(groups[group.decode()]):
                for member in joined.pop(turn):
                    end(*member)
        else:
            way = (*node.ends(), node.tag())
            sends = node.kind == SEND
            (sent if sends else wanted)[way].append((rank, number))
            if sends:
                end(rank, number)
            if sent[way] and wanted[way]:
                (source, its), here = sent[way].popleft(), wanted[way].popleft()
                assert ranks[source][its - 1].size() == \
                    ranks[here[0]][here[1] - 1].size(), way
                end(*here)
    total = sum(map(len, ranks))
    assert ended == total, f"{total - ended} nodes never end"
    assert not any(sent.values()), "sends without receives"
    return total


def computation(goal, ranks):
    """Nanoseconds of each rank."""
    sums, rank = [0] * ranks, 0
    for line in open(goal):
        if found := re.match(r"rank (\d+)", line):
            rank = int(found[1])
        elif found := re.match(r"l\d+: calc (\d+)", line):
            sums[rank] += int(found[1])
    return sums


def main():
    folder, logs, goal = sys.argv[1:]
    count = len(os.listdir(logs))
    groups = json.load(open(f"{folder}/groups.json"))
    assert "0" not in groups
    groups["0"] = list(range(count))
    assert len(os.listdir(folder)) == count + 1
    ranks = [read(f"{folder}/trace.{r}.et") for r in range(count)]
    for rank, nodes in enumerate(ranks):
        RankCheck(rank, nodes, f"{logs}/{rank}.txt", groups).check()
    sums = computation(goal, count)
    assert sum(sums) > 0
    for nodes, ns in zip(ranks, sums):
        assert sum(n.micros for n in nodes) == ns // 1000
    print(f"{play(ranks, groups)} nodes of {count} ranks")


main()
