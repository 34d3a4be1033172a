#!/usr/bin/env python3
"""Checks that includes and CMake link lists follow the two-floor rule, and that
no sub-folders include one another in a circle.

usage: layering.py ROOT        checks a tree; exit 1 lists what breaks it
       layering.py --self-test exit 0 when the checker finds planted faults
"""
import os
import re
import subprocess
import sys
import tempfile

# Floor 0 depends on nothing of ours; floor 1 on floor 0; cli on all.
ALLOWED = {
    "reduction": set(),
    "bgq_support": set(),
    "runtime": {"reduction", "bgq_support"},
    "online_model": {"reduction", "bgq_support"},
    "replay_engine": {"reduction", "bgq_support"},
    "adapters": {"reduction", "bgq_support"},
    "cli": {"reduction", "bgq_support", "runtime", "online_model",
            "replay_engine", "adapters"},
}

# Third-party headers and the folders that may know them.
THIRD_PARTY = [
    (r"mpi\.h", ["runtime/intercept", "runtime/capture", "reduction/tree_mpi",
                 "replay_engine/backend_mpi", "replay_engine/tool",
                 "adapters/c_mpi/support",
                 "replay_engine/smpi",
                 "examples", "tests"]),
    (r"zmq\.h(pp)?", ["runtime/egress", "online_model/ingest", "tests"]),
    (r"Kokkos_.*", ["bgq_support/load", "tests"]),
    (r"httplib\.h", ["online_model/web", "tests"]),
    (r"(ncurses|curses)\.h", ["cli/monitor"]),
    (r"Eigen/.*", ["online_model/fit", "tests"]),
    (r"png\.h", ["cli/look", "tests"]),
    (r"(dwarf\.h|elfutils/.*)", ["cli/symbols"]),
    (r"sqlite3\.h", ["online_model/store", "tests"]),
    (r"zstd\.h", ["reduction/codec", "tests"]),
    (r"CLI/.*", ["cli", "replay_engine/tool", "tests/idioms",
                 "tests/unit/cli"]),
    (r"nlohmann/.*",
     ["bgq_support", "online_model", "cli", "adapters", "tests"]),
    (r"fmt/.*", ["online_model", "cli", "adapters", "tests"]),
    (r"otf2/.*", ["adapters/otf2", "tests"]),
    (r"hwloc\.h", ["replay_engine/tool", "bgq_support/hosts"]),
    (r"(unwind|link|elf)\.h", ["runtime/capture", "runtime/front", "runtime/intercept",
                                "tests"]),
]


def faults_of_include(path, name, quoted):
    folder = path.split("/")[0]
    if ".." in name:
        return "'..' in an include"
    if quoted and folder in ALLOWED:
        other = name.split("/")[0]
        if other not in ALLOWED:
            return "an include names its path from the repository root"
        # Only api/ is installed.
        if path.startswith(folder + "/api/") and not name.startswith(
                other + "/api/"):
            return "an api header may include api headers only"
        if other in ALLOWED and other != folder:
            if other not in ALLOWED[folder]:
                return f"{folder} must not know {other}"
            if not name.startswith(other + "/api/"):
                return f"only {other}/api may be included from outside"
    if not quoted:
        for pattern, places in THIRD_PARTY:
            if re.fullmatch(pattern, name) and not any(
                    path.startswith(p + "/") for p in places):
                return f"<{name}> belongs in {', '.join(places)} only"
    return None


def faults_of_links(path, text):
    folder = path.split("/")[0]
    if folder not in ALLOWED:
        return
    for other in re.findall(r"ranksight::(\w+)", text):
        owner = "online_model" if other.startswith("online_") else None
        for name in ALLOWED:
            if other == name or other.startswith(name + "_"):
                owner = name
        if other.startswith("cli"):
            owner = "cli"
        if owner and owner != folder and owner not in ALLOWED[folder]:
            yield f"{path}: {folder} must not link ranksight::{other}"


def folder_of(path):
    """The sub-folder that a file is in: reduction/merge, say."""
    return "/".join(path.split("/")[:2])


