! Ranksight's interface for Fortran: see runtime/api/ranksight.h. Compile this
! file with the program and link libranksight_optional.a; where the runtime is
! absent the calls do nothing.
module ranksight
  use, intrinsic :: iso_c_binding, only: c_char, c_null_char
  implicit none
  private
  public :: ranksight_pause, ranksight_resume, ranksight_param
  public :: ranksight_region_begin, ranksight_region_end, ranksight_flush

  interface
    ! Stops recording on this rank.
    subroutine ranksight_pause() bind(C, name="ranksight_optional_pause")
    end subroutine
    ! Goes on.
    subroutine ranksight_resume() bind(C, name="ranksight_optional_resume")
    end subroutine
    ! Writes what this rank has recorded so far.
    subroutine ranksight_flush() bind(C, name="ranksight_optional_flush")
    end subroutine
    subroutine region_begin(name) &
        bind(C, name="ranksight_optional_region_begin")
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
    subroutine region_end(name) bind(C, name="ranksight_optional_region_end")
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
    subroutine param(name, value) bind(C, name="ranksight_optional_param")
      import :: c_char
      character(kind=c_char), intent(in) :: name(*), value(*)
    end subroutine
  end interface

contains

  ! A region of the program; regions nest.
  subroutine ranksight_region_begin(name)
    character(len=*), intent(in) :: name
    call region_begin(trim(name) // c_null_char)
  end subroutine

  subroutine ranksight_region_end(name)
    character(len=*), intent(in) :: name
    call region_end(trim(name) // c_null_char)
  end subroutine

  ! A parameter of this run, such as the problem size.
  subroutine ranksight_param(name, value)
    character(len=*), intent(in) :: name, value
    call param(trim(name) // c_null_char, trim(value) // c_null_char)
  end subroutine

end module
