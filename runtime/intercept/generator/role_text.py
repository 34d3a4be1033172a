"""The statement for each role of reduction/api/calls.def.

{n} is the argument, {comm}, {win}, {nitems}, ... the argument that has that
role in the same call.
"""
SCALARS = """key reorder ndims level nreq mode size dispunit offset
partitions partition lastpartition nitems nsources ndestinations block
stride""".split()
ALONG = {"dims": "ndims", "periods": "ndims", "subsizes": "ndims",
         "starts": "ndims", "distribs": "ndims", "distargs": "ndims",
         "grid": "ndims", "items": "nitems", "offsets": "nitems",
         "degrees": "nsources"}

# Where an argument is significant, by what follows its role.
SIGNIFICANT = {"": "true", "root": "a.IsRoot({root}, {comm})",
               "party": "a.IsParty({root})", "nonroot": "a.IsNonRoot({root})",
               "op": "{op} != MPI_NO_OP"}
# With the side, and where that argument is significant.
SIDES = {"count": "a.Count({n}, Side::kSend, ",
         "rcount": "a.Count({n}, Side::kReceive, ",
         "type": "a.Type({n}, Side::kSend, ",
         "rtype": "a.Type({n}, Side::kReceive, ",
         "counts": "a.Counts({n}, {comm}, Side::kSend, ",
         "rcounts": "a.Counts({n}, {comm}, Side::kReceive, "}

# Before the call.
INPUTS = {
    "comm": "a.Comm({n});",
    "commref": "a.Comm(*{n}); a.ForgetComm({n});",
    "op": "a.Op({n});",
    "color": "a.Color({n});",
    "firstmember": "a.FirstMember();",
    "group": "a.Group({n});",
    "inplace": "a.InPlace({n}, InPlaceKind::kNoted);",
    "sendinplace": "a.InPlace({n}, InPlaceKind::kSendSide);",
    "recvinplace": "a.InPlace({n}, InPlaceKind::kReceiveSide);",
    "tcount": "a.Scalar({n});",
    "ttype": "a.Type({n}, Side::kSend, true);",
    "element": "a.Element({n});",
    "types": "a.Types({n}, {counts}, {comm}, Side::kSend);",
    "rtypes": "a.Types({n}, {rcounts}, {comm}, Side::kReceive);",
    "ncounts": "a.NeighbourCounts({n}, {comm}, Side::kSend);",
    "nrcounts": "a.NeighbourCounts({n}, {comm}, Side::kReceive);",
    "ntypes": "a.NeighbourTypes({n}, {ncounts}, {comm}, Side::kSend);",
    "nrtypes":
        "a.NeighbourTypes({n}, {nrcounts}, {comm}, Side::kReceive);",
    "peer": "a.Peer({n}, {comm});",
    "rpeer": "a.Peer({n}, {comm});",
    "leader": "a.Peer({n}, {comm});",
    "rleader": "a.RemoteLeader({n}, {peercomm}, {leader}, {comm});",
    "peercomm": "a.PeerComm({n}, {leader}, {comm});",
    "tag": "a.Tag({n});",
    "rtag": "a.Tag({n});",
    "root": "a.Root({n}, {comm});",
    "req": "a.Request({n});",
    "reqvalue": "a.Request(&{n});",
    "reqs": "a.Requests({n}, {nreq});",
    "openreqs": "a.OpenRequests({n}, {nreq});",
    "someof": "a.SomeOfRequests({n}, {nreq});",
    "remain": "a.Remain({n}, {comm});",
    "processes": "a.Scalar({n});",
    "processes@root": "a.AtRoot({n}, a.IsRoot({root}, {comm}));",
    "nprograms@root": "a.AtRoot({n}, a.IsRoot({root}, {comm}));",
    "win": "a.Window({n});",
    "winref": "a.Window(*{n}); a.ForgetWindow({n});",
    "wpeer": "a.WindowPeer({n}, {win});",
    "locktype": "a.LockType({n});",
    "assertion": "a.Assertion({n});",
    "access": "a.Access({n});",
    "whence": "a.Whence({n});",
    "order": "a.ArrayOrder({n});",
    "file": "a.File({n});",
    "fileref": "a.File(*{n}); a.ForgetFile({n});",
    "session": "a.Session({n});",
    "sessionref": "a.Session(*{n}); a.ForgetSession({n});",
    "itemtypes": "a.ItemTypes({n}, {nitems});",
    "sources": "a.Ranks({n}, {nsources}, {comm});",
    "destinations": "a.Ranks({n}, {ndestinations}, {comm});",
    "alldestinations":
        "a.AllDestinations({n}, {degrees}, {nsources}, {comm});",
    "edges": "a.Edges({n}, {items}, {nitems});",
}
INPUTS.update({role + ("@" if where else "") + where: text + condition + ");"
               for role, text in SIDES.items()
               for where, condition in SIGNIFICANT.items()})
