# Installs headers, libraries, the CMake package (find_package(strew COMPONENTS world io)) and strew.pc.
# One export set per library, so that a consumer of the core never looks for the dependencies of the others.
include(CMakePackageConfigHelpers)
set(STREW_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/strew)

function(strew_install_library target export)
  install(TARGETS ${target} EXPORT ${export} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT ${export} NAMESPACE strew:: DESTINATION ${STREW_PACKAGE_DIR})
endfunction()

set(STREW_HEADERS_LEFT_OUT "")
strew_install_library(strew strewTargets)
if(TARGET strew_world_lib)
  strew_install_library(strew_world_lib strewWorldTargets)
else()
  list(APPEND STREW_HEADERS_LEFT_OUT PATTERN world EXCLUDE)
endif()
if(TARGET strew_io_lib)
  strew_install_library(strew_io_lib strewIoTargets)
else()
  list(APPEND STREW_HEADERS_LEFT_OUT PATTERN io EXCLUDE)
endif()
if(TARGET strew_navigation_lib)
  strew_install_library(strew_navigation_lib strewNavigationTargets)
else()
  list(APPEND STREW_HEADERS_LEFT_OUT PATTERN navigation_recast.hpp EXCLUDE)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/strew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        ${STREW_HEADERS_LEFT_OUT})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/strewConfig.cmake.in
  ${PROJECT_BINARY_DIR}/strewConfig.cmake INSTALL_DESTINATION ${STREW_PACKAGE_DIR})
# Output may change with any minor version before 1.0: a consumer of 0.1 is not served by 0.2.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/strewConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/strewConfig.cmake ${PROJECT_BINARY_DIR}/strewConfigVersion.cmake
        DESTINATION ${STREW_PACKAGE_DIR})

set(STREW_PC_REQUIRES "")
if(STREW_WITH_TBB)
  string(APPEND STREW_PC_REQUIRES " tbb")
endif()
if(NOT STREW_SCALAR)
  string(APPEND STREW_PC_REQUIRES " libhwy")
endif()
string(STRIP "${STREW_PC_REQUIRES}" STREW_PC_REQUIRES)
# Relative to the file itself, so that an installed tree can be moved.
file(RELATIVE_PATH STREW_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/strew.pc.in ${PROJECT_BINARY_DIR}/strew.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/strew.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
