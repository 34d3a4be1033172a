"""What mpi4py makes of buffers and objects: a ring of exchanges, objects sent,
reduced and gathered."""
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
left, right = (rank - 1) % size, (rank + 1) % size


def exchange(field):
    world.Sendrecv(field[:2], dest=left, recvbuf=field[-2:], source=right)


def pass_on(step):
    request = world.isend({"step": step}, dest=right, tag=5)
    assert world.recv(source=left, tag=5) == {"step": step}
    request.wait()


field = memoryview(array("d", [rank] * 10))
for step in range(10):
    exchange(field)
    pass_on(step)
total = world.allreduce(sum(field))
parts = world.gather((rank, "part"), root=0)
if rank == 0:
    print(total, len(parts))
