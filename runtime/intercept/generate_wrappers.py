#!/usr/bin/env python3
"""Writes the MPI wrappers from the installed mpi.h and the table of calls.

usage: generate_wrappers.py MPI_LIBRARY_OR_- CALLS_DEF OUTPUT HEADER...

A call of the table becomes a recording wrapper, its large-count twin (_c)
records as the same call; calls that only look are left alone; every other
function with a PMPI_ twin in the library passes through and is counted.
The build stops when the roles of a call do not fit its prototype.
"""
import re
import subprocess
import sys

# Written by hand in runtime/intercept/lifetime.cc.
BY_HAND = {"MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Abort",
           "MPI_Pcontrol"}

# Roles whose value is only there after the call.
OUTPUTS = {"newreq", "newpreq", "newcomm", "index", "outcount", "indices"}
SILENT = {"-", "status", "flag", "message", "newmessage"}


def prototypes(headers):
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


def calls(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    table = {}
    for name, roles in re.findall(
            r"RANKSIGHT_CALL\(\s*\d+,\s*(\w+),\s*\"([^\"]*)\"\s*\)", text):
        table[name] = roles.split()
    looks = set(re.findall(r"RANKSIGHT_LOOK\((\w+)\)", text))
    return table, looks


def defined_in(library):
    if library == "-":
        return None
    out = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                         capture_output=True, text=True).stdout
    return set(re.findall(r"\b(PMPI_\w+)", out))


def capture(role, name, by_role):
    """The statement that adds one role's values to the event."""
    role, _, where = role.partition("@")
    comm = by_role.get("comm")
    side = "kReceive" if role.startswith("r") and role not in (
        "reorder", "root", "req", "reqs", "remain") else "kSend"
    significant = f"a.IsRoot({by_role['root']}, {comm})" if where else "true"
    base = role[1:] if side == "kReceive" else role
    if role in ("inplace", "sendinplace", "recvinplace"):
        kind = {"inplace": "kNoted", "sendinplace": "kSendSide",
                "recvinplace": "kReceiveSide"}[role]
        return f"a.InPlace({name}, InPlaceKind::{kind});"
    if base == "count":
        return f"a.Count({name}, Side::{side}, {significant});"
    if base == "type":
        return f"a.Type({name}, Side::{side}, {significant});"
    if base == "counts":
        return f"a.Counts({name}, {comm}, Side::{side}, {significant});"
    if base == "types":
        return f"a.Types({name}, {comm}, Side::{side});"
    if base == "peer":
        return f"a.Peer({name}, {comm});"
    if base == "tag":
        return f"a.Tag({name});"
    if role == "root":
        return f"a.Root({name}, {comm});"
    if role == "req":
        return f"a.Requests({name}, 1, true);"
    if role == "nreq":
        return f"a.Scalar({name});"
    if role == "reqs":
        return f"a.Requests({name}, {by_role['nreq']}, false);"
    if role == "dims" or role == "periods":
        return f"a.Array({name}, {by_role['ndims']});"
    if role == "remain":
        return f"a.Remain({name}, {comm});"
    plain = {"comm": "Comm", "op": "Op", "color": "Color", "key": "Scalar",
             "reorder": "Scalar", "splittype": "Scalar", "ndims": "Scalar",
             "group": "Group", "level": "Scalar"}
    return f"a.{plain[role]}({name});"


def output(role, name, by_role):
    if role == "newreq":
        return f"a.NewRequest({name}, false);"
    if role == "newpreq":
        return f"a.NewRequest({name}, true);"
    if role == "newcomm" and "newreq" in by_role:
        return f"a.NewDuplicate({name}, {by_role['comm']});"
    if role == "newcomm":
        return f"a.NewComm({name});"
    if role == "index":
        return f"a.DoneIndex(*{name});"
    if role == "outcount":
        return f"a.DoneCount(*{name});"
    return f"a.DoneIndices({name}, *{by_role['outcount']});"


def completion(call, by_role):
    """Which requests the call has finished with."""
    if call in ("MPI_Wait", "MPI_Waitall", "MPI_Request_free"):
        return "a.FinishAll();"
    if call in ("MPI_Waitany", "MPI_Testany"):
        return f"a.FinishAt({by_role['index']}, 1);"
    if call in ("MPI_Waitsome", "MPI_Testsome"):
        return (f"a.FinishAt({by_role['indices']}, "
                f"*{by_role['outcount']});")
    if call in ("MPI_Test", "MPI_Testall"):
        return "a.FinishAll();"
    return ""


