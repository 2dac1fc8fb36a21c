# strew_module(NAME SOURCES ... DEPENDS ... LINK ...): one object library per folder of lib/, seeing the public headers
# and the private headers of the modules it names, nothing else.
function(strew_target_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
                        CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # "literal" + std::string is reported as an overlapping copy: GCC bug 105651.
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  # Every decision must be the same bits on every compiler and ISA: no fused multiply-add, ever.
  target_compile_options(${target} PUBLIC $<BUILD_INTERFACE:-ffp-contract=off>)
endfunction()

function(strew_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  set(target strew_${name})
  add_library(${target} OBJECT ${ARG_SOURCES})
  strew_target_options(${target})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/include ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(dependency IN LISTS ARG_DEPENDS)
    target_include_directories(${target} PUBLIC
      $<TARGET_PROPERTY:strew_${dependency},INTERFACE_INCLUDE_DIRECTORIES>)
  endforeach()
  foreach(library IN LISTS ARG_LINK)
    target_link_libraries(${target} PUBLIC ${library})
  endforeach()
endfunction()

# strew_test(NAME SOURCES ... LINK ...): one GoogleTest program, registered with CTest as NAME. OPTIMISED: its own code
# computes for seconds; the others compile faster without.
function(strew_test name)
  cmake_parse_arguments(ARG "OPTIMISED" "TIMEOUT" "SOURCES;LINK;LABELS;INCLUDE" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  strew_target_options(${name})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support ${ARG_INCLUDE})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest_main)
  if(NOT ARG_OPTIMISED)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  add_test(NAME ${name} COMMAND ${name})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT}
    ENVIRONMENT "STREW_SHARED_DATA=${STREW_SHARED_DATA};STREW_SOURCE_DIR=${PROJECT_SOURCE_DIR}")
  if(ARG_LABELS)
    set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}")
  endif()
endfunction()

# strew_xsimd_units(TARGET PREFIX): PREFIX.cpp, which chooses, and one unit of xsimd per instruction set.
function(strew_xsimd_units target prefix)
  target_sources(${target} PRIVATE ${prefix}.cpp ${prefix}_sse4.cpp ${prefix}_avx2.cpp ${prefix}_avx512.cpp)
  target_compile_definitions(${target} PUBLIC STREW_XSIMD=1)
  target_include_directories(${target} SYSTEM PRIVATE ${STREW_XSIMD_INCLUDE})
  set_source_files_properties(${prefix}_sse4.cpp PROPERTIES COMPILE_OPTIONS "-msse4.1")
  set_source_files_properties(${prefix}_avx2.cpp PROPERTIES COMPILE_OPTIONS "-mavx2")
  set(flags -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512cd)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND flags -Wno-maybe-uninitialized -Wno-uninitialized)  # in the compiler's own header: GCC bug 105593
  endif()
  set_source_files_properties(${prefix}_avx512.cpp PROPERTIES COMPILE_OPTIONS "${flags}")
endfunction()
