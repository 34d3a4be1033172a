#!/usr/bin/env python3
"""read_conceptual.py PROGRAM.ncptl LOGS [exchanged]
read_conceptual.py PROGRAM.ncptl --seconds

Reads the part of coNCePTuaL 1.5 that `ranksight generate` writes, by a parser
of its own, expands it to what each task does, and compares that with the raw
logs of the program (canonical text, LOGS/<rank>.txt): every message with its
peer, tag and size in order, receives from any source by the sends they leave
over, collectives by the substitutes for them, or, where they were exchanged,
by the messages that stand for them. Then plays the program: every
message must find its receive and every task its end. With --seconds it is
only played, and said how long that takes where nothing but computation takes
any time.
"""
import os
import re
import sys
from collections import Counter, defaultdict, deque

import raw_log

TOKEN = re.compile(r'\s*(?:#[^\n]*\n)*\s*("[^"]*"|\d+|\w+|<>|<=|>=|/\\|\\/|'
                   r'\.\.\.|.)')


class Reader:
    def __init__(self, text):
        text += "\n"
        self.tokens = []
        at = 0
        while text[at:].strip() and not re.fullmatch(
                r'\s*(#[^\n]*\n\s*)*', text[at:]):
            m = TOKEN.match(text, at)
            self.tokens.append(m[1])
            at = m.end()
        self.at = 0

    def peek(self, n=0):
        at = self.at + n
        return self.tokens[at].upper() if at < len(self.tokens) else ""

    def take(self, *words):
        """Takes these words if they come next."""
        if all(self.peek(i) == w for i, w in enumerate(words)):
            self.at += len(words)
            return True
        return False

    def need(self, *words):
        if not self.take(*words):
            sys.exit(f"{' '.join(words)} expected at "
                     f"{' '.join(self.tokens[self.at:self.at + 8])}")

    def word(self):
        self.at += 1
        return self.tokens[self.at - 1]

    # Expressions become functions of the variables.
    def expr(self):
        value = self.sum()
        if not self.take("IF"):
            return value
        condition = self.condition()
        self.need("OTHERWISE")
        other = self.expr()
        return lambda v: value(v) if condition(v) else other(v)

    def sum(self):
        left = self.product()
        while self.peek() in ("+", "-", "XOR"):
            op, a, b = self.word().upper(), left, self.product()
            left = {"+": lambda v, a=a, b=b: a(v) + b(v),
                    "-": lambda v, a=a, b=b: a(v) - b(v),
                    "XOR": lambda v, a=a, b=b: a(v) ^ b(v)}[op]
        return left

    def product(self):
        left = self.unary()
        while self.peek() in ("*", "/", "MOD"):
            op, a, b = self.word().upper(), left, self.unary()
            left = {"*": lambda v, a=a, b=b: a(v) * b(v),
                    "/": lambda v, a=a, b=b: a(v) // b(v),
                    "MOD": lambda v, a=a, b=b: a(v) % b(v)}[op]
        return left

    def unary(self):
        if self.take("-"):
            value = self.unary()
            return lambda v: -value(v)
        if self.take("("):
            value = self.expr()
            self.need(")")
            return value
        word = self.word()
        if word.isdigit():
            return lambda v: int(word)
        return lambda v: v[word]

    def condition(self):
        left = self.relation()
        while self.take("/\\"):
            a, b = left, self.relation()
            left = lambda v, a=a, b=b: a(v) and b(v)
        return left

    def relation(self):
        a = self.expr()
        if self.take("IS", "IN"):
            ranges = self.ranges()
            return lambda v: a(v) in ranges(v)
        op, b = self.word(), self.expr()
        return {"=": lambda v: a(v) == b(v), "<": lambda v: a(v) < b(v),
                ">=": lambda v: a(v) >= b(v),
                "<>": lambda v: a(v) != b(v)}[op]

    def ranges(self):
        parts = [self.range()]
        while self.peek() == "," and self.peek(1) == "{":
            self.need(",")
            parts.append(self.range())
        return lambda v: [x for p in parts for x in p(v)]

    def range(self):
        self.need("{")
        values, last, loops = [self.expr()], None, []
        while self.take("FOR", "EACH"):
            name = self.word()
            self.need("IN")
            loops.append((name, self.ranges()))
        while self.take(","):
            if self.take("..."):
                self.need(",")
                last = self.expr()
            else:
                values.append(self.expr())
        self.need("}")

        def listed(v):
            got = [x(v) for x in values]
            if last is None:
                return got
            step = got[1] - got[0] if len(got) > 1 else 1
            assert all(b - a == step for a, b in zip(got, got[1:]))
            return list(range(got[0], last(v) + 1, step))

        def comprehended(v, at=0):
            if at == len(loops):
                return [values[0](v)]
            name, over = loops[at]
            return [x for i in over(v)
                    for x in comprehended({**v, name: i}, at + 1)]

        return comprehended if loops else listed

    def tasks(self):
        """(name of the variable or None, function giving the tasks)"""
        if self.take("ALL", "OTHER", "TASKS"):
            return None, "others"
        if self.take("ALL", "TASKS"):
            verbs = ("SEND", "RECEIVE", "ASYNCHRONOUSLY", "COMPUTE", "AWAIT",
                     "SYNCHRONIZE", "REDUCE", "MULTICAST")
            name = None if self.peek() in verbs else self.word()
            return name, lambda v: range(ranks)
        if self.take("TASK"):
            which = self.expr()
            return None, lambda v: [which(v)]
        self.need("TASKS")
        name = self.word()
        self.need("SUCH", "THAT")
        condition = self.condition()
        return name, lambda v: [t for t in range(ranks)
                                if condition({**v, name: t})]

    def message(self):
        self.need("A")
        size = self.expr()
        self.need("BYTE", "MESSAGE")
        tag = self.expr() if self.take("USING", "TAG") else None
        return size, tag

    # Statements become functions that append to `done`.
    def block(self):
        self.need("{")
        parts = [self.statement()]
        while self.take("THEN"):
            parts.append(self.statement())
        self.need("}")

        def run(v):
            for part in parts:
                part(v)
        return run

    def statement(self):
        if self.peek() == "{":
            return self.block()
        if self.take("FOR", "EACH"):
            name = self.word()
            self.need("IN")
            over, body = self.ranges(), self.statement()

            def run(v):
                for i in over(v):
                    body({**v, name: i})
            return run
        if self.take("FOR"):
            times = self.expr()
            self.need("REPETITIONS")
            body = self.statement()

            def run(v):
                for _ in range(times(v)):
                    body(v)
            return run
        if self.take("IF"):
            condition = self.condition()
            self.need("THEN")
            body = self.statement()
            return lambda v: body(v) if condition(v) else None
        return self.action()

    def action(self):
        name, tasks = self.tasks()
        asynchronous = self.take("ASYNCHRONOUSLY")
        verb = self.word().upper().rstrip("S")
        if verb == "COMPUTE":
            self.need("FOR")
            us = self.expr()
            self.need("MICROSECONDS")

            def run(v):
                for t in tasks(v):
                    done[t].append(("compute", us({**v, name: t})))
            return run
        if verb == "AWAIT":
            self.need("COMPLETION")
            return lambda v: [done[t].append(("await",)) for t in tasks(v)]
        if verb in ("SEND", "RECEIVE"):
            size, tag = self.message()
            self.need("TO" if verb == "SEND" else "FROM")
            if verb == "SEND" and not self.take("UNSUSPECTING"):
                return self.both_ends(name, tasks, size, tag)
            self.need("TASK")
            peer = self.expr()

            def run(v):
                for t in tasks(v):
                    w = {**v, name: t}
                    done[t].append((verb.lower(), peer(w), tag(w), size(w),
                                    asynchronous))
            return run
        return self.collective(name, tasks, verb)

    def both_ends(self, name, tasks, size, tag):
        """A send whose targets receive."""
        _, targets = self.tasks()

        def run(v):
            for t in tasks(v):
                w = {**v, name: t} if name else v
                to = (sorted(set(range(ranks)) - {t})
                      if targets == "others" else targets(w))
                for u in to:
                    done[t].append(("send", u, tag(w), size(w), False))
                    done[u].append(("receive", t, tag(w), size(w), False))
        return run

    def collective(self, name, tasks, verb):
        if verb == "SYNCHRONIZE":
            return lambda v: together(tasks(v), ("synchronize",))
        if verb == "MULTICAST":
            size, _ = self.message()
            self.need("TO")
            other, targets = self.tasks()

            def run(v):
                for t in tasks(v):
                    w = {**v, name: t} if name else v
                    to = (sorted(set(range(ranks)) - {t})
                          if targets == "others" else targets(w))
                    assert t not in to
                    record(v, t, to, size(w))

            def record(v, t, to, bytes):
                sources = list(tasks(v))
                if len(sources) == 1:
                    together([t] + list(to), ("multicast", t, bytes))
                else:
                    assert sorted(list(to) + [t]) == sorted(sources)
                    groups[t] = frozenset(sources)
                    done[t].append(("multicast to all", bytes,
                                    frozenset(sources)))
            return run
        assert verb == "REDUCE", verb
        count = self.expr()
        unit = 8 if self.word().upper().startswith("DOUBLEWORD") else 4
        target = None
        if self.take("TO", "TASK"):
            target = self.expr()

        def run(v):
            together(tasks(v), ("reduce", target(v) if target else None,
                                count(v) * unit))
        return run


