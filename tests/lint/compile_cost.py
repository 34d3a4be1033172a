#!/usr/bin/env python3
"""Finds a build that has become expensive.

usage: compile_cost.py SOURCE BUILD | --self-test

Adds up the lines of all files that each compilation of the command and its
libraries reads, as ninja noted them, and compares the sum with the stored
figure: time on a machine would depend on the machine. The same of what a change
of one header compiles, for the dearest that is in no api/. And no public header
(api/*.h) may read one of the heavy headers, by itself or through others.
Exit 77 where another compiler or no ninja makes the figure say nothing.
"""
import os
import re
import subprocess
import sys

# Millions of lines read by all compilations, with the compiler that it holds
# for. A change that brings it down stores the new figure.
STORED_MILLIONS = 11.4
STORED_OF_A_HEADER = 1.7
COMPILER = "12"
ALLOWED_GROWTH = 1.1
HEAVY = re.compile(r"^(nlohmann/|CLI/|fmt/|sqlite3|Eigen/|httplib|zmq|mpi\.h|"
                   r"png\.h|otf2/|ncurses|iostream$|regex$)")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


def noted_reads(build):
    """For each object its files, of the last `ninja -t deps`."""
    run = subprocess.run(["ninja", "-C", build, "-t", "deps"],
                         capture_output=True, text=True, check=True)
    reads, files = {}, None
    for line in run.stdout.splitlines():
        if line.startswith("    "):
            files.append(line.strip())
        elif ": #deps" in line:
            files = []
            reads[line.split(":")[0]] = files
    return reads


def counts(target):
    """Whether an object is of the command, its libraries or the runtime; of what
    is built for a second MPI, or for SMPI, there may be none, and nobody waits
    for the standard's binary interface."""
    return not re.search(r"^(tests|examples)/|/(smpi|other_mpi|abi)/|_twin\.dir/",
                         target)


def lines_by_object(reads, build):
    lines = {}

    def lines_of(path):
        path = os.path.join(build, path)
        if path not in lines:
            with open(path, "rb") as f:
                lines[path] = f.read().count(b"\n")
        return lines[path]

    return {target: sum(lines_of(f) for f in files)
            for target, files in reads.items() if counts(target)}


def dearest_header(reads, lines, source, build):
    """The header of ours in no api/ whose change compiles most lines, and these."""
    costs = {}
    for target in lines:
        for path in reads[target]:
            name = os.path.relpath(os.path.join(build, path), source)
            if name.endswith(".h") and not name.startswith((".", "build")) \
                    and "/api/" not in name:
                costs[name] = costs.get(name, 0) + lines[target]
    return max(((n, h) for h, n in costs.items()), default=(0, ""))


def heavy_of(header, read):
    """The first heavy header that a header of ours reads, and by which way.

    read: gives the text of a header of ours, None for those of others.
    """
    seen, ways = set(), [[header]]
    while ways:
        way = ways.pop()
        text = read(way[-1])
        if text is None or way[-1] in seen:
            continue
        seen.add(way[-1])
        for name in INCLUDE.findall(text):
            if HEAVY.match(name):
                return way + [name]
            ways.append(way + [name])
    return None


def reader(source):
    def read(name):
        path = os.path.join(source, name)
        if not os.path.isfile(path):
            return None
        with open(path, encoding="utf-8") as f:
            return f.read()
    return read


def public_headers(source):
    for folder in sorted(os.listdir(source)):
        api = os.path.join(source, folder, "api")
        if os.path.isdir(api):
            for name in sorted(os.listdir(api)):
                if name.endswith(".h"):
                    yield f"{folder}/api/{name}"


def compiler_version(build):
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as f:
        cache = f.read()
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.M)[1]
    run = subprocess.run([compiler, "-dumpversion"], capture_output=True,
                         text=True, check=True)
    return run.stdout.strip().split(".")[0]


def check(source, build):
    faults = []
    for header in public_headers(source):
        way = heavy_of(header, reader(source))
        if way:
            faults.append(" reads ".join(way))
    if not os.path.exists(os.path.join(build, "build.ninja")) or \
            compiler_version(build) != COMPILER:
        return faults, None
    reads = noted_reads(build)
    lines = lines_by_object(reads, build)
    millions = sum(lines.values()) / 1e6
    if millions > STORED_MILLIONS * ALLOWED_GROWTH:
        faults.append(f"{millions:.2f} million lines are read to build, "
                      f"{STORED_MILLIONS:.2f} before: less, or store it here")
    most, header = dearest_header(reads, lines, source, build)
    if most / 1e6 > STORED_OF_A_HEADER * ALLOWED_GROWTH:
        faults.append(f"a change of {header} reads {most / 1e6:.2f} million "
                      f"lines, {STORED_OF_A_HEADER:.2f} before: sources by what "
                      "they read, fewer includes, or store it here")
    return faults, (millions, most / 1e6, header)


def self_test():
    texts = {"a/api/x.h": '#include "a/y.h"', "a/y.h": "#include <fmt/core.h>",
             "a/api/z.h": "#include <vector>\n// #include <fmt/core.h>"}
    assert heavy_of("a/api/x.h", texts.get) == ["a/api/x.h", "a/y.h",
                                                "fmt/core.h"]
    assert heavy_of("a/api/z.h", texts.get) is None
    here = os.path.abspath(__file__)
    own = open(here, encoding="utf-8").read().count("\n")
    reads = {"cli/a.o": [here, here], "tests/b.o": [here],
             "runtime/smpi/c.o": [here]}
    lines = lines_by_object(reads, "/")
    assert lines == {"cli/a.o": 2 * own}
    reads = {"cli/a.o": ["/s/a/x.h", "/s/a/api/y.h"], "cli/b.o": ["/s/a/x.h"],
             "cli/c.o": ["/s/a/z.h", "/s/build/m.h"]}
    lines = {"cli/a.o": 3, "cli/b.o": 4, "cli/c.o": 6}
    assert dearest_header(reads, lines, "/s", "/") == (7, "a/x.h")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    faults, read = check(*sys.argv[1:])
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        return 1
    if read is None:
        return 77
    print(f"{read[0]:.2f} million lines, stored {STORED_MILLIONS:.2f}; "
          f"{read[1]:.2f} for {read[2]}, stored {STORED_OF_A_HEADER:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