INPUTS.update({role: "a.Scalar({n});" for role in SCALARS})
INPUTS.update({role: "a.Array({n}, {" + length + "});"
               for role, length in ALONG.items()})

# After the call.
OUTPUTS = {
    "newreq": "a.NewRequest({n}, false);",
    "newpreq": "a.NewRequest({n}, true);",
    "newcomm": "a.NewComm({n});",
    "newwin": "a.NewWindow({n});",
    "newfile": "a.NewFile({n});",
    "newsession": "a.NewSession({n});",
    "newgroup": "a.NewGroup({n});",
    "newtype": "a.NewType({n});",
    "index": "a.DoneIndex(*{n});",
    "indices": "a.DoneIndices({n}, *{outcount});",
}

SILENT = {"-", "status", "statuses", "flag", "message", "newmessage",
          "outcount"}

# Calls that finish with all their requests.
FINISHING = {"MPI_Wait", "MPI_Waitall"}

# Calls that receive and complete later.
RECEIVES = {"MPI_Irecv", "MPI_Recv_init", "MPI_Isendrecv",
            "MPI_Isendrecv_replace"}


def asked(by_role):
    """Source and tag that a receive or probe asks for."""
    if "rpeer" in by_role:
        return f"{by_role['rpeer']}, {by_role['rtag']}"
    return f"{by_role['peer']}, {by_role['tag']}"


def asks(call, by_role):
    """The condition on which the call leaves something to choose, or None."""
    if call in RECEIVES or "status" in by_role and "peer" in by_role:
        return f"AsksForAny({asked(by_role)})"
    return None


def status_of(by_role):
    return by_role.get("status") or by_role.get("statuses")


def statuses(call, by_role):
    """Before the call: what it gets for its statuses."""
    status = status_of(by_role)
    if status is None:
        return []
    any_ = asks(call, by_role)
    more = f", {any_}" if any_ else ""
    return [f"{status} = a.Statuses({status}{more});"]


def matched(call, by_role):
    """After the call: what it matched."""
    status = status_of(by_role)
    if status is None:
        return []
    if asks(call, by_role):
        return [f"a.Matched({asked(by_role)}, {by_role['comm']}, {status});"]
    if "index" in by_role:
        return [f"a.MatchedAt({by_role['index']}, 1, {status});"]
    if "indices" in by_role:
        return [f"a.MatchedAt({by_role['indices']}, *{by_role['outcount']}, "
                f"{status});"]
    return [f"a.MatchedAll({status});"]


def fill(template, name, by_role):
    return template.format(n=name, **by_role)


def inputs(call, roles, names, by_role):
    out = []
    for role, name in zip(roles, names):
        if role in OUTPUTS or role in SILENT:
            continue
        if role == "typeref":
            freed = "true" if call == "MPI_Type_free" else "false"
            out.append(f"a.TypeReference({name}, {freed});")
        else:
            out.append(fill(INPUTS[role], name, by_role))
    claim = ["a.ClaimAll();"] if call in FINISHING else []
    return out + statuses(call, by_role) + claim


def outputs(call, roles, names, by_role):
    out = []
    for role, name in zip(roles, names):
        if role not in OUTPUTS:
            continue
        template = OUTPUTS[role]
        if role == "newcomm" and "newreq" in by_role:
            # Not usable before its request is complete.
            template = "a.NewDuplicate({n}, {comm});"
        if role == "newcomm" and "firstmember" in by_role:
            template = "a.NewPart({n});"
        if call in RECEIVES and role in ("newreq", "newpreq"):
            kept = "true" if role == "newpreq" else "false"
            template = (f"a.NewReceive({{n}}, {kept}, {asked(by_role)}, "
                        "{comm});")
        out.append(fill(template, name, by_role))
    return out + matched(call, by_role)
