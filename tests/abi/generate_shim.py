#!/usr/bin/env python3
"""Writes the functions of the shim that follow from their prototypes: each turns
its arguments into MPICH's, calls MPICH, and turns what comes back.

usage: generate_shim.py MPICH_LIBRARY OUTPUT SOURCE HEADER...

How an argument is turned follows from its type, or from its name where the type
is that of a plain number. A function with an argument that no rule knows is not
written, nor one that MPICH lacks or SOURCE defines: a program that calls it is
not linked.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                os.pardir, os.pardir, "runtime", "intercept",
                                "generator"))
# pylint: disable=wrong-import-position
import mpi_header  # noqa: E402

HANDLES = "Op|Comm|Group|Win|File|Session|Message|Info|Errhandler|Request|Datatype"
# Numbers that are constants, by the names of arguments.
KINDS = {
    "source": "Rank", "dest": "Rank", "rank": "Rank", "root": "Rank",
    "target_rank": "Rank", "local_leader": "Rank", "remote_leader": "Rank",
    "rank_source": "Rank", "rank_dest": "Rank",
    "tag": "Tag", "sendtag": "Tag", "recvtag": "Tag",
    "required": "ThreadLevel", "provided": "ThreadLevel", "order": "Order",
    "lock_type": "Lock", "split_type": "Split", "whence": "Whence",
    "typeclass": "TypeClass", "combiner": "Combiner", "result": "Comparison",
    "errorcode": "Error", "errorclass": "Error", "keyval": "Keyval",
    "comm_keyval": "Keyval", "type_keyval": "Keyval", "win_keyval": "Keyval",
}
MODES = {"amode", "assert"}
# Numbers that are those of both.
PLAIN = re.compile(
    r"(const )?(int|MPI_Aint|MPI_Count|MPI_Offset|char|unsigned|void)"
    r"( ?\*+| \*const \*)? ?(\w+)((\[\w*\])*)$")
# What is inside of these would have to be turned, too; what they are given
# for a status or a rank is none of the usual.
LEFT_OUT = {"MPI_Type_get_contents", "MPI_Type_get_contents_c",
            "MPI_Comm_spawn_multiple", "MPI_Register_datarep",
            "MPI_Register_datarep_c", "MPI_Keyval_create"}


class Unknown(Exception):
    """An argument that no rule knows."""


def length_of(function, name, arguments):
    """How many there are in an array of handles or statuses."""
    names = [mpi_header.argument_name(a) for a in arguments]
    if name in ("sendtypes", "recvtypes"):
        if "eighbor" in function:
            return ("DestinationsOf(comm)" if name == "sendtypes"
                    else "SourcesOf(comm)")
        return "PeersOf(comm)"
    for count in ("incount", "count"):
        if count in names:
            return count
    raise Unknown(name)


def turn(function, declaration, arguments):
    """(MPICH's type, statement before the call, what is passed)."""
    name = mpi_header.argument_name(declaration)
    handle = re.fullmatch(rf"(const )?MPI_({HANDLES}) ?(\*?) ?{name}(\[\])?",
                          declaration)
    if handle:
        const, kind, pointer, array = handle.groups()
        native = "MpichFile" if kind == "File" else "MpichHandle"
        if array:
            length = length_of(function, name, arguments)
            form = "HandlesRead" if const else "HandlesArgument"
            # MPICH may read the types of a call that is not over.
            late = (re.search(r"MPI_(I|\w+_init)", function) and
                    name in ("sendtypes", "recvtypes"))
            return (f"{'const ' if const else ''}{native}*",
                    f"{form}<MPI_{kind}> m_{name}({name}, {length});",
                    f"m_{name}.{'kept' if late else 'mpich'}()")
        if pointer:
            if const:
                raise Unknown(declaration)
            return (f"{native}*", f"HandleArgument<MPI_{kind}> m_{name}({name});",
                    f"m_{name}.mpich()")
        return native, "", f"HandleToMpich({name})"
    status = re.fullmatch(rf"(const )?MPI_Status ?(\*?) ?{name}(\[\])?",
                          declaration)
    if status:
        const, _, array = status.groups()
        if const:
            return ("const MpichStatus*",
                    f"const MpichStatus m_{name} = StatusToMpich(*{name});",
                    f"&m_{name}")
        length = length_of(function, name, arguments) if array else "1"
        ignore = "statuses_ignore" if array else "status_ignore"
        return ("MpichStatus*", f"StatusArgument m_{name}({name}, {length}, "
                f"kMpichPointers.{ignore});", f"m_{name}.mpich()")
    if not PLAIN.fullmatch(declaration):
        raise Unknown(declaration)
    kind, pointers, name, array, _ = PLAIN.fullmatch(declaration).groups()[1:]
    native = re.sub(rf"\b{name}\b(\[\])?", lambda m: "*" if m[1] else "",
                    declaration).replace("[3]", "").strip()
    if "ranges" in declaration:
        native = "int (*)[3]"
    if name in ("sendbuf", "recvbuf"):
        return native, "", f"BufferToMpich({name})"
    if name in ("weights", "sourceweights", "destweights") and (
            "const" in declaration):
        return native, "", f"WeightsToMpich({name})"
    if name in ("array_of_distribs", "array_of_dargs"):
        return (native, f"const auto m_{name} = ConstantsToMpich("
                f"Kind::kDistribution, {name}, ndims);", f"m_{name}.data()")
    if function == "MPI_Topo_test" and name == "status":
        return (native, f"ConstantArgument m_{name}(Kind::kTopology, {name});",
                f"m_{name}.mpich()")
    if kind == "int" and name in MODES:
        return ((native, "", f"ModeToMpich({name})") if not pointers else
                (native, "", name))
    if kind == "int" and name in KINDS and not array and function not in (
            "MPI_Abort", "MPI_Grequest_complete"):
        of_kind = f"Kind::k{KINDS[name]}"
        if pointers:
            return (native, f"ConstantArgument m_{name}({of_kind}, {name});",
                    f"m_{name}.mpich()")
        return native, "", f"int(ToMpich({of_kind}, {name}))"
    return native, "", name


def function_text(name, ret, arguments):
    turned = [turn(name, a, arguments) for a in arguments]
    types = ", ".join(t for t, _, _ in turned)
    passed = ", ".join(p for _, _, p in turned)
    declared = ", ".join(arguments) or "void"
    call = f"real({passed})"
    if ret == "int":
        call = f"ErrorFromMpich({call})"
    after = []
    if name == "MPI_File_get_amode":
        after = ["*amode = ModeFromMpich(*amode);"]
    return "\n".join([
        f'{ret} {name}({declared}) __attribute__((weak, alias("P{name}")));',
        f"{ret} P{name}({declared}) {{",
        f"  static const auto real = Mpich<{ret} (*)({types})>(",
        f'      "P{name}");',
        *("  " + s for _, s, _ in turned if s),
        f"  const {ret} returned = {call};",
        *("  " + s for s in after),
        "  return returned;",
        "}\n"])


def main():
    library, output, source, *headers = sys.argv[1:]
    protos = mpi_header.prototypes(headers)
    has = mpi_header.defined_in(library)
    with open(source, encoding="utf-8") as f:
        by_hand = {"MPI_" + n for n in
                   re.findall(r"RANKSIGHT_ABI_DEFINE\((\w+),", f.read())}
    text = ["// Made at build time by generate_shim.py.",
            '#include "tests/abi/conversions.h"\n',
            "using namespace ranksight::abi_shim;\n", 'extern "C" {',
            "#pragma GCC visibility push(default)\n"]
    for name in sorted(protos):
        if name in by_hand | LEFT_OUT or "P" + name not in has:
            continue
        try:
            text.append(function_text(name, *protos[name]))
        except Unknown:
            continue
    text.append("#pragma GCC visibility pop\n}\n")
    with open(output, "w", encoding="utf-8") as f:
        f.write("\n".join(text))


if __name__ == "__main__":
    main()