def together(members, what):
    members = frozenset(members)
    for t in members:
        done[t].append((*what, members))


def read_log(own):
    """What a rank should do."""
    actions = []
    for call, f, n in raw_log.calls(f"{sys.argv[2]}/{own}.txt", ranks):
        if call in raw_log.SENDS:
            add_message(actions, "send", f["peer"], f["tag"], f["bytes"])
        elif call in ("Recv", "Irecv"):
            add_message(actions, "receive", f["peer"], f["tag"], f["bytes"])
        elif call in ("Sendrecv", "Isendrecv", "Sendrecv_replace"):
            add_message(actions, "send", f["peer"], f["tag"], f["bytes"])
            add_message(actions, "receive", f["rpeer"], f["rtag"],
                        f.get("rbytes", f["bytes"]))
        elif n > 1:
            b, r = int(f.get("bytes", 0)), int(f.get("rbytes", 0))
            root = int(f["root"]) if "root" in f else None
            substitutes = substitute(raw_log.blocking(call), b, r, root, n)
            if exchanged and substitutes and call == raw_log.blocking(call):
                actions.append(("messages", *messages(call, b, r, root, own,
                                                      n)))
            else:
                actions += substitutes
    return actions


def messages(call, sent, received, root, own, n):
    """(sends, receives) that may stand for it, sizes allowed."""
    size = sent if sent else received
    if call in ("Bcast", "Scatter", "Scatterv"):
        sizes = {"Bcast": (sent,), "Scatter": (size,)}.get(call)
        return [(n - 1, 0) if own == root else (0, 1)], sizes
    if call in ("Reduce", "Gather", "Gatherv"):
        sizes = None if call == "Gatherv" else (size,)
        return [(0, n - 1) if own == root else (1, 0)], sizes
    if call in ("Barrier", "Allreduce", "Scan", "Exscan"):
        return [(n - 1, n - 1), (1, 1)], (size,)
    if call.startswith("Allgather"):
        each = received // (n if call == "Allgatherv" else 1)
    elif call == "Alltoall":
        each = received
    elif call == "Reduce_scatter_block":
        each = sent // n
    else:
        return [(n - 1, n - 1)], None
    return [(n - 1, n - 1)], (each,)


