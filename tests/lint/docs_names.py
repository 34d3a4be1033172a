#!/usr/bin/env python3
"""Whether what documents name is there.

  docs_names.py TREE CTEST BUILD

Of README.md, CONTRIBUTING.md and docs: paths that begin with a folder of the
tree; in backquotes tests by the names of CTEST in BUILD (e2e.x, lint.x,
bench.x, Suite.Name; * and ... for anything). Prints what is not, exits 1.
"""
import fnmatch
import pathlib
import re
import subprocess
import sys

LABELLED = re.compile(r"(e2e|lint|bench|fuzz)\.[\w.*]+")
SUITE = re.compile(r"[A-Z][A-Za-z]+\.(?=[A-Z*])[\w*]+")
DECISION = "docs/design/NNNN-title.md"  # stands for all of them


OPTIONAL = {"e2e.kokkos"}  # where the library is installed


def tests_of(ctest, build):
    listed = subprocess.run([ctest, "--test-dir", build, "-N"], check=True,
                            capture_output=True, text=True).stdout
    return re.findall(r"Test +#\d+: (\S+)", listed)


def is_test(name, tests):
    return name in OPTIONAL or any(
        fnmatch.fnmatchcase(t, name) or
        fnmatch.fnmatchcase(t, "*." + name) for t in tests)


def missing(text, tree, folders, tests):
    names = "|".join(map(re.escape, sorted(folders)))
    paths = rf"(?<![\w./$-])(?:{names})/[\w./*-]*[\w*]"
    for name in re.findall(paths, text):
        if name != DECISION and not any(tree.glob(name)):
            # Without its ending: a header and its source.
            if not any(tree.glob(name + ".*")):
                yield name
    for words in re.findall(r"`([^`\n]+)`", text):
        name = words.split()[0].replace("...", "*")
        if LABELLED.fullmatch(name) or SUITE.fullmatch(name):
            if not is_test(name, tests):
                yield name


def main():
    tree, tests = pathlib.Path(sys.argv[1]), tests_of(*sys.argv[2:])
    folders = {f.name for f in tree.iterdir() if f.is_dir()} - {"build"}
    documents = [tree / "README.md", tree / "CONTRIBUTING.md",
                 *sorted((tree / "docs").rglob("*.md"))]
    found = [f"{d.relative_to(tree)}: {name} is not there"
             for d in documents
             for name in missing(d.read_text(), tree, folders, tests)]
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
