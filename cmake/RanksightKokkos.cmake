# Kokkos where there is one: RANKSIGHT_KOKKOS is the target to link, else
# empty. Debian's (of Trilinos) names an include folder that does not exist,
# so its parts are linked by themselves there.
set(RANKSIGHT_KOKKOS "")
set(RANKSIGHT_KOKKOS_INCLUDES "")
option(RANKSIGHT_USE_KOKKOS "Compute link loads with Kokkos if found" ON)
if(RANKSIGHT_USE_KOKKOS)
  find_package(Kokkos QUIET)
  # Kokkos overrules this one for everybody below.
  set(CMAKE_CXX_EXTENSIONS OFF)
endif()
if(Kokkos_FOUND AND TARGET trilinos_kokkoscore)
  set(RANKSIGHT_KOKKOS trilinos_kokkoscore)
  set(RANKSIGHT_KOKKOS_INCLUDES ${Kokkos_INCLUDE_DIRS})
elseif(Kokkos_FOUND)
  set(RANKSIGHT_KOKKOS Kokkos::kokkos)
endif()
# For whoever installs what links it.
set_property(GLOBAL PROPERTY RANKSIGHT_KOKKOS "${RANKSIGHT_KOKKOS}")
