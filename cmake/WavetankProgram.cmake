# HIP programs compiled by the built `wavetank cc`, and tests that run them on the four devices.

set(WAVETANK_TARGETS gfx90a gfx942)
set(WAVETANK_DEVICES_gfx90a mi210 mi250x)
set(WAVETANK_DEVICES_gfx942 mi300x mi300a)

# wavetank_hip_program(NAME [ALL] SOURCE file OUTPUT stem [FLAGS flag...] [DEPENDS file...])
#
# Custom targets NAME_gfx90a and NAME_gfx942 that make <binary dir>/<target>/stem. The command is
# an order-only dependency: a new wavetank does not compile every program again. Sets
# WAVETANK_PROGRAM_NAME_<target> in the caller to the path of the program.
function(wavetank_hip_program NAME)
  cmake_parse_arguments(ARG "ALL" "SOURCE;OUTPUT" "FLAGS;DEPENDS" ${ARGN})
  set(all "")
  if(ARG_ALL)
    set(all ALL)
  endif()
  foreach(target ${WAVETANK_TARGETS})
    set(program "${CMAKE_CURRENT_BINARY_DIR}/${target}/${ARG_OUTPUT}")
    file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${target}")
    add_custom_command(OUTPUT "${program}"
      COMMAND $<TARGET_FILE:wavetank> cc --offload-arch=${target} ${ARG_FLAGS}
        "${CMAKE_CURRENT_SOURCE_DIR}/${ARG_SOURCE}" -o "${program}"
      MAIN_DEPENDENCY "${CMAKE_CURRENT_SOURCE_DIR}/${ARG_SOURCE}"
      DEPENDS ${ARG_DEPENDS}
      COMMENT "Compiling ${ARG_SOURCE} for ${target}" VERBATIM)
    add_custom_target(${NAME}_${target} ${all} DEPENDS "${program}")
    add_dependencies(${NAME}_${target} wavetank)
    if(TARGET wavetank_amdhip64)
      add_dependencies(${NAME}_${target} wavetank_amdhip64)
    endif()
    set(WAVETANK_PROGRAM_${NAME}_${target} "${program}" PARENT_SCOPE)
  endforeach()
endfunction()

# wavetank_device_tests(NAME LABELS label... [ARGS arg...] [DEVICES device...]
#                       [PASS_REGULAR_EXPRESSION regex])
#
# One ctest entry NAME_<device> for each device: `wavetank run --device DEVICE program args`.
function(wavetank_device_tests NAME)
  cmake_parse_arguments(ARG "" "PASS_REGULAR_EXPRESSION" "LABELS;ARGS;DEVICES" ${ARGN})
  foreach(target ${WAVETANK_TARGETS})
    foreach(device ${WAVETANK_DEVICES_${target}})
      if(ARG_DEVICES AND NOT device IN_LIST ARG_DEVICES)
        continue()
      endif()
      add_test(NAME ${NAME}_${device} COMMAND wavetank run --device ${device}
        "${WAVETANK_PROGRAM_${NAME}_${target}}" ${ARG_ARGS})
      set_tests_properties(${NAME}_${device} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 120)
      if(ARG_PASS_REGULAR_EXPRESSION)
        set_tests_properties(${NAME}_${device} PROPERTIES
          PASS_REGULAR_EXPRESSION "${ARG_PASS_REGULAR_EXPRESSION}")
      endif()
    endforeach()
  endforeach()
endfunction()
