"""The text of a recording wrapper: the short way of a call that was
predicted, and the long way of all others.

The wrapper itself holds the short way only; the long way is a function
beside it, which gets the wrapper's return address and frame. Calls that may
find nothing (MPI_Test, MPI_Iprobe, ...) or finish with some of their requests
are made first and looked at after.
"""
import role_text

# Roles that a prediction compares, each one word.
COMPARED = {"count", "type", "peer", "tag", "comm", "root", "op", "rcount",
            "rtype", "rpeer", "rtag"}
# Of these, numbers that are the value of a parameter.
NUMBERS = {"count": "kCount", "rcount": "kRecvCount", "tag": "kTag",
           "rtag": "kRecvTag"}
IN_PLACE = {"inplace", "sendinplace", "recvinplace"}
# Of calls that are made before they are looked at: what they found.
FOUND = {"flag", "index", "indices", "outcount"}
# Calls that finish with some of their requests.
WAITING_FOR_SOME = {"MPI_Waitany", "MPI_Waitsome"}
# Calls that need their request as it is, and leave it so.
STARTING = {"MPI_Start"}
# Roles that do not matter, or are dealt with by name below.
OTHERS = {"-", "status", "statuses", "newreq", "req", "nreq", "reqs",
          "openreqs", "someof", "message", "newmessage"}
# Roles of arrays of requests.
ARRAYS = ("reqs", "openreqs", "someof")


def base(role):
    return role.partition("@")[0]


def can_be_quick(call, roles):
    bases = [base(r) for r in roles]
    if any(b not in COMPARED | IN_PLACE | OTHERS for b in bases):
        return False
    if "req" in bases or any(array in bases for array in ARRAYS):
        return call in role_text.FINISHING | STARTING
    return True


def can_be_found_quick(roles):
    """Whether a call that is looked at after it was made can be recognised."""
    return all(base(r) in COMPARED | OTHERS | FOUND for r in roles)


def compared(roles, names):
    """The words a prediction compares."""
    words = []
    for role, name in zip(roles, names):
        if base(role) in COMPARED:
            words.append(name)
        elif base(role) in IN_PLACE:
            words.append(f"{name} == MPI_IN_PLACE")
    return words


def params_of(roles):
    """For each of these words the parameter it is the value of."""
    bases = [base(r) for r in roles]
    return ["int(Param::" + NUMBERS[b] + ")" if b in NUMBERS
            else "Interception::kNoParam"
            for b in bases if b in COMPARED | IN_PLACE | {"started"}]


def requests_of(by_role):
    """(array, number) of the requests passed, or None."""
    if "req" in by_role:
        return by_role["req"], "1"
    for array in ARRAYS:
        if array in by_role:
            return by_role[array], by_role["nreq"]
    return None


def long_way(call, ret, name, arguments, real, parts):
    """parts: passed, pre, post, quick (statement or "")."""
    declared = ", ".join(["void* caller", "void* frame"] + arguments)
    lines = ["[[gnu::noinline, gnu::cold]]",
             f"static {ret} Long{name}({declared}) {{",
             f"  Interception in(Call::{call}_, caller, frame);",
             f"  if (!in.recording()) return {real}({parts['passed']});",
             "  Arguments& a = in.arguments();"]
    if parts["quick"]:
        lines.append("  " + parts["quick"])
    lines += ["  in.Before([&] {"]
    lines += ["    " + s for s in parts["pre"]]
    lines += ["    (void)a;", "  });",
              f"  const {ret} result = {real}({parts['passed']});"]
    return lines + after(parts["post"])


def after(post):
    lines = ["  in.After(result, [&] {"]
    lines += ["    " + s for s in post if s]
    return lines + ["    (void)a;", "  });", "  return result;", "}", ""]


def match_of(by_role):
    """Asks whether the requests that the call finishes with match, or the one
    that it starts."""
    if "started" in by_role:
        return f"QuickRequest::MatchReference(hint, {by_role['started']})"
    requests = requests_of(by_role)
    if requests and requests[1] == "1":
        return f"QuickRequest::Await(hint, {requests[0]})"
    if requests:
        return f"QuickRequests::Await(hint, {requests[0]}, {requests[1]})"
    return ""


