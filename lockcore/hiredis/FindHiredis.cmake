# Hiredis::Hiredis, for hiredis 0.14 (which ships no CMake package) and 1.x alike.
find_path(HIREDIS_INCLUDE_DIR hiredis/hiredis.h)
find_library(HIREDIS_LIBRARY hiredis)
if(HIREDIS_INCLUDE_DIR)
  file(STRINGS ${HIREDIS_INCLUDE_DIR}/hiredis/hiredis.h version_lines
    REGEX "^#define HIREDIS_(MAJOR|MINOR|PATCH) ")
  string(REGEX REPLACE "[^0-9;]" "" version_numbers "${version_lines}")
  string(REPLACE ";" "." HIREDIS_VERSION "${version_numbers}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Hiredis
  REQUIRED_VARS HIREDIS_LIBRARY HIREDIS_INCLUDE_DIR VERSION_VAR HIREDIS_VERSION)
if(Hiredis_FOUND AND NOT TARGET Hiredis::Hiredis)
  add_library(Hiredis::Hiredis UNKNOWN IMPORTED)
  set_target_properties(Hiredis::Hiredis PROPERTIES IMPORTED_LOCATION ${HIREDIS_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${HIREDIS_INCLUDE_DIR}
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${HIREDIS_INCLUDE_DIR})
endif()
mark_as_advanced(HIREDIS_INCLUDE_DIR HIREDIS_LIBRARY)
