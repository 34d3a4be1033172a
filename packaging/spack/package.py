# Copyright (c) 2026, the Ranksight authors. All rights reserved.
#
# SPDX-License-Identifier: BSD-3-Clause
"""A Spack package, by the names of Spack 0.22; one that does not know
depends_on("c") and ("cxx") needs those lines taken out. Put this file into a
repository of your own as packages/ranksight/package.py; there is no published
source yet, so build from a checkout: spack dev-build ranksight@main.
"""
from spack.package import *


class Ranksight(CMakePackage):
    """Records MPI programs in compressed traces, extrapolates them to more
    ranks, forecasts, replays and converts them."""

    # Spack asks for one; nothing is published.
    homepage = "https://example.org/ranksight"
    license("BSD-3-Clause")

    version("main")

    variant("cli", default=True,
            description="The command, models, replay and adapters, not only "
                        "the runtime")
    variant("kokkos", default=True, when="+cli",
            description="Compute link loads with Kokkos")
    variant("otf2", default=True, when="+cli",
            description="Read and write OTF2 archives")
    variant("simgrid", default=False, when="+cli",
            description="Record and replay in simulated time (SMPI)")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("binutils", type="build")
    depends_on("mpi@3:")
    depends_on("zstd libs=static,shared")

    with when("+cli"):
        depends_on("help2man", type="build")
        depends_on("libzmq+libsodium")
        depends_on("cli11", type="build")
        depends_on("cpp-httplib@0.11:0.15", type="build")
        depends_on("nlohmann-json", type="build")
        depends_on("openssl")
        depends_on("ncurses")
        depends_on("fmt")
        depends_on("sqlite")
        depends_on("zlib")
        depends_on("libpng")
        depends_on("elfutils")
        depends_on("hwloc")
        depends_on("freetype")
        depends_on("fontconfig")
    depends_on("kokkos@3.4:", when="+kokkos")
    depends_on("otf2", when="+otf2")
    depends_on("simgrid@3.32: +smpi", when="+simgrid")

    generator("ninja")

    def cmake_args(self):
        mpi = self.spec["mpi"]
        return [
            self.define("RANKSIGHT_MINIMAL", "~cli" in self.spec),
            self.define("RANKSIGHT_USE_KOKKOS", "+kokkos" in self.spec),
            self.define("RANKSIGHT_BUILD_TESTS", self.run_tests),
            self.define("RANKSIGHT_FLAVOURS", "+simgrid" in self.spec),
            self.define("MPI_C_COMPILER", mpi.mpicc),
            self.define("MPI_CXX_COMPILER", mpi.mpicxx),
        ]

    # `spack test run ranksight`: the installed command on a program of its own.
    def test_version(self):
        """the command starts and says its version"""
        if "~cli" in self.spec:
            raise SkipTest("built without the command")
        ranksight = which(self.prefix.bin.ranksight)
        out = ranksight("--version", output=str.split, error=str.split)
        assert out.startswith("ranksight ")

    def test_record(self):
        """a program of two ranks leaves a trace that can be read"""
        if "~cli" in self.spec:
            raise SkipTest("built without the command")
        with open("barrier.c", "w") as f:
            f.write("#include <mpi.h>\n"
                    "int main(int argc, char** argv) {\n"
                    "  MPI_Init(&argc, &argv);\n"
                    "  MPI_Barrier(MPI_COMM_WORLD);\n"
                    "  return MPI_Finalize();\n"
                    "}\n")
        mpi = self.spec["mpi"]
        which(mpi.mpicc)("barrier.c", "-o", "barrier")
        ranksight = which(self.prefix.bin.ranksight)
        ranksight("record", "-o", "barrier.trace", "--",
                  mpi.prefix.bin.mpiexec, "-n", "2", "./barrier")
        for rank in ("0", "1"):
            out = ranksight("show", "barrier.trace", "--events", "--rank", rank,
                            output=str.split, error=str.split)
            assert out.count("MPI_Barrier") == 1