def has_one_request(by_role):
    requests = requests_of(by_role)
    return requests is not None and requests[1] == "1"


def made_quick(real, passed, by_role, one="One"):
    """The call made and recorded the short way."""
    requests = requests_of(by_role)
    done = "Done({})"
    if requests:
        which = one if requests[1] == "1" else ""
        done = f"Finished{which}({{}}, {requests[0]})"
    elif "newreq" in by_role:
        done = f"Made({{}}, {by_role['newreq']})"
    return ["    QuickCall::Begin(hint, frame, counter);",
            f"    return QuickCall::{done.format(f'{real}({passed})')};",
            "  }"]


def made_open(real, passed, by_role):
    """The same for a call that brings values of its own."""
    requests = requests_of(by_role)
    status = role_text.status_of(by_role)
    lines = ["    const OpenCall quick(hint, Clock::AtCounter(counter), &own);"]
    if status:
        lines += ["    OpenCall::Statuses statuses;",
                  f"    {status} = statuses.Or({status}, hint);"]
    done = "quick.Done(result);"
    if requests:
        done = f"quick.Finished(result, {requests[0]}, {status});"
    elif status:
        done = f"quick.Received(result, {status});"
    elif "newreq" in by_role:
        done = f"quick.Made(result, {by_role['newreq']});"
    return lines + [f"    const auto result = {real}({passed});",
                    f"    {done}", "    return result;", "  }"]


def passed_on(passed):
    return ", ".join(["caller", "frame"] + ([passed] if passed else []))


def open_way(call, ret, name, arguments, real, passed, roles, by_role, words):
    """The short way of a call that brings values of its own each time, or of
    any where the clock is no counter."""
    declared = ", ".join(["void* caller", "void* frame", "uint64_t counter"] +
                         arguments)
    match = match_of(by_role)
    condition = [f"hint->PassesOpen({', '.join(['&own'] + words)})"]
    condition += [match] if match else []
    return ["[[gnu::noinline]]", f"static {ret} Open{name}({declared}) {{",
            "  const Hint* const hint = hot.expected;", "  OwnValues own;",
            f"  if ({' && '.join(condition)}) {{"] + made_open(
                real, passed, by_role) + [
            f"  return Long{name}({passed_on(passed)});", "}", ""]


def logged_way(call, ret, name, arguments, real, passed, _, by_role, words):
    """The way of a thread that is not alone."""
    declared = ", ".join(["void* caller", "void* frame", "uint64_t counter"] +
                         arguments)
    requests = requests_of(by_role)
    compared_words = "".join(", " + word for word in words)
    begin, done = "Begin()", "Done(result)"
    if requests:
        begin = f"BeginFinishing({requests[0]}, {requests[1]})"
        done = f"Finished(result, {requests[0]})"
    elif "newreq" in by_role:
        done = f"Made(result, {by_role['newreq']})"
    return ["[[gnu::noinline]]", f"static {ret} Logged{name}({declared}) {{",
            f"  LoggedCall logged(Call::{call}_, caller, frame, "
            f"Clock::AtCounter(counter){compared_words});",
            f"  if (!logged.{begin}) return Long{name}({passed_on(passed)});",
            f"  const auto result = {real}({passed});",
            f"  logged.{done};", "  return result;", "}", ""]


def other_way(call, ret, name, arguments, real, passed, _, by_role, __):
    """The short way where the request's handle, or what is behind it, is
    another than last time."""
    declared = ", ".join(["void* caller", "void* frame", "uint64_t counter"] +
                         arguments)
    return ["[[gnu::noinline]]", f"static {ret} Other{name}({declared}) {{",
            "  const Hint* const hint = hot.expected;",
            f"  if ({match_of(by_role)}) {{"] + made_quick(
                real, passed, by_role, "") + [
            f"  return Long{name}({passed_on(passed)});", "}", ""]