def cycles(known):
    """Sub-folders that include one another, each circle once, as text.

    known: of each sub-folder the others that it includes, with a place where.
    """
    def reached(start):
        seen, ahead = set(), list(known.get(start, ()))
        while ahead:
            folder = ahead.pop()
            if folder not in seen:
                seen.add(folder)
                ahead += known.get(folder, ())
        return seen

    all_reached = {folder: reached(folder) for folder in known}
    told = set()
    for folder in sorted(known):
        circle = {other for other in all_reached[folder]
                  if folder in all_reached.get(other, ())}
        if folder in circle and folder not in told:
            told |= circle
            places = [f"{place} -> {other}" for one in sorted(circle)
                      for other, place in sorted(known[one].items())
                      if other in circle]
            yield "folders in a circle: " + ", ".join(places)


def check(root, files):
    found, known = [], {}
    for path in files:
        full = os.path.join(root, path)
        if path.endswith("CMakeLists.txt"):
            with open(full, encoding="utf-8") as f:
                found += faults_of_links(path, f.read())
            continue
        if not path.endswith((".h", ".cc", ".c")):
            continue
        with open(full, encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                m = re.match(r'\s*#\s*include\s+(["<])([^">]+)[">]', line)
                if not m:
                    continue
                fault = faults_of_include(path, m[2], m[1] == '"')
                if fault:
                    found.append(f"{path}:{number}: {fault}")
                here, there = folder_of(path), folder_of(m[2])
                if (m[1] == '"' and here != there and m[2].count("/") > 1 and
                        path.count("/") > 1 and path.split("/")[0] in ALLOWED):
                    known.setdefault(here, {}).setdefault(
                        there, f"{path}:{number}")
    return found + list(cycles(known))


def self_test():
    planted = {
        "reduction/a/x.cc": '#include "runtime/api/r.h"\n',
        "bgq_support/a/x.cc": '#include "reduction/api/status.h"\n',
        "online_model/fit/x.cc": '#include "reduction/merge/wrap.h"\n',
        "replay_engine/s/x.cc": '#include <mpi.h>\n',
        "cli/a/x.cc": '#include "../b.h"\n',
        "cli/a/y.cc": '#include "b.h"\n',
        "runtime/api/x.h": '#include "runtime/capture/clock.h"\n',
        "runtime/capture/y.cc": '#include <zmq.h>\n',
        "adapters/a/CMakeLists.txt": "target_link_libraries(a ranksight::cli_core)\n",
        # Three folders in a circle are one fault.
        "cli/b/x.cc": '#include "cli/c/y.h"\n',
        "cli/c/y.h": '#include "cli/d/z.h"\n',
        "cli/d/z.h": '#include "cli/b/w.h"\n',
    }
    sound = {
        "runtime/capture/x.cc":
            '#include <mpi.h>\n#include "reduction/api/event.h"\n',
        "cli/a/x.cc": '#include "online_model/api/store.h"\n',
        "reduction/api/y.h": '#include "reduction/api/calls.def"\n',
        "reduction/a/x.cc": '#include "reduction/b/y.h"\n',
        "reduction/b/x.cc": '#include "reduction/c/y.h"\n',
        "cli/CMakeLists.txt": "target_link_libraries(c ranksight::reduction)\n",
    }
    for files, wanted in ((planted, len(planted) - 2), (sound, 0)):
        with tempfile.TemporaryDirectory() as root:
            for path, text in files.items():
                os.makedirs(os.path.join(root, os.path.dirname(path)),
                            exist_ok=True)
                with open(os.path.join(root, path), "w",
                          encoding="utf-8") as f:
                    f.write(text)
            found = check(root, sorted(files))
            if len(found) != wanted:
                sys.exit(f"self-test: wanted {wanted} faults, found {found}")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    root = sys.argv[1]
    files = subprocess.run(["git", "-C", root, "ls-files"], check=True,
                           capture_output=True, text=True).stdout.split("\n")
    found = check(root, [f for f in files if f])
    print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
