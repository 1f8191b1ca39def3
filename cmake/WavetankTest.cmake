# wavetank_test(NAME [COMPUTES] SOURCES file... LINK target... [LABELS label...] [TIMEOUT seconds]
#               [ALONE file...])
#
# A GoogleTest program `test_NAME`, one ctest entry per program. Its folder is a label: `ctest -L
# execute` runs what tests/unit/execute holds. Tests are compiled without optimisation, which takes
# less than half of the time, unless they compute a lot themselves; those inline less than usual.
find_package(GTest REQUIRED)
enable_testing()

# What a test frees it takes again: those that make and drop a machine for each of their cases touched
# new pages each time, which took nearly all of memory_vectors' time in a virtual machine.
function(wavetank_keeps_freed_memory NAME)
  set_tests_properties(${NAME} PROPERTIES ENVIRONMENT_MODIFICATION "GLIBC_TUNABLES=set:\
glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=1073741824")
endfunction()

function(wavetank_test NAME)
  cmake_parse_arguments(ARG "COMPUTES" "TIMEOUT" "SOURCES;LINK;LABELS;ALONE" ${ARGN})
  add_executable(test_${NAME} ${ARG_SOURCES})
  target_link_libraries(test_${NAME} PRIVATE
    ${ARG_LINK} wavetank_options GTest::gtest GTest::gmock GTest::gtest_main)
  target_include_directories(test_${NAME} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  if(NOT ARG_COMPUTES AND NOT WAVETANK_SANITIZE)
    target_compile_options(test_${NAME} PRIVATE -O0)
  endif()
  wavetank_precompile(test_${NAME} test)
  wavetank_inline_less(test_${NAME})
  wavetank_compile_together(test_${NAME} ${ARG_ALONE})
  add_test(NAME ${NAME} COMMAND test_${NAME})
  get_filename_component(folder "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
  set_tests_properties(${NAME} PROPERTIES LABELS "${folder};${ARG_LABELS}")
  wavetank_keeps_freed_memory(${NAME})
  if(ARG_TIMEOUT)
    set_tests_properties(${NAME} PROPERTIES TIMEOUT ${ARG_TIMEOUT})
  endif()
endfunction()
