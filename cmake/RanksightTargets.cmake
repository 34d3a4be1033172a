# Sources of a library are compiled this many together, since most of the time
# goes into headers: a tree builds in a quarter of it. A change of one source
# compiles those around it; 0 compiles each alone.
set(RANKSIGHT_TOGETHER 12 CACHE STRING "Sources compiled together; 0: none")
# ranksight_compile_together(TARGET [COUNT]): COUNT at most.
function(ranksight_compile_together target)
  if(RANKSIGHT_TOGETHER GREATER 1)
    set(count ${RANKSIGHT_TOGETHER})
    if(ARGC GREATER 1 AND ARGV1 LESS count)
      set(count ${ARGV1})
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON
                                               UNITY_BUILD_BATCH_SIZE ${count})
    # It takes sources that others include for headers.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# ranksight_add_library(NAME SOURCES ... [DEPENDS ...] [PRIVATE ...])
# makes the static library ranksight_<NAME> and its alias ranksight::<NAME>,
# which an install exports under the same name.
function(ranksight_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PRIVATE" ${ARGN})
  add_library(ranksight_${name} STATIC ${ARG_SOURCES})
  add_library(ranksight::${name} ALIAS ranksight_${name})
  set_target_properties(
    ranksight_${name} PROPERTIES EXPORT_NAME ${name}
                                 POSITION_INDEPENDENT_CODE ON)
  target_compile_features(ranksight_${name} PUBLIC cxx_std_20)
  target_include_directories(
    ranksight_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_link_libraries(
    ranksight_${name}
    PUBLIC ${ARG_DEPENDS}
    PRIVATE ${ARG_PRIVATE} $<BUILD_INTERFACE:ranksight_warnings>)
  ranksight_compile_together(ranksight_${name})
  set_property(GLOBAL APPEND PROPERTY RANKSIGHT_LIBRARIES ranksight_${name})
endfunction()
