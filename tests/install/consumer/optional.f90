! The same in Fortran.
program optional_api
  use mpi
  use ranksight
  implicit none
  integer :: rank, got, step, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call ranksight_param('size', '7')
  call ranksight_region_begin('ring')
  do step = 1, 10
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, 1 - rank, 3, got, 1, MPI_INTEGER, &
                      1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call ranksight_region_end('ring')
  call MPI_Finalize(ierror)
end program