def recording(call, ret, name, arguments, roles):
    names = [argument_name(a) for a in arguments]
    by_role = {r.partition("@")[0]: n for r, n in zip(roles, names)}
    pre = [capture(r, n, by_role) for r, n in zip(roles, names)
           if r not in OUTPUTS and r not in SILENT]
    post = [output(r, n, by_role) for r, n in zip(roles, names)
            if r in OUTPUTS]
    post.append(completion(call, by_role))
    if call == "MPI_Comm_free":
        pre = [f"a.Comm(*{by_role['comm']});",
               f"a.ForgetComm({by_role['comm']});"]
    poll = "false"
    if "flag" in by_role:
        poll = f"result == MPI_SUCCESS && *{by_role['flag']} == 0"
    elif call == "MPI_Testsome":
        poll = f"result == MPI_SUCCESS && *{by_role['outcount']} == 0"
    passed = ", ".join(names)
    lines = [f'{ret} {name}({", ".join(arguments) or "void"}) {{',
             f"  Interception in(Call::{call}_,",
             "                  __builtin_return_address(0),",
             "                  __builtin_frame_address(0));",
             f"  if (!in.recording()) return P{name}({passed});",
             "  Arguments& a = in.arguments();",
             "  in.Before([&] {"]
    lines += ["    " + s for s in pre]
    lines += ["    (void)a;", "  });",
              f"  const {ret} result = P{name}({passed});",
              f"  in.After(result, {poll}, [&] {{"]
    lines += ["    " + s for s in post if s]
    lines += ["    (void)a;", "  });", "  return result;", "}", ""]
    return "\n".join(lines)


def passing(ret, name, arguments, number):
    names = [argument_name(a) for a in arguments]
    before, after = hooks(name, arguments, names)
    return "\n".join([
        f'{ret} {name}({", ".join(arguments) or "void"}) {{',
        f"  CountNotRecorded({number});", *before,
        f'  const {ret} result = P{name}({", ".join(names)});', *after,
        "  return result;", "}", ""])


def hooks(name, arguments, names):
    """Statements before and after a passing call that changes the tables."""
    if name == "MPI_Type_free":
        return [f"  GiveUpType({names[0]});"], []
    if name == "MPI_Comm_disconnect":
        return [f"  GiveUpComm({names[0]});"], []
    # What it returns was there before.
    if name == "MPI_Comm_get_parent":
        return [], []
    made = [n for a, n in zip(arguments, names)
            if re.fullmatch(r"MPI_Comm ?\* ?\w+", a)]
    if not made:
        return [], []
    parents = [n for a, n in zip(arguments, names)
               if re.fullmatch(r"MPI_Comm \w+", a)]
    if any(re.fullmatch(r"MPI_Request ?\* ?\w+", a) for a in arguments):
        return [], [f"  ObtainDuplicate({made[0]}, {parents[0]}, result);"]
    return [], [f"  ObtainComm({made[0]}, result);"]


def main():
    library, table_path, out_path, *headers = sys.argv[1:]
    protos = prototypes(headers)
    table, looks = calls(table_path)
    defined = defined_in(library)
    body, counted = [], []
    for name in sorted(protos):
        ret, arguments = protos[name]
        if name in BY_HAND or name in looks:
            continue
        if name.endswith("_c") and name[:-2] in looks:
            continue
        if re.search(r"(_f2c|_c2f|_f082c|_c2f08|_f2f08|_f082f)$", name):
            continue
        if any("..." in a for a in arguments):
            continue
        if defined is not None and "P" + name not in defined:
            continue
        call = name[:-2] if name.endswith("_c") else name
        if call not in table:
            body.append(passing(ret, name, arguments, len(counted)))
            counted.append(name)
            continue
        roles = table[call]
        if len(roles) != len(arguments):
            sys.exit(f"{table_path}: {call}: {len(roles)} roles, "
                     f"{len(arguments)} arguments in the installed mpi.h")
        body.append(recording(call, ret, name, arguments, roles))
    names = "".join(f'    "{n}",\n' for n in counted)
    with open(out_path, "w", encoding="utf-8") as f:
        f.write("// Made at build time by generate_wrappers.py.\n"
                '#include "runtime/intercept/interception.h"\n\n'
                "namespace ranksight::runtime {\n"
                "const char* const kPassingCalls[] = {\n" + names +
                "    nullptr};\n}  // namespace ranksight::runtime\n\n"
                "using namespace ranksight::runtime;\n"
                "using ranksight::reduction::Call;\n\n"
                'extern "C" {\n#pragma GCC visibility push(default)\n\n' +
                "\n".join(body) +
                "\n#pragma GCC visibility pop\n}\n")


if __name__ == "__main__":
    main()
