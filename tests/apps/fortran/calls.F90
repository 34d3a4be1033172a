! The calls of a Fortran program, in the three forms Fortran has: compiled
! with FORM_MPIF (mpif.h), FORM_MODULE (use mpi) or FORM_F08 (use mpi_f08).
! Sentinels everywhere: what stands for a buffer, a status or weights in
! Fortran must be what it stands for in C. The indices of MPI_Waitany and
! MPI_Waitsome are not looked at: mpi_f08 of MPICH 4.0.2 returns those of C.
#ifdef FORM_F08
#define COMM type(MPI_Comm)
#define GROUP type(MPI_Group)
#define REQUEST type(MPI_Request)
#define DATATYPE type(MPI_Datatype)
#define STATUS type(MPI_Status)
#define STATUSES(n) type(MPI_Status), dimension(n)
#define USES use mpi_f08
#define INCLUDES
#define OPTIONAL_ERROR
#else
#define COMM integer
#define GROUP integer
#define REQUEST integer
#define DATATYPE integer
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define STATUSES(n) integer, dimension(MPI_STATUS_SIZE, n)
#define OPTIONAL_ERROR , ierror
#ifdef FORM_MODULE
#define USES use mpi
#define INCLUDES
#else
#define USES
#define INCLUDES include 'mpif.h'
#endif
#endif

module shared
  implicit none
  integer :: rank, ranks, left, right, checksum = 0
end module

subroutine point_to_point()
  USES
  use shared
  implicit none
  INCLUDES
  integer :: out(8), i, index, ierror, done, indices(2)
  integer, asynchronous :: in(8)
  logical :: flag
  REQUEST :: requests(2), one
  STATUS :: st
  STATUSES(2) :: sts
  out = rank
  do i = 1, 3
    call MPI_Irecv(in, 8, MPI_INTEGER, left, i, MPI_COMM_WORLD, &
                   requests(1), ierror)
    call MPI_Isend(out, i, MPI_INTEGER, right, i, MPI_COMM_WORLD, &
                   requests(2), ierror)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
    checksum = checksum + in(1)
  end do
  call MPI_Irecv(in, 8, MPI_INTEGER, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, one, &
                 ierror)
  call MPI_Send(out, 2, MPI_INTEGER, right, 9, MPI_COMM_WORLD OPTIONAL_ERROR)
  call MPI_Wait(one, st OPTIONAL_ERROR)
#ifdef FORM_F08
  checksum = checksum + st%MPI_SOURCE
#else
  checksum = checksum + st(MPI_SOURCE)
