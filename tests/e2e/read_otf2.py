#!/usr/bin/python3
"""read_otf2.py ARCHIVE RANK: the canonical text of one rank of an OTF2
archive that ranksight wrote, read with OTF2's own Python module."""
import sys

import otf2

FIELDS = ["comm", "peer", "tag", "bytes", "rpeer", "rtag", "rbytes", "root",
          "n"]
SPECIAL = -(1 << 40)
NAMES = {SPECIAL - 1: "any", SPECIAL - 2: "null", SPECIAL - 3: "root",
         SPECIAL - 4: "any"}

with otf2.reader.open(sys.argv[1]) as trace:
    rank = next(l for l in trace.definitions.locations
                if l.name == "rank " + sys.argv[2])
    attributes = {a.name: a for a in trace.definitions.attributes}
    fields = [(f, attributes["ranksight." + f]) for f in FIELDS]
    for location, event in trace.events([rank]):
        if not isinstance(event, otf2.events.Enter):
            continue
        values = event.attributes or {}
        words = [event.region.name]
        for name, attribute in fields:
            if attribute in values:
                value = values[attribute]
                words.append(f"{name}={NAMES.get(value, value)}")
        print(" ".join(words))
