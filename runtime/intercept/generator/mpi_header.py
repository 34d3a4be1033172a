"""What the installed MPI declares and defines."""
import os
import re
import subprocess

INCLUDE_MPI = """\
// Open MPI hides what MPI-3 removed; programs still call it.
#define OMPI_OMIT_MPI1_COMPAT_DECLS 0
#include <mpi.h>
"""


def prototypes(headers):
    """name -> (return type, [argument declarations]) of every MPI_ function."""
    text = ""
    for path in headers:
        with open(path, encoding="utf-8", errors="replace") as f:
            text += f.read()
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"^\s*#.*$", " ", text, flags=re.M)
    # SimGrid's way: MPI_CALL(XBT_PUBLIC int, MPI_Init, (int* argc, ...));
    text = re.sub(r"\bMPI_CALL\(\s*\w+\s+(\w+)\s*,\s*(\w+)\s*,"
                  r"\s*(\([^()]*\))\s*\)", r"\1 \2\3", text)
    found = {}
    # What follows the arguments are attributes, never parentheses in them.
    pattern = r"\b(int|double|MPI_Aint)\s+(MPI_\w+)\s*\(([^;{}()]*)\)[^;{}]*;"
    for ret, name, args in re.findall(pattern, text):
        found.setdefault(name, (ret, split_arguments(args)))
    return found


def split_arguments(text):
    text = " ".join(text.split())
    if text in ("", "void"):
        return []
    return [a.strip() for a in text.split(",")]


def argument_name(declaration):
    return re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$", declaration).group(1)


def symbols(library, option):
    out = subprocess.run(["nm", "-D", option, library], check=True,
                         capture_output=True, text=True).stdout
    return set(re.findall(r"\b(\w+)(?:@\S*)?$", out, flags=re.M))


def defined_in(library):
    """The PMPI_ names the library has; None when there is no library."""
    if library == "-":
        return None
    return {s for s in symbols(library, "--defined-only")
            if s.startswith("PMPI_")}


# Fortran's library beside the MPI library, and the routine in it that calls
# PMPI_X: of MPICH's mpi_f08 alone, for its other forms call MPI_X; of Open MPI
# in all three forms.
MPICH_LAYERS = [("libmpichfort.so", "{name}_f08{large}_"),
                ("libmpifort.so", "{name}_f08{large}_")]
OPEN_MPI_LAYERS = [("libmpi_mpifh.so", "o{name}{large}_f")]


def fortran_layer(library):
    """The path of Fortran's library and the form of its callers, or None."""
    open_mpi = "ompi_mpi_comm_world" in symbols(library, "--defined-only")
    for file, caller in OPEN_MPI_LAYERS if open_mpi else MPICH_LAYERS:
        path = os.path.join(os.path.dirname(library), file)
        if os.path.exists(path):
            return path, caller
    return None


def called_by_fortran(library):
    """MPI_ names whose PMPI_ form the Fortran layer beside the library calls.

    name -> the Fortran symbol that calls it.
    """
    layer = fortran_layer(library) if library != "-" else None
    if layer is None:
        return {}
    fortran, caller = layer
    entries = symbols(fortran, "--defined-only")
    found = {}
    for pmpi in symbols(fortran, "--undefined-only"):
        if not pmpi.startswith("PMPI_"):
            continue
        name = pmpi[1:]
        base = name[:-2] if name.endswith("_c") else name
        large = "_large" if name.endswith("_c") else ""
        symbol = caller.format(name=base.lower(), large=large)
        if symbol in entries:
            found[name] = symbol
    return found
