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
  set_property(GLOBAL APPEND PROPERTY RANKSIGHT_LIBRARIES ranksight_${name})
endfunction()
