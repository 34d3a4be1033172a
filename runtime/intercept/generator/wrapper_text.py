"""The text of the wrappers."""
import re

import quick_text
import role_text
from mpi_header import INCLUDE_MPI, argument_name


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
    pre = role_text.inputs(call, roles, names, by_role)
    post = role_text.outputs(call, roles, names, by_role)
    post.append(completion(call, by_role))
    return quick_text.recording(call, ret, name, arguments, roles, real,
                                names, pre, post)


def passing(ret, name, arguments, number, real):
    names = [argument_name(a) for a in arguments]
    after = hooks(arguments, names)
    return "\n".join([
        f'{ret} {name}({", ".join(arguments) or "void"}) {{',
        f"  CountNotRecorded({number});",
        f'  const {ret} result = {real}({", ".join(names)});', *after,
        "  return result;", "}", ""])


def watching_dims(ret, name, arguments, real):
    names = ", ".join(argument_name(a) for a in arguments)
    dims = argument_name(arguments[-1])
    return "\n".join([
        f'{ret} {name}({", ".join(arguments)}) {{',
        f"  const DimsWatch watch({names});",
        f"  const {ret} result = {real}({names});",
        f"  watch.Keep({dims}, result);",
        "  return result;", "}", ""])


def hooks(arguments, names):
    """Statements after a passing call that changes the tables."""
    made = [n for a, n in zip(arguments, names)
            if re.fullmatch(r"MPI_Comm ?\* ?\w+", a)]
    if not made:
        return []
    parents = [n for a, n in zip(arguments, names)
               if re.fullmatch(r"MPI_Comm \w+", a)]
    if any(re.fullmatch(r"MPI_Request ?\* ?\w+", a) for a in arguments):
        return [f"  ObtainDuplicate({made[0]}, {parents[0]}, result);"]
    return [f"  ObtainComm({made[0]}, result);"]


class Wrappers:
    """Collects the wrappers."""

    def __init__(self):
        self.recorded, self.passing, self.watched = [], [], []
        self.body = []  # (definitions before it, wrapper)
        self.by_hand = []

    def add_passing(self, ret, name, arguments):
        real, definition = self.real(ret, name, arguments)
        self.body.append((name, definition, passing(
            ret, name, arguments, len(self.passing), real)))
        self.passing.append(name)

    def add_watching_dims(self, ret, name, arguments):
        real, definition = self.real(ret, name, arguments)
        self.body.append((name, definition,
                          watching_dims(ret, name, arguments, real)))
        self.watched.append(name)

    def add_recording(self, call, ret, name, arguments, roles):
        real, definition = self.real(ret, name, arguments)
        self.body.append((name, definition, recording(
            call, ret, name, arguments, roles, real)))
        self.recorded.append(name)

    def add_real(self, ret, name, arguments):
        """What a wrapper written by hand calls."""
        self.by_hand.append((name, self.real(ret, name, arguments)[1]))

    @staticmethod
    def real(ret, name, arguments):
        """What the wrapper calls, and its definition: PMPI_X, but round our
        entry of that name, which would take a tail call for one from
        Fortran, and by way of a tool behind us (next_tool.h)."""
        declared = ", ".join(arguments) or "void"
        return ("real_" + name,
                f"{ret} (*real_{name})({declared}) = P{name};\n")

    def files(self, count):
        """The text of each; about as much in one as in another."""
        whole = sum(len(wrapper) for _, _, wrapper in self.body)
        parts, so_far = [[] for _ in range(count)], 0
        for name, definition, wrapper in self.body:
            parts[so_far * count // whole].append((name, definition, wrapper))
            so_far += len(wrapper)
        names = "".join(f'    "{n}",\n' for n in self.passing)
        tables = "".join(f"extern const NextCall kNextCalls{i}[];\n"
                         for i in range(count))
        table_names = "".join(f"kNextCalls{i}, " for i in range(count))
        passing_calls = ("namespace ranksight::runtime {\n" + tables +
                         "const NextCall* const kNextCallTables[] = {" +
                         table_names + "nullptr};\n"
                         "const char* const kPassingCalls[] = {\n" + names +
                         "    nullptr};\n}  // namespace ranksight::runtime\n\n")
        return [self.file(i, passing_calls if i == 0 else "",
                          self.by_hand if i == 0 else [], part)
                for i, part in enumerate(parts)]

    @staticmethod
    def file(number, first, by_hand, wrappers):
        reals = [d for _, d in by_hand] + [d for _, d, _ in wrappers]
        body = [wrapper for _, _, wrapper in wrappers]
        names = [n for n, _ in by_hand] + [n for n, _, _ in wrappers]
        table = (f"extern const NextCall kNextCalls{number}[];\n"
                 f"const NextCall kNextCalls{number}[] = {{\n" +
                 "".join(f'    {{"{n}", "P{n}", '
                         f"reinterpret_cast<void**>(&real_{n})}},\n"
                         for n in names) + "    {nullptr, nullptr, nullptr}};\n")
        return ("// Made at build time by generate_wrappers.py.\n"
                + INCLUDE_MPI + "\n"
                '#include "runtime/intercept/found_call.h"\n'
                '#include "runtime/intercept/interception.h"\n'
                '#include "runtime/intercept/known_way.h"\n'
                '#include "runtime/intercept/logged_call.h"\n'
                '#include "runtime/intercept/next_tool.h"\n'
                '#include "runtime/intercept/open_call.h"\n'
                '#include "runtime/intercept/quick_call.h"\n\n'
                + first +
                "using namespace ranksight::runtime;\n"
                "using ranksight::reduction::Call;\n"
                "using ranksight::reduction::Param;\n\n"
                'extern "C" {\n' + "".join(reals) +
                "#pragma GCC visibility push(default)\n\n" +
                "\n".join(body) +
                "\n#pragma GCC visibility pop\n}\n\n"
                "namespace ranksight::runtime {\n" + table +
                "}  // namespace ranksight::runtime\n")
