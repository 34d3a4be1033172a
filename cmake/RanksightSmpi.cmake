# SimGrid's SMPI, where it is installed: RANKSIGHT_SMPI says whether, and
# ranksight_smpi carries its mpi.h and library. RANKSIGHT_SIMGRID_ZONES says
# whether routing of our own can be given to it, as SimGrid 3.32 takes it. Sources of ours compile against
# these directly: smpicxx renames sleep, malloc and the clocks.
find_program(RANKSIGHT_SMPICC smpicc)
find_program(RANKSIGHT_SMPIRUN smpirun)
find_path(RANKSIGHT_SMPI_INCLUDE smpi/mpi.h)
find_library(RANKSIGHT_SIMGRID simgrid)
set(RANKSIGHT_SMPI OFF)
if(RANKSIGHT_SMPICC AND RANKSIGHT_SMPIRUN AND RANKSIGHT_SMPI_INCLUDE
   AND RANKSIGHT_SIMGRID)
  set(RANKSIGHT_SMPI ON)
  add_library(ranksight_smpi INTERFACE)
  target_include_directories(ranksight_smpi SYSTEM BEFORE
                             INTERFACE ${RANKSIGHT_SMPI_INCLUDE}/smpi)
  target_link_libraries(ranksight_smpi INTERFACE ${RANKSIGHT_SIMGRID})
  include(CheckCXXSourceCompiles)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  check_cxx_source_compiles(
    "#include <simgrid/kernel/routing/NetZoneImpl.hpp>
     #include <simgrid/s4u.hpp>
     using namespace simgrid::kernel::routing;
     struct Zone : NetZoneImpl {
       Zone() : NetZoneImpl(\"zone\") {}
       void get_local_route(const NetPoint*, const NetPoint*, Route* r,
                            double*) override {
         r->link_list_.push_back(
             create_link(\"l\", {1.})->set_latency(0)->seal()->get_impl());
       }
     };"
    RANKSIGHT_SIMGRID_ZONES)
  unset(CMAKE_TRY_COMPILE_TARGET_TYPE)
  if(NOT RANKSIGHT_SIMGRID_ZONES)
    message(STATUS "Without simulate --torus and --topology under SimGrid: its routing is not 3.32's")
  endif()
endif()

# ranksight_add_smpi_program(TARGET FOLDER NAME sources...): builds sources as
# programs for smpirun, bin/smpi/NAME as they are and bin/smpi/NAME.recorded
# with the runtime in them.
function(ranksight_add_smpi_program target folder name)
  set(out ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/smpi)
  set(archive ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/libranksight-smpi.a)
  set(compile ${RANKSIGHT_SMPICC} -O2 -g -I${folder})
  list(TRANSFORM ARGN PREPEND ${folder}/)
  add_custom_command(
    OUTPUT ${out}/${name} ${out}/${name}.recorded
    COMMAND ${CMAKE_COMMAND} -E make_directory ${out}
    COMMAND ${compile} ${ARGN} -o ${out}/${name} -lm
    COMMAND
      ${compile} ${ARGN} -Wl,--whole-archive ${archive} -Wl,--no-whole-archive
      -o ${out}/${name}.recorded -lzstd -lstdc++ -lm -ldl
    DEPENDS ${ARGN} ranksight_runtime_smpi ${archive}
    VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${out}/${name}
                                          ${out}/${name}.recorded)
endfunction()
