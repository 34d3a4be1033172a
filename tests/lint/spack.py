#!/usr/bin/env python3
"""Checks scripts/spack/package.py against the tree, as Spack is not there to
do it: it is Python, each option that it defines is one of ours, and what CMake
or the build looks for has a dependency.   spack.py ROOT
"""
import ast
import os
import re
import subprocess
import sys

root = sys.argv[1]
with open(os.path.join(root, "scripts/spack/package.py"),
          encoding="utf-8") as f:
    tree = ast.parse(f.read())
classes = [n for n in tree.body if isinstance(n, ast.ClassDef)]
assert [c.name for c in classes] == ["Ranksight"], "one class, Ranksight"


def first_arguments(function):
    return [n.args[0].value for n in ast.walk(tree)
            if isinstance(n, ast.Call) and n.args
            and isinstance(n.args[0], ast.Constant)
            and getattr(n.func, "id", getattr(n.func, "attr", "")) == function]


files = subprocess.run(
    ["git", "-C", root, "ls-files", "CMakeLists.txt", "*/CMakeLists.txt",
     "cmake/*.cmake"], check=True, capture_output=True, text=True)
cmake = ""
for name in files.stdout.split():
    if not name.startswith("tests/"):
        with open(os.path.join(root, name), encoding="utf-8") as f:
            cmake += f.read()
options = set(re.findall(r"option\((\w+)", cmake)) | {
    "MPI_C_COMPILER", "MPI_CXX_COMPILER"}
options |= set(re.findall(r"set\((RANKSIGHT_\w+)\s[^()]*CACHE STRING", cmake))
unknown = set(first_arguments("define")) - options
assert not unknown, f"options that CMake does not have: {unknown}"

# What is looked for, and the Spack package that brings it.
PACKAGES = {
    "Python3": "python", "zstd": "zstd", "MPI": "mpi", "Kokkos": "kokkos",
    "fmt": "fmt", "nlohmann_json": "nlohmann-json", "SQLite3": "sqlite",
    "libzmq": "libzmq", "httplib": "cpp-httplib", "CLI11": "cli11",
    "PNG": "libpng", "ncurses": "ncurses", "libdw": "elfutils",
    "hwloc": "hwloc",
    "otf2": "otf2", "PkgConfig": "pkgconfig", "Threads": None, "GTest": None,
    # Parts of an MPI, which static linking asks for by themselves.
    "static_cma": None, "static_mpich": None, "static_ucx": None,
}
wanted = set(re.findall(r"(?:find_package|pkg_check_modules)\((\w+)", cmake))
depends = {re.match(r"[\w-]+", d)[0] for d in first_arguments("depends_on")}
for name in sorted(wanted):
    assert name in PACKAGES, f"no Spack package is known for {name}"
    package = PACKAGES[name]
    assert package is None or package in depends, f"{package} is missing"
