#!/usr/bin/env python3
"""Writes the MPI wrappers from the installed mpi.h and the table of calls.

usage: generate_wrappers.py MPI_LIBRARY_OR_- CALLS_DEF WRAPPERS[,...] ENTRIES
                            HEADER...

A call of the table becomes a recording wrapper, its large-count twin (_c)
records as the same call; calls that only look are left alone, but
MPI_Dims_create, whose grids a trace keeps with what it says of the run; every other
function with a PMPI_ twin in the library passes through and is counted.
The build stops when the roles of a call do not fit its prototype. The wrappers
are divided among the files, which compile side by side. ENTRIES gets the functions by which Fortran's mpi_f08 reaches the wrappers.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "generator"))
# pylint: disable=wrong-import-position
import fortran_entries  # noqa: E402
import mpi_header  # noqa: E402
import wrapper_text  # noqa: E402

# Written by hand in runtime/intercept/lifetime.cc.
BY_HAND = {"MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Abort",
           "MPI_Session_init", "MPI_Session_finalize"}
# Only looks, but what it gave is kept.
WATCHED = {"MPI_Dims_create"}


def read_table(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    table = {}
    # The roles may be in several strings.
    for name, roles in re.findall(
            r"RANKSIGHT_CALL\(\s*\d+,\s*(\w+),\s*((?:\"[^\"]*\"\s*)+)\)",
            text):
        table[name] = roles.replace('"', "").split()
    looks = set(re.findall(r"RANKSIGHT_LOOK\((\w+)\)", text))
    return table, looks


def left_alone(name, arguments, looks, defined):
    return (name in BY_HAND or name in looks or name.startswith("MPI_T_") or
            name.endswith("_c") and name[:-2] in looks or
            re.search(r"(_f2c|_c2f|_f082c|_c2f08|_f2f08|_f082f)$", name) or
            any("..." in a for a in arguments) or
            defined is not None and "P" + name not in defined)


def wrapped_names(headers, table_path):
    """What a flavour against these headers wraps, where any library will do."""
    _, looks = read_table(table_path)
    protos = mpi_header.prototypes(headers)
    return {n for n in protos if n in BY_HAND | WATCHED or
            not left_alone(n, protos[n][1], looks, None)}


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def main():
    library, table_path, wrappers, entries, *headers = sys.argv[1:]
    protos = mpi_header.prototypes(headers)
    table, looks = read_table(table_path)
    defined = mpi_header.defined_in(library)
    fortran = mpi_header.called_by_fortran(library)
    text = wrapper_text.Wrappers()
    for name in sorted(protos):
        ret, arguments = protos[name]
        if name in WATCHED:
            text.add_watching_dims(ret, name, arguments)
            continue
        if left_alone(name, arguments, looks, defined):
            continue
        call = name[:-2] if name.endswith("_c") else name
        if call not in table:
            text.add_passing(ret, name, arguments)
            continue
        roles = table[call]
        if len(roles) != len(arguments):
            sys.exit(f"{table_path}: {call}: {len(roles)} roles, "
                     f"{len(arguments)} arguments in the installed mpi.h")
        text.add_recording(call, ret, name, arguments, roles)
    by_hand = sorted(BY_HAND & set(protos))
    for name in by_hand:
        text.add_real(protos[name][0], name, protos[name][1])
    wrapper_files = wrappers.split(",")
    for path, part in zip(wrapper_files, text.files(len(wrapper_files))):
        write(path, part)
    wrapped = text.recorded + text.passing + text.watched + by_hand
    write(entries, fortran_entries.file_text(protos, wrapped, fortran))


if __name__ == "__main__":
    main()
