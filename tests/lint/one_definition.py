#!/usr/bin/env python3
"""Checks that no two files define a type of one name in one namespace.

Compilers see one file at a time, and linkers take any of two destructors or
vectors of one name: a list of the one type is then freed as one of the other.

usage: one_definition.py ROOT        checks a tree; exit 1 lists what it finds
       one_definition.py --self-test exit 0 when it finds planted ones
"""
import collections
import os
import re
import sys
import tempfile

FOLDERS = ["reduction", "bgq_support", "runtime", "online_model",
           "replay_engine", "adapters", "cli"]
COMMENT_OR_TEXT = re.compile(
    r"//[^\n]*|/\*.*?\*/|R\"\((?:.|\n)*?\)\"|\"(?:\\.|[^\"\\\n])*\"|"
    r"'(?:\\.|[^'\\\n])'", re.S)
# A namespace, a type that is defined, or a brace.
STEP = re.compile(
    r"\bnamespace\s*([\w:]*)\s*\{|"
    r"\b(?:struct|class|union|enum(?:\s+class)?)\s+(\w+)(?:\s+final)?\s*"
    r"(?::(?!:)[^;{}()]*)?\{|[{}]")


def types_in(text):
    """The types that a file defines, but for those that it alone can see."""
    around, found = [], []
    for step in STEP.finditer(COMMENT_OR_TEXT.sub(" ", text)):
        if step.group(0) == "}":
            if around:
                around.pop()
            continue
        name = step.group(2)
        if name and None not in around and "" not in around:
            found.append("::".join(around + [name]))
        # None: inside of something else than a namespace.
        around.append(step.group(1))
    return found


def twice_in(root):
    files = collections.defaultdict(set)
    for folder in FOLDERS:
        for path, _, names in os.walk(os.path.join(root, folder)):
            for name in names:
                if not name.endswith((".h", ".cc")):
                    continue
                file = os.path.join(path, name)
                with open(file, encoding="utf-8") as f:
                    for found in types_in(f.read()):
                        files[found].add(os.path.relpath(file, root))
    return sorted((name, sorted(at)) for name, at in files.items()
                  if len(at) > 1)


def self_test():
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "cli"))

        def put(name, text):
            with open(os.path.join(root, "cli", name), "w",
                      encoding="utf-8") as f:
                f.write(text)

        put("a.h", "namespace n::m {\nstruct One { int i = '{'; };\n"
                   "class Two;\nstruct Three { struct Inner {}; };\n}\n")
        put("b.h", "namespace n::m {\nclass Two final : public Base {};\n"
                   "struct Four { struct Inner {}; };  // struct One {\n}\n")
        put("c.cc", "namespace n::m { namespace { struct One {}; }\n"
                    "struct Three::Impl {}; }\n"
                    "namespace other { enum class One { kA }; }\n")
        if twice_in(root):
            return f"finds what is not there: {twice_in(root)}"
        put("d.h", "namespace n { namespace m {\nstruct One {};\n} }\n")
        put("e.cc", "namespace n::m {\nclass Two : Base<int> {};\n}\n")
        expected = [("n::m::One", ["cli/a.h", "cli/d.h"]),
                    ("n::m::Two", ["cli/b.h", "cli/e.cc"])]
        if twice_in(root) != expected:
            return f"finds {twice_in(root)} instead of {expected}"
    return ""


def main():
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test() or 0)
    twice = twice_in(sys.argv[1])
    for name, files in twice:
        print(f"{name}: defined in {' and '.join(files)}")
    sys.exit(1 if twice else 0)


if __name__ == "__main__":
    main()
