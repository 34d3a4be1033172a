# PkgConfig::httplib, by its pkg-config file where a distribution made one, else
# by the CMake files that its own installation leaves, as Spack and EasyBuild
# have it. Needs PkgConfig.
pkg_check_modules(httplib QUIET IMPORTED_TARGET cpp-httplib)
if(NOT TARGET PkgConfig::httplib)
  # Else it reads as if the files had said so.
  unset(httplib_FOUND)
  unset(httplib_FOUND CACHE)
  find_package(httplib REQUIRED)
  add_library(PkgConfig::httplib INTERFACE IMPORTED)
  target_link_libraries(PkgConfig::httplib INTERFACE httplib::httplib)
endif()
