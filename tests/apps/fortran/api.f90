! Three barriers of four are recorded, one of them in regions, and a
! parameter of the run.
program api
  use mpi
  use ranksight
  implicit none
  integer :: ierror
  call MPI_Init(ierror)
  call ranksight_param('size  ', '64x64 ')
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call ranksight_pause()
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call ranksight_resume()
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call ranksight_region_begin('outer')
  call ranksight_region_begin('inner ')
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call ranksight_region_end('outer')
  call ranksight_flush()
  call MPI_Finalize(ierror)
  print '(A)', 'done'
end program