def short_way(call, ret, name, arguments, real, passed, roles, by_role, words):
    match = match_of(by_role)
    condition = [f"QuickCall::Expected(hint, Call::{call}_, caller, frame)"]
    condition += [f"hint->Passes({', '.join(words)})"] if words else []
    condition += [match] if match and not has_one_request(by_role) else []
    rest = ", ".join(["caller", "frame", "counter"] +
                     ([passed] if passed else []))
    lines = [f'{ret} {name}({", ".join(arguments) or "void"}) {{',
             "  void* const caller = __builtin_return_address(0);",
             "  void* const frame = FrameAddress();",
             "  const uint64_t counter = Clock::Counter();",
             "  const Hint* const hint = hot.expected;",
             f"  if ({' && '.join(condition)}) [[likely]] {{"]
    if has_one_request(by_role):
        lines += [f"    if (!QuickRequest::AwaitAgain(hint, "
                  f"{by_role['req']})) [[unlikely]]",
                  f"      return Other{name}({rest});"]
    lines += made_quick(real, passed, by_role)
    lines += [f"  if (OpenCall::Expected(hint, Call::{call}_, "
              "caller, frame)) {",
              f"    return Open{name}({rest});", "  }"]
    if "started" not in by_role:
        lines += [f"  if (hint == &kLogging) return Logged{name}({rest});"]
    return lines + [f"  return Known{name}({rest});", "}", ""]


def known_way(call, ret, name, arguments, real, passed, _, by_role, words):
    """The short way of a call that is not the expected one, but known."""
    declared = ", ".join(["void* caller", "void* frame", "uint64_t counter"] +
                         arguments)
    rest = ", ".join(["caller", "frame", "counter"] +
                     ([passed] if passed else []))
    compared_words = "".join(", " + word for word in words)
    match = match_of(by_role)
    condition = ["hint->caller == caller"] + ([match] if match else [])
    return ["[[gnu::noinline]]", f"static {ret} Known{name}({declared}) {{",
            f"  if (KnownWay::Expect(Call::{call}_, caller, frame, &counter"
            f"{compared_words})) {{",
            "  const Hint* const hint = hot.expected;",
            f"  if (hint->open_caller == caller) return Open{name}({rest});",
            f"  if ({' && '.join(condition)}) {{"] + made_quick(
                real, passed, by_role, "") + ["  }",
            f"  return Long{name}({passed_on(passed)});", "}", ""]


def own_statuses(call, by_role, requests):
    """Statuses of a poll are wanted before its requests are looked at."""
    status = role_text.status_of(by_role)
    if status is None:
        return []
    if requests:
        return [f"  {status} = poll.StatusesOfRequests({status}, "
                f"{requests[1]});"]
    return [f"  {status} = poll.Statuses({status}, "
            f"{role_text.asks(call, by_role)});"]


def found_quick(call, by_role, words, requests):
    """The condition that records a poll which found what was predicted."""
    follow = "Follow()"
    status = role_text.status_of(by_role)
    if requests and ("openreqs" not in by_role):
        follow = f"FollowFinishedAt({requests[1]}, {status})"
    elif requests:
        follow = f"FollowFinished({requests[1]}, {status})"
    return f"found.Is({', '.join(words)}) && found.{follow}"


def found_indices(by_role):
    """Number and place of the indices that a poll found, as arguments."""
    if "index" in by_role:
        index = by_role["index"]
        return f", *{index} == MPI_UNDEFINED ? 0 : 1, {index}"
    if "indices" in by_role:
        count = by_role["outcount"]
        return (f", *{count} == MPI_UNDEFINED ? 0 : *{count}, "
                f"{by_role['indices']}")
    if "req" in by_role:
        return ", 1, FoundCall::kOnly"
    return ""


