"""What the installed MPI declares and defines."""
import os
import re
import subprocess


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


def called_by_fortran(library):
    """MPI_ names whose PMPI_ form the Fortran layer beside the library calls.

    name -> the Fortran symbol that calls it.
    """
    folder, file = os.path.split(library)
    fortran = os.path.join(folder, "libmpichfort.so")
    if not file.startswith("libmpich.") or not os.path.exists(fortran):
        return {}
    entries = symbols(fortran, "--defined-only")
    found = {}
    for pmpi in symbols(fortran, "--undefined-only"):
        if not pmpi.startswith("PMPI_"):
            continue
        name = pmpi[1:]
        base = name[:-2] if name.endswith("_c") else name
        large = "_large" if name.endswith("_c") else ""
        symbol = f"{base.lower()}_f08{large}_"
        if symbol in entries:
            found[name] = symbol
    return found
