"""The entries through which Fortran reaches the wrappers.

MPICH's mpi_f08 calls PMPI_X directly where X has no choice buffer, Open MPI's
Fortran in every form. So the shared library defines these PMPI_X: called from
the Fortran entry of X they are the wrapper MPI_X, called from anywhere else the
MPI library's PMPI_X.
"""
from mpi_header import INCLUDE_MPI, argument_name

# Called by a helper of the Fortran entry, which has no symbol of its own.
THROUGH_A_HELPER = {"MPI_Comm_spawn", "MPI_Comm_spawn_multiple"}


def entry(number, name, ret, arguments):
    passed = ", ".join(argument_name(a) for a in arguments)
    declared = ", ".join(arguments) or "void"
    return f"""\
{ret} P{name}({declared}) {{
  if (entries[{number}].CalledFromFortran(__builtin_return_address(0))) {{
    return {name}({passed});
  }}
  return entries[{number}].Next<{ret} (*)({declared})>()({passed});
}}
"""


def file_text(protos, wrapped, fortran):
    """protos: of the header; wrapped: names that have a wrapper, which
    calls through real_MPI_X."""
    names = sorted(n for n in set(wrapped) if n in fortran)
    rows = [f'    {{"P{n}", "{fortran[n]}", '
            f'{"true" if n in THROUGH_A_HELPER else "false"}}},\n'
            for n in names]
    reals = [(i, n, "{} (*{{}})({})".format(
        protos[n][0], ", ".join(protos[n][1]) or "void"))
             for i, n in enumerate(names)]
    externs = "".join(f"extern {t.format('real_' + n)};\n"
                      for _, n, t in reals)
    shortcuts = "".join(
        f"  real_{n} = entries[{i}].Next<{t.format('')}>();\n"
        for i, n, t in reals)
    functions = [entry(i, n, *protos[n]) for i, n in enumerate(names)]
    return ("// Made at build time by generate_wrappers.py.\n"
            + INCLUDE_MPI + "\n"
            '#include "runtime/intercept/fortran_entry.h"\n\n'
            "using ranksight::runtime::FortranEntry;\n\n"
            'extern "C" {\n' + externs + "}\n\n"
            "namespace {\n"
            f"FortranEntry entries[{len(names)} + 1] = {{\n" + "".join(rows) +
            "    {nullptr, nullptr, false}};\n"
            "}  // namespace\n\n"
            "void ranksight::runtime::FindFortranCallers() noexcept {\n"
            "  for (FortranEntry& e : entries) e.FindCaller();\n" +
            shortcuts + "}\n\n"
            'extern "C" {\n#pragma GCC visibility push(default)\n\n' +
            "\n".join(functions) + "\n#pragma GCC visibility pop\n}\n")
