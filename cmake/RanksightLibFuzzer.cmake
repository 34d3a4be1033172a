# The fuzz targets of tests/fuzz with clang's own engine.
foreach(name decode_fuzz)
  add_executable(${name}_libfuzzer tests/fuzz/${name}.cc)
  target_link_options(${name}_libfuzzer PRIVATE -fsanitize=fuzzer)
  target_link_libraries(${name}_libfuzzer PRIVATE ranksight::reduction
                                                  ranksight_warnings)
endforeach()