#endif
  call MPI_Irecv(in, 8, MPI_INTEGER, left, MPI_ANY_TAG, MPI_COMM_WORLD, &
                 requests(1), ierror)
  requests(2) = MPI_REQUEST_NULL
  call MPI_Send(out, 3, MPI_INTEGER, right, 4, MPI_COMM_WORLD, ierror)
  call MPI_Waitany(2, requests, index, MPI_STATUS_IGNORE, ierror)
  call MPI_Irecv(in, 8, MPI_INTEGER, left, 5, MPI_COMM_WORLD, one, ierror)
  call MPI_Send(out, 3, MPI_INTEGER, right, 5, MPI_COMM_WORLD, ierror)
  flag = .false.
  do while (.not. flag)
    call MPI_Test(one, flag, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Irecv(in, 8, MPI_INTEGER, left, 6, MPI_COMM_WORLD, requests(1), &
                 ierror)
  call MPI_Send(out, 3, MPI_INTEGER, right, 6, MPI_COMM_WORLD, ierror)
  call MPI_Waitsome(2, requests, done, indices, sts, ierror)
  checksum = checksum + done
  call MPI_Send(out, 5, MPI_INTEGER, right, 7, MPI_COMM_WORLD, ierror)
  flag = .false.
  do while (.not. flag)
    call MPI_Iprobe(left, 7, MPI_COMM_WORLD, flag, st, ierror)
  end do
  call MPI_Probe(left, 7, MPI_COMM_WORLD, st, ierror)
  call MPI_Recv(in, 8, MPI_INTEGER, left, 7, MPI_COMM_WORLD, st, ierror)
  call MPI_Send_init(out, 4, MPI_INTEGER, right, 8, MPI_COMM_WORLD, &
                     requests(1), ierror)
  call MPI_Recv_init(in, 4, MPI_INTEGER, left, 8, MPI_COMM_WORLD, &
                     requests(2), ierror)
  do i = 1, 2
    call MPI_Start(requests(1), ierror)
    call MPI_Start(requests(2), ierror)
    call MPI_Waitall(2, requests, sts, ierror)
  end do
  call MPI_Startall(2, requests, ierror)
  flag = .false.
  do while (.not. flag)
    call MPI_Testall(2, requests, flag, MPI_STATUSES_IGNORE, ierror)
  end do
  call MPI_Request_free(requests(1), ierror)
  call MPI_Request_free(requests(2), ierror)
  call MPI_Sendrecv(out, 2, MPI_INTEGER, right, 1, in, 2, MPI_INTEGER, left, &
                    1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  checksum = checksum + in(2)
end subroutine

! Every second element of an array, of which there are more or fewer.
subroutine sections()
  USES
  use shared
  implicit none
  INCLUDES
  integer :: out(40), i, k, n, ierror
  integer, asynchronous :: in(40)
  REQUEST :: one
  out = rank
  do i = 1, 12
    n = 5 + mod(3 * i * i, 11)
    call MPI_Irecv(in, 40, MPI_INTEGER, left, 10, MPI_COMM_WORLD, one, ierror)
    call MPI_Send(out(1:2 * n:2), n, MPI_INTEGER, right, 10, MPI_COMM_WORLD, &
                  ierror)
    call MPI_Wait(one, MPI_STATUS_IGNORE, ierror)
    checksum = checksum + in(n)
  end do
  ! The same again and again.
  do k = 1, 20
    n = merge(8, 16, k < 15)
    call MPI_Bcast(out(1:2 * n:2), n, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
  end do
end subroutine

subroutine collectives()
  USES
  use shared
  implicit none
  INCLUDES
  double precision :: x(16), y(16)
  integer :: ierror, counts(16), places(16), i
  REQUEST :: request
  x = rank
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call MPI_Bcast(x, 3, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierror)
  call MPI_Reduce(x, y, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, &
                  ierror)
  call MPI_Allreduce(MPI_IN_PLACE, x, 4, MPI_DOUBLE_PRECISION, MPI_MAX, &
                     MPI_COMM_WORLD, ierror)
  checksum = checksum + int(x(1))
  if (rank == 0) then
    call MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, y, 1, &
                    MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierror)
    call MPI_Scatter(y, 1, MPI_DOUBLE_PRECISION, MPI_IN_PLACE, 0, &
                     MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD, ierror)
  else
    call MPI_Gather(x, 1, MPI_DOUBLE_PRECISION, y, 0, MPI_DOUBLE_PRECISION, &
                    0, MPI_COMM_WORLD, ierror)
    call MPI_Scatter(y, 0, MPI_DOUBLE_PRECISION, x, 1, MPI_DOUBLE_PRECISION, &
                     0, MPI_COMM_WORLD, ierror)
  end if
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, y, 1, &
                     MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierror)
  counts = 1
  do i = 1, 16
    places(i) = i - 1
  end do
  call MPI_Alltoallv(x, counts, places, MPI_DOUBLE_PRECISION, y, counts, &
                     places, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierror)
  call MPI_Reduce_scatter(x, y, counts, MPI_DOUBLE_PRECISION, MPI_SUM, &
                          MPI_COMM_WORLD, ierror)
  call MPI_Ibarrier(MPI_COMM_WORLD, request, ierror)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
  call MPI_Iallreduce(MPI_IN_PLACE, x, 1, MPI_DOUBLE_PRECISION, MPI_SUM, &
                      MPI_COMM_WORLD, request, ierror)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
end subroutine

subroutine communicators()
  USES
  use shared
  implicit none
  INCLUDES
  COMM :: twin, half, grid, row
  GROUP :: world, first
  integer :: ierror, dims(2), own, value
  logical :: periods(2), keep(2)
  REQUEST :: request
  call MPI_Comm_dup(MPI_COMM_WORLD, twin, ierror)
  call MPI_Comm_split(twin, mod(rank, 2), -rank, half, ierror)
  call MPI_Comm_rank(half, own, ierror)
  value = own
  call MPI_Bcast(value, 1, MPI_INTEGER, 0, half, ierror)
  call MPI_Comm_split(twin, merge(1, MPI_UNDEFINED, rank > 0), 0, row, ierror)
  dims = 0
  call MPI_Dims_create(ranks, 2, dims, ierror)
  periods = (/ .true., .false. /)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., grid, ierror)
  keep = (/ .false., .true. /)
  call MPI_Cart_sub(grid, keep, row, ierror)
  call MPI_Barrier(row, ierror)
  call MPI_Comm_free(row, ierror)
  call MPI_Comm_free(grid, ierror)
  call MPI_Comm_group(MPI_COMM_WORLD, world, ierror)
  call MPI_Group_incl(world, 1, (/ 0 /), first, ierror)
  call MPI_Comm_create(MPI_COMM_WORLD, first, row, ierror)
  if (rank == 0) call MPI_Barrier(row, ierror)
  call MPI_Comm_idup(half, grid, request, ierror)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
  call MPI_Barrier(grid, ierror)
  call MPI_Comm_free(half, ierror)
  call MPI_Comm_free(twin, ierror)
end subroutine

! A buffer that is all in the type, and neighbours without weights.
subroutine sentinels()
  USES
  use shared
  implicit none
  INCLUDES
  integer :: ierror, out(1), in(1)
  ! Changed behind the back of the compiler.
  integer, asynchronous :: values(2)
  integer(kind=MPI_ADDRESS_KIND) :: places(1)
  DATATYPE :: absolute
  COMM :: graph
  values = rank
  call MPI_Get_address(values, places(1), ierror)
  call MPI_Type_create_hindexed(1, (/ 2 /), places, MPI_INTEGER, absolute, &
                                ierror)
  call MPI_Type_commit(absolute, ierror)
  call MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, MPI_COMM_WORLD, ierror)
  checksum = checksum + values(2)
  call MPI_Type_free(absolute, ierror)
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, (/ left /), &
      MPI_UNWEIGHTED, 1, (/ right /), MPI_UNWEIGHTED, MPI_INFO_NULL, .false., &
      graph, ierror)
  out = rank
  call MPI_Neighbor_allgather(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, graph, &
                              ierror)
  checksum = checksum + in(1)
  call MPI_Barrier(graph, ierror)
  call MPI_Comm_free(graph, ierror)
end subroutine

program calls
  USES
  use shared
  implicit none
  INCLUDES
  integer :: provided, ierror, total
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  left = mod(rank + ranks - 1, ranks)
  right = mod(rank + 1, ranks)
  call point_to_point()
  call sections()
  call collectives()
  call communicators()
  call sentinels()
  call MPI_Reduce(checksum, total, 1, MPI_INTEGER, MPI_SUM, 0, &
                  MPI_COMM_WORLD, ierror)
  if (rank == 0) print '(A,I0)', 'checksum ', total
  call MPI_Finalize(ierror)
end program
