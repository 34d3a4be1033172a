! stops HOW: rank 1 ends in the middle as HOW says, by what Fortran's runtime
! does then. Its handlers of signals stand before MPI_Init.
program stops
  use mpi
  implicit none
  integer :: rank, ierr, i, total
  character(16) :: how
  integer, pointer :: nowhere(:)

  call get_command_argument(1, how)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  do i = 1, 20
    call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
                       ierr)
  end do
  nullify(nowhere)
  if (rank == 1) then
    if (how == 'stop') stop
    if (how == 'errorstop') error stop 4
    if (how == 'abort') call abort
    if (how == 'segv') nowhere(1) = 3
    if (how == 'open') open(9, file='absent', status='old')
  end if
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program
