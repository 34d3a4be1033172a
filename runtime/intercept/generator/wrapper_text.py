"""The text of the wrappers."""
import re

import quick_text
from mpi_header import argument_name

# Roles whose value is only there after the call.
OUTPUTS = {"newreq", "newpreq", "newcomm", "index", "outcount", "indices"}
SILENT = {"-", "status", "flag", "message", "newmessage"}


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


def recording(call, ret, name, arguments, roles, real):
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
    return quick_text.recording(call, ret, name, arguments, roles, real,
                                names, pre, post)


def passing(ret, name, arguments, number, real):
    names = [argument_name(a) for a in arguments]
    before, after = hooks(name, arguments, names)
    return "\n".join([
        f'{ret} {name}({", ".join(arguments) or "void"}) {{',
        f"  CountNotRecorded({number});", *before,
        f'  const {ret} result = {real}({", ".join(names)});', *after,
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


class Wrappers:
    """Collects the wrappers of one file."""

    def __init__(self, fortran):
        """fortran: names with an entry, see fortran_entries."""
        self.fortran = fortran
        self.recorded, self.passing = [], []
        self.body, self.reals = [], []

    def add_passing(self, ret, name, arguments):
        real = self.add_real(ret, name, arguments)
        self.body.append(passing(ret, name, arguments, len(self.passing),
                                 real))
        self.passing.append(name)

    def add_recording(self, call, ret, name, arguments, roles):
        real = self.add_real(ret, name, arguments)
        self.body.append(recording(call, ret, name, arguments, roles, real))
        self.recorded.append(name)

    def add_real(self, ret, name, arguments):
        """What the wrapper calls: PMPI_X, or round our entry of that name,
        which would take a tail call for one from Fortran."""
        if name not in self.fortran:
            return "P" + name
        declared = ", ".join(arguments) or "void"
        self.reals.append(f"{ret} (*real_{name})({declared}) = P{name};\n")
        return "real_" + name

    def file(self):
        names = "".join(f'    "{n}",\n' for n in self.passing)
        return ("// Made at build time by generate_wrappers.py.\n"
                '#include "runtime/intercept/interception.h"\n'
                '#include "runtime/intercept/quick_call.h"\n\n'
                "namespace ranksight::runtime {\n"
                "const char* const kPassingCalls[] = {\n" + names +
                "    nullptr};\n}  // namespace ranksight::runtime\n\n"
                "using namespace ranksight::runtime;\n"
                "using ranksight::reduction::Call;\n\n"
                'extern "C" {\n' + "".join(self.reals) +
                "#pragma GCC visibility push(default)\n\n" +
                "\n".join(self.body) +
                "\n#pragma GCC visibility pop\n}\n")
