! The same as heat.c.
program heat
  use mpi_f08
  implicit none
  integer, parameter :: cells = 100000, steps = 50
  integer :: rank, ranks, left, right, own, step, i, r
  integer, allocatable :: counts(:), places(:)
  double precision, allocatable :: now(:), next(:), all(:)
  double precision :: most, change

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  left = merge(rank - 1, MPI_PROC_NULL, rank > 0)
  right = merge(rank + 1, MPI_PROC_NULL, rank + 1 < ranks)
  own = part(rank)
  allocate (now(0:own + 1), next(0:own + 1))
  now = 0
  if (rank == 0) now(0) = 1 ! the hot end
  next = now

  change = 0
  do step = 1, steps
    call MPI_Sendrecv(now(1), 1, MPI_DOUBLE_PRECISION, left, 0, now(own + 1), 1, &
                      MPI_DOUBLE_PRECISION, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(now(own), 1, MPI_DOUBLE_PRECISION, right, 1, now(0), 1, &
                      MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    if (rank == 0) now(0) = 1
    most = 0
    do i = 1, own
      next(i) = now(i) + 0.25d0*(now(i - 1) - 2*now(i) + now(i + 1))
      most = max(most, abs(next(i) - now(i)))
    end do
    now(1:own) = next(1:own)
    if (mod(step, 10) == 0) &
      call MPI_Allreduce(most, change, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  end do

  ! Everything to rank 0, which writes it.
  allocate (counts(ranks), places(ranks), all(merge(cells, 0, rank == 0)))
  do r = 1, ranks
    counts(r) = part(r - 1)
    places(r) = sum(counts(1:r - 1))
  end do
  call MPI_Gatherv(now(1:own), own, MPI_DOUBLE_PRECISION, all, counts, places, &
                   MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
  if (rank == 0) print '(a,es12.5,a,f9.6)', 'change ', change, ', first cell ', all(1)
  call MPI_Finalize()

contains

  integer function part(of)
    integer, intent(in) :: of
    part = cells/ranks + merge(1, 0, of < mod(cells, ranks))
  end function part
end program heat