def of_kept(statement, requests):
    """What looks the requests up, as they were before the call."""
    looks_up, passed = statement.partition("(")[::2]
    if looks_up not in ("a.Request", "a.OpenRequests", "a.SomeOfRequests"):
        return statement
    rest = passed.removeprefix(requests[0]).removesuffix(");")
    return f"{looks_up}(poll.kept(){rest}, {requests[0]});"


def polling(call, ret, name, arguments, real, parts, by_role, words):
    requests = requests_of(by_role)
    over = "false"
    if call not in WAITING_FOR_SOME:
        found = by_role.get("flag") or by_role["outcount"]
        over = f"result == MPI_SUCCESS && *{found} == 0"
    lines = [f'{ret} {name}({", ".join(arguments)}) {{',
             "  void* const caller = __builtin_return_address(0);",
             "  void* const frame = __builtin_frame_address(0);",
             f"  Poll poll(Call::{call}_, frame);"]
    pre = parts["pre"]
    if requests:
        lines.append("  if (poll.recording()) "
                     f"poll.Keep({requests[0]}, {requests[1]});")
        pre = [of_kept(s, requests) for s in pre]
    lines += own_statuses(call, by_role, requests)
    pre = [s for s in pre if "a.Statuses(" not in s]
    lines += [f"  const {ret} result = {real}({parts['passed']});",
              f"  if (poll.Over({over})) return result;"]
    if parts["quick"]:
        lines += ["  if (result == MPI_SUCCESS) {",
                  "    FoundCall found(poll, caller, frame"
                  f"{found_indices(by_role)});",
                  f"    if ({found_quick(call, by_role, words, requests)}) {{",
                  "      return result;", "    }", "  }"]
    lines += ["  Interception in(poll, caller, frame);",
              "  if (!in.recording()) return result;",
              "  Arguments& a = in.arguments();"]
    if parts["quick"]:
        lines.append("  " + parts["quick"])
    lines += ["  in.Before([&] {"]
    lines += ["    " + s for s in pre]
    return lines + ["    (void)a;", "  });"] + after(parts["post"])


def quick_statement(roles, by_role, words):
    """Tells what the call can be recognised by."""
    if "started" in by_role:
        roles = ["started"]
    has_requests = requests_of(by_role) or "started" in by_role
    param = "true" if has_requests else "false"
    return (f"in.Quick<{', '.join(params_of(roles))}>("
            f"{', '.join([param] + words)});")


def recording(call, ret, name, arguments, roles, real, names, pre, post):
    by_role = {base(r): n for r, n in zip(roles, names)}
    parts = {"passed": ", ".join(names), "pre": pre, "post": post,
             "quick": ""}
    words = compared(roles, names)
    chooses = role_text.asks(call, by_role)
    if chooses:
        pre.append(f"if ({chooses}) in.Chooses({by_role['comm']});")
    if ("flag" in by_role or call == "MPI_Testsome" or
            call in WAITING_FOR_SOME):
        if can_be_found_quick(roles):
            parts["quick"] = quick_statement(roles, by_role, words)
        return "\n".join(polling(call, ret, name, arguments, real, parts,
                                 by_role, words))
    if not can_be_quick(call, roles):
        lines = long_way(call, ret, name, arguments, real, parts)
        passed = ["__builtin_return_address(0)", "__builtin_frame_address(0)"]
        lines += [f'{ret} {name}({", ".join(arguments) or "void"}) {{',
                  f"  return Long{name}({', '.join(passed + names)});", "}",
                  ""]
        return "\n".join(lines)
    if call in STARTING:
        by_role = {("started" if r == "req" else r): n
                   for r, n in by_role.items()}
        # Which one it is, as long as its handle means the same.
        words = ["*" + by_role["started"]]
    parts["quick"] = quick_statement(roles, by_role, words)
    ways = [call, ret, name, arguments, real, parts["passed"], roles, by_role,
            words]
    return "\n".join(
        long_way(call, ret, name, arguments, real, parts) +
        open_way(*ways) +
        (logged_way(*ways) if call not in STARTING else []) +
        (other_way(*ways) if has_one_request(by_role) else []) +
        known_way(*ways) +
        short_way(*ways))
