"""What the readers of converted traces share: raw logs in canonical text."""

SENDS = ("Send", "Ssend", "Rsend", "Bsend", "Isend", "Issend", "Irsend",
         "Ibsend")
UNREADABLE = ("Start", "Startall", "Mrecv", "Imrecv", "Cancel")


def calls(path, ranks, unreadable=UNREADABLE):
    """Each line: name without MPI_, fields, members of its communicator.

    Lines that make a communicator are left out; their sizes are kept.
    """
    sizes, made = {0: ranks, 1: 1}, 2
    for line in open(path, encoding="utf-8"):
        call, *fields = line.split()
        f = dict(x.split("=") for x in fields)
        call = call[4:]
        if call in unreadable:
            raise SystemExit(f"{path}: {call} cannot be compared")
        if "n" in f and "comm" in f:
            if f["n"] != "0":
                sizes[made] = int(f["n"])
                made += 1
            continue
        yield call, f, sizes[int(f["comm"])] if "comm" in f else 0


def blocking(call):
    """The name of the blocking form of a collective."""
    return call[1:].capitalize() if call[0] == "I" else call