def add_message(actions, what, peer, tag, size):
    if peer != "null":
        actions.append((what, peer, tag, int(size)))


def rounded(size):
    return (-(-size // 4) * 4, -(-size // 8) * 8)


def substitute(call, sent, received, root, n):
    """(what, root, sizes allowed, members); None: whatever."""
    size = sent if sent else received
    if call == "Barrier":
        return [("synchronize", None, None, n)]
    if call in ("Bcast", "Scatter", "Scatterv"):
        one = {"Bcast": sent, "Scatter": size}.get(call)
        return [("multicast", root, one and (one,), n)]
    if call in ("Reduce", "Gather", "Gatherv"):
        return [("reduce", root,
                 None if call == "Gatherv" else rounded(size), n)]
    if call in ("Allreduce", "Scan", "Exscan"):
        return [("reduce", None, rounded(size), n)]
    if call in ("Allgather", "Allgatherv"):
        each = received // (n if call == "Allgatherv" else 1)
        return [("reduce", None, rounded(each), n),
                ("multicast", None, (each * n,), n)]
    if call in ("Alltoall", "Alltoallv", "Alltoallw"):
        each = received if call == "Alltoall" else size // n
        return [("multicast to all", None, (each,), n)]
    if call.startswith("Reduce_scatter"):
        return [("reduce", None, rounded(sent // n), n)] * n
    return []


def together_again(rank, expected, actual):
    """With those that stand for a collective as ("messages", sizes)."""
    at, result = 0, []
    for e in expected:
        if e[0] != "messages":
            result += actual[at:at + 1]
            at += 1
            continue
        for sends, receives in e[1]:
            part = actual[at:at + sends + receives]
            to = {a[1] for a in part if a[0] == "send"}
            source = {a[1] for a in part if a[0] == "receive"}
            if (len(to) == sends and len(source) == receives
                    and len({a[2] for a in part}) == 1
                    and rank not in to | source):
                break
        else:
            sys.exit(f"rank {rank}: {actual[at:at + 4]} do not stand for {e}")
        result.append(("messages", {a[3] for a in part}))
        at += len(part)
    return result + actual[at:]


# From here on tags stand for one of another communicator (message_tags.h).
FIRST_FREE_TAG = 10_000_000
stands_for = {}


def same_tag(want, got):
    """Whether it is the tag, or stands for it and for no other."""
    if got < FIRST_FREE_TAG:
        return want == got
    return stands_for.setdefault(got, want) == want


def compare(rank, expected, actual, any_source):
    """What a rank should do, with what the program has it do."""
    actual = together_again(rank, expected,
                            [a for a in actual
                             if a[0] not in ("await", "compute")])
    for i, (e, a) in enumerate(zip(expected, actual)):
        where = f"rank {rank}, action {i}: {a}, expected {e}"
        assert e[0] == a[0], where
        if e[0] == "messages":
            assert e[2] is None or a[1] <= set(e[2]), where
        elif e[0] in ("send", "receive"):
            for want, got, same in zip(e[1:3], a[1:3],
                                       (int.__eq__, same_tag)):
                if want == "any":
                    any_source.append(rank)
                else:
                    assert same(int(want), got), where
            assert e[3] == a[3], where
        else:
            members = a[-1]
            assert rank in members and len(members) == e[3], where
            assert e[2] is None or a[-2] in e[2], where
            assert e[1] is None or a[1] == e[1], where
    assert len(expected) == len(actual), \
        f"rank {rank}: {len(actual)} actions instead of {len(expected)}"


def play():
    """Sends are buffered, the rest waits: everybody must come to an end.
    Returns each task's microseconds."""
    left = [deque(d) for d in done]
    sent, posted = defaultdict(deque), defaultdict(deque)
    open_receives = Counter()
    arrived = defaultdict(list)
    now = [0] * ranks
    last = [0] * ranks  # of what was sent to it and not waited for

    def match(key):
        while sent[key] and posted[key]:
            size, at = sent[key].popleft()
            most, task, waits = posted[key].popleft()
            last[task] = max(last[task], at)
            assert size <= most, f"{key}: {size} bytes for {most}"
            if waits:
                arrived[task].append(key)
            else:
                open_receives[task] -= 1

    waiting, met = {}, Counter()
    moved = True
    while moved:
        moved = False
        for t in range(ranks):
            while left[t]:
                a = left[t][0]
                if a[0] == "send":
                    sent[t, a[1], a[2]].append((a[3], now[t]))
                    match((t, a[1], a[2]))
                elif a[0] == "receive":
                    key = (a[1], t, a[2])
                    if t not in waiting:
                        waits = not a[4]
                        posted[key].append((a[3], t, waits))
                        open_receives[t] += not waits
                        waiting[t] = waits
                        match(key)
                    if waiting[t] and not arrived[t]:
                        break
                    if waiting[t]:
                        now[t] = max(now[t], last[t])
                    arrived[t].clear()
                    del waiting[t]
                elif a[0] == "compute":
                    now[t] += a[1]
                elif a[0] == "await":
                    if open_receives[t]:
                        break
                    now[t] = max(now[t], last[t])
                else:
                    if t not in waiting:
                        waiting[t] = True
                        met[a[-1]] += 1
                    if met[a[-1]] < len(a[-1]):
                        break
                    members = a[-1]
                    if all(left[m] and m in waiting and left[m][0][-1] == members
                           for m in members):
                        assert len({left[m][0][0] for m in members}) == 1
                        met[members] = 0
                        end = max(now[m] for m in members)
                        for m in members:
                            now[m] = end
                            left[m].popleft()
                            del waiting[m]
                        moved = True
                        continue
                    break
                left[t].popleft()
                moved = True
    stuck = {t: d[0] for t, d in enumerate(left) if d}
    assert not stuck, f"tasks that do not come to an end: {stuck}"
    assert not any(sent.values()), "messages that nobody receives"
    assert not any(open_receives.values()), "receives that nobody awaits"
    return now


timed = sys.argv[2] == "--seconds"
exchanged = len(sys.argv) > 3
reader = Reader(open(sys.argv[1], encoding="utf-8").read())
reader.need("REQUIRE", "LANGUAGE", "VERSION")
assert reader.word() == '"1.5"'
reader.need(".", "ASSERT", "THAT")
reader.word()
reader.need("WITH", "NUM_TASKS", "=")
ranks = int(reader.word())
reader.need(".")
done = [[] for _ in range(ranks)]
groups = {}
assert timed or ranks == len(os.listdir(sys.argv[2]))
program = reader.block()
reader.need(".")
assert reader.at == len(reader.tokens)
program({"num_tasks": ranks})
if timed:
    print(max(play()) / 1e6)
    sys.exit()
wild = []
for own in range(ranks):
    compare(own, read_log(own), done[own], wild)
play()
print(f"{sum(map(len, done))} actions of {ranks} tasks, "
      f"{len(wild)} from any source or with any tag")
