# strew_python_test(NAME SCRIPT ... [LABELS ...] [TIMEOUT s] [ENVIRONMENT ...]): a unittest script registered with CTest.
# Debian's own interpreter, because the scripts use Debian's python3-numpy.
find_program(STREW_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)

function(strew_python_test name script)
  cmake_parse_arguments(ARG "" "TIMEOUT" "LABELS;ENVIRONMENT" ${ARGN})
  if(NOT STREW_PYTHON)
    message(STATUS "strew: no /usr/bin/python3, so no test ${name}")
    return()
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  add_test(NAME ${name} COMMAND ${STREW_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/${script} -v)
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}"
    ENVIRONMENT "STREW_SHARED_DATA=${STREW_SHARED_DATA};STREW_SOURCE_DIR=${PROJECT_SOURCE_DIR};${ARG_ENVIRONMENT}")
endfunction()
