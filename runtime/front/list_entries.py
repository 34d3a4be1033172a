#!/usr/bin/env python3
"""Writes the list of functions that the front stands before: all that some
flavour wraps.

usage: list_entries.py OUTPUT FLAVOUR_LIBRARY... [-- CALLS_DEF HEADER...]

A flavour whose header is known need not be built for that: what it wraps follows
from the header and the table of calls.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                os.pardir, "intercept"))
# pylint: disable=wrong-import-position
import generate_wrappers  # noqa: E402

# What the front asks of a flavour, or has itself.
NOT_OF_PROGRAMS = {"ranksight_watch_abort", "ranksight_watch_error",
                   "ranksight_version"}


def exported(library):
    text = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                          capture_output=True, text=True).stdout
    return set(re.findall(r" [TW] (\w+)$", text, flags=re.M))


def main():
    output, *libraries = sys.argv[1:]
    names = set()
    if "--" in libraries:
        end = libraries.index("--")
        table, *headers = libraries[end + 1:]
        libraries = libraries[:end]
        names = generate_wrappers.wrapped_names(headers, table)
    names = names.union(*map(exported, libraries)) - NOT_OF_PROGRAMS
    with open(output, "w", encoding="utf-8") as f:
        f.writelines(f"RANKSIGHT_ENTRY({i}, {name})\n"
                     for i, name in enumerate(sorted(names)))


if __name__ == "__main__":
    main()
