#!/usr/bin/env python3
"""spack_tests.py PACKAGE PREFIX MPICC MPIEXEC: runs the stand-alone tests of a
Spack package on what is in PREFIX, with a stand-in for what it takes of Spack,
which is not here."""
import os
import subprocess
import sys
import tempfile
import types

package, prefix, mpicc, mpiexec = sys.argv[1:]


class Program:
    def __init__(self, path):
        self._path = path

    def __call__(self, *words, output=None, error=None):
        done = subprocess.run([self._path, *words], text=True, check=True,
                              stdout=output and subprocess.PIPE,
                              stderr=error and subprocess.STDOUT)
        return done.stdout


class Folder(str):
    def __getattr__(self, name):
        return Folder(os.path.join(self, name))


class Block:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


spack = types.ModuleType("spack.package")
for name in ("license", "version", "variant", "depends_on", "generator"):
    setattr(spack, name, lambda *_, **__: None)
spack.when = lambda *_: Block()
spack.which = Program
spack.CMakePackage = object
spack.SkipTest = RuntimeError
sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": spack})

names = {}
with open(package, encoding="utf-8") as recipe:
    exec(compile(recipe.read(), package, "exec"), names)
built = names["Ranksight"]()
built.prefix = Folder(prefix)
programs = types.SimpleNamespace(mpiexec=mpiexec)
# All of a spec that a test looks at: its MPI, and that it has the command.
built.spec = {"mpi": types.SimpleNamespace(
    mpicc=mpicc, prefix=types.SimpleNamespace(bin=programs))}
tests = [name for name in dir(built) if name.startswith("test_")]
assert tests, "no tests"
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for name in tests:
        getattr(built, name)()
