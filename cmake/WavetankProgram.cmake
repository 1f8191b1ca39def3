# HIP programs compiled by the built `wavetank cc`, and tests that run them on all devices.

find_package(Python3 REQUIRED COMPONENTS Interpreter)
include(WavetankHipHeaders)

# wavetank_hip_program(NAME [ALL] [FAT] SOURCE file OUTPUT stem [FLAGS flag...] [DEPENDS file...])
#
# Custom targets NAME_<target> that make <binary dir>/<target>/stem; if FAT, one NAME_fat that makes
# <binary dir>/fat/stem with code for all targets, in less time than one for each. The command and
# the runtime it links are order-only dependencies: a new wavetank does not compile every program
# again. Sets WAVETANK_PROGRAM_NAME_<target>, or _fat, in the caller to the path of the program.
function(wavetank_hip_program NAME)
  cmake_parse_arguments(ARG "ALL;FAT" "SOURCE;OUTPUT" "FLAGS;DEPENDS" ${ARGN})
  set(all "")
  if(ARG_ALL)
    set(all ALL)
  endif()
  wavetank_precompiled_hip(headers headers_target ${ARG_FLAGS})
  set(programs ${WAVETANK_TARGETS})
  if(ARG_FAT)
    set(programs fat)
  endif()
  foreach(target ${programs})
    set(architectures ${target})
    if(ARG_FAT)
      set(architectures ${WAVETANK_TARGETS})
    endif()
    list(TRANSFORM architectures PREPEND --offload-arch=)
    set(program "${CMAKE_CURRENT_BINARY_DIR}/${target}/${ARG_OUTPUT}")
    file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${target}")
    add_custom_command(OUTPUT "${program}"
      COMMAND $<TARGET_FILE:wavetank> cc ${architectures} ${headers} ${ARG_FLAGS}
        "${CMAKE_CURRENT_SOURCE_DIR}/${ARG_SOURCE}" -o "${program}"
      MAIN_DEPENDENCY "${CMAKE_CURRENT_SOURCE_DIR}/${ARG_SOURCE}"
      DEPENDS ${ARG_DEPENDS}
      COMMENT "Compiling ${ARG_SOURCE} for ${target}" VERBATIM)
    add_custom_target(${NAME}_${target} ${all} DEPENDS "${program}")
    add_dependencies(${NAME}_${target} wavetank ${headers_target})
    foreach(library amdhip64_5 amdhip64_6 amdhip64_7 hiprtc_5 hiprtc_6 hiprtc_7)
      if(TARGET wavetank_${library})
        add_dependencies(${NAME}_${target} wavetank_${library})
      endif()
    endforeach()
    set(WAVETANK_PROGRAM_${NAME}_${target} "${program}" PARENT_SCOPE)
  endforeach()
endfunction()

# wavetank_device_tests(NAME LABELS label... [SUFFIX text] [COMMAND word] [ARGS arg...]
#                       [DEVICES device...] [TRANSCRIPT file] [ENVIRONMENT name=value...])
#
# One ctest entry NAME<SUFFIX>_<device> for each device: `wavetank COMMAND --device DEVICE program
# ARGS` (COMMAND is run unless another is named), compared with TRANSCRIPT
# (tests/programs/expect.py); without one it must print PASS and exit 0. {folder} in ARGS is
# <binary dir>/<target>.
function(wavetank_device_tests NAME)
  cmake_parse_arguments(ARG "" "COMMAND;TRANSCRIPT;SUFFIX" "LABELS;ARGS;DEVICES;ENVIRONMENT" ${ARGN})
  set(expect "${PROJECT_SOURCE_DIR}/tests/programs/expect.py")
  set(transcript "${PROJECT_SOURCE_DIR}/tests/programs/pass.expected")
  if(ARG_TRANSCRIPT)
    set(transcript "${CMAKE_CURRENT_SOURCE_DIR}/${ARG_TRANSCRIPT}")
  endif()
  if(NOT ARG_COMMAND)
    set(ARG_COMMAND run)
  endif()
  foreach(target ${WAVETANK_TARGETS})
    set(program "${WAVETANK_PROGRAM_${NAME}_fat}")
    if(NOT program)
      set(program "${WAVETANK_PROGRAM_${NAME}_${target}}")
    endif()
    string(REPLACE "{folder}" "${CMAKE_CURRENT_BINARY_DIR}/${target}" arguments "${ARG_ARGS}")
    foreach(device ${WAVETANK_DEVICES_${target}})
      if(ARG_DEVICES AND NOT device IN_LIST ARG_DEVICES)
        continue()
      endif()
      set(test ${NAME}${ARG_SUFFIX}_${device})
      add_test(NAME ${test} COMMAND "${Python3_EXECUTABLE}" "${expect}" "${transcript}" --
        $<TARGET_FILE:wavetank> ${ARG_COMMAND} --device ${device} "${program}" ${arguments})
      set_tests_properties(${test} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 120
        ENVIRONMENT "${ARG_ENVIRONMENT}")
    endforeach()
  endforeach()
endfunction()
