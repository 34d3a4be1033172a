#!/usr/bin/env python3
"""Checks the files of packaging against the tree, as neither Spack nor EasyBuild
is there to do it: they are Python, each option that they give is one of ours,
and what CMake or the build looks for has a dependency; an image is made with
scripts and options that are there.   packaging.py ROOT
"""
import ast
import os
import re
import subprocess
import sys

root = sys.argv[1]
with open(os.path.join(root, "packaging/spack/package.py"),
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
    "hwloc": "hwloc", "freetype": "freetype", "fontconfig": "fontconfig",
    "otf2": "otf2", "zlib": "zlib", "PkgConfig": "pkgconfig", "Threads": None, "GTest": None,
    # Parts of an MPI, which static linking asks for by themselves.
    "static_cma": None, "static_mpich": None, "static_ucx": None,
}
wanted = set(re.findall(r"(?:find_package|pkg_check_modules)\((\w+)", cmake))
depends = {re.match(r"[\w-]+", d)[0] for d in first_arguments("depends_on")}
wanted_packages = {PACKAGES.get(w) for w in wanted}
for name in sorted(wanted):
    assert name in PACKAGES, f"no Spack package is known for {name}"
    package = PACKAGES[name]
    assert package is None or package in depends, f"{package} is missing"


def read(name):
    with open(os.path.join(root, name), encoding="utf-8") as file:
        return file.read()


# EasyBuild: constants that it knows stand for themselves.
folder = os.path.join(root, "packaging/easybuild")
files = {}
for name in sorted(os.listdir(folder)):
    config = {"SYSTEM": "SYSTEM", "SHLIB_EXT": "so", "SOURCE_TAR_GZ": "tar.gz"}
    exec(compile(read(f"packaging/easybuild/{name}"), name, "exec"), config)
    toolchain = "-".join((config["toolchain"]["name"],
                          config["toolchain"]["version"]))
    assert name == f"{config['name']}-{config['version']}-{toolchain}.eb", name
    for field in ("easyblock", "homepage", "description", "sources",
                  "moduleclass"):
        assert config[field], f"{name} has no {field}"
    files[config["name"]] = config
config = files["ranksight"]
needs = config["dependencies"] + config["builddependencies"]
has = {d[0].lower() for d in needs}
# EasyBuild 5 has files for all others.
for name, version in (("CLI11", "2.3.2"), ("cpp-httplib", "0.14.3")):
    assert (name, version) in needs, f"{name} is another version"
    assert files[name]["version"] == version, f"no file for {name} {version}"
# The toolchain brings an MPI; what is switched off needs nothing.
other_names = {"sqlite": "sqlite", "libzmq": "zeromq", "pkgconfig": "pkgconf",
               "nlohmann-json": "nlohmann_json", "mpi": None, "kokkos": None}
for package in set(filter(None, PACKAGES.values())) & wanted_packages:
    package = other_names.get(package, package)
    assert package is None or package in has, f"{name}: no {package}"

# The image.
image = read("packaging/container/Containerfile")
for text in (config["configopts"], image):
    given = set(re.findall(r"-D(RANKSIGHT_\w+)=", text))
    assert given and not given - options, f"no option of CMake: {given - options}"
# Both are asked for by the command.
assert re.search(r"podman run .* forecast --ranks \d+ \S*\.trace$", image, re.M)
for script in re.findall(r"scripts/[\w-]+", image):
    assert os.access(os.path.join(root, script), os.X_OK), script
instructions = re.findall(r"^([A-Z]+) ", image.replace("\\\n", " "), re.M)
assert set(instructions) <= {"FROM", "COPY", "WORKDIR", "RUN", "ENTRYPOINT"}

# What packages and tarballs are made with: cpack finds by these what they need, and no
# compiler brings them.
(installed,) = re.findall(r"scripts/install-packages (\w+)", image)
assert installed == "all", installed
listed = read("scripts/packages").split("\n[test]\n")[0].splitlines()
for tool in ("file", "dpkg-dev", "patchelf"):
    assert tool in listed, f"no package `{tool}` to make packages with"

# What the image is built from is what git keeps: no build tree of this machine, whose
# cache names folders that are not there.
left_out = read(".containerignore").splitlines()
assert {".git", *filter(None, read(".gitignore").splitlines())} <= {
    line.removeprefix("**/") for line in left_out}, left_out

# Where one is missing cpack would make packages that need nothing.
path = os.environ["PATH"].split(os.pathsep)
pack = subprocess.run(
    ["cmake", "-DCPACK_GENERATOR=DEB", "-DCPACK_TEMPORARY_DIRECTORY=/none",
     "-DCMAKE_IGNORE_PATH=" + ";".join(path), "-P",
     os.path.join(root, "cmake/PackageLibraries.cmake")],
    capture_output=True, text=True)
assert pack.returncode and "dpkg-shlibdeps" in pack.stderr, pack.stderr
