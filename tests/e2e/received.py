"""From `ranksight show --events --matched` on stdin: source and tag of every
message received or probed, one a line, whatever was asked for."""
import sys

RECEIVES = {"MPI_Recv", "MPI_Irecv", "MPI_Probe", "MPI_Iprobe", "MPI_Mprobe",
            "MPI_Improbe", "MPI_Isendrecv", "MPI_Sendrecv",
            "MPI_Sendrecv_replace"}

for line in sys.stdin:
    name, *words = line.split()
    fields = dict(word.split("=", 1) for word in words)
    for match in filter(None, fields.get("matched", "").split(",")):
        print(match)
    if name not in RECEIVES:
        continue
    side = "r" if "rpeer" in fields else ""
    source, tag = fields[side + "peer"], fields[side + "tag"]
    if "any" not in (source, tag):
        print(f"{source}:{tag}")
