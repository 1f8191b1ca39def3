# HIP's headers, parsed once for all HIP programs of the build: more than half of the time that
# compiling a small one takes (docs/decisions/0014).
#
# clang looks in the folder beside an included header, NAME.pch, for the one of its files that was made
# for the processor and the options at hand, and refuses to go on without one: the host and each
# processor have theirs there. C++20 comes with modules, whose rule of one definition HIP's headers
# break: some functions have one for the host and one for the device.
include_guard(GLOBAL)

set(hip_headers <algorithm> <cmath> <cstdint> <cstdio> <cstdlib> <cstring> <string> <vector>
  <hip/hip_runtime.h>)
list(TRANSFORM hip_headers PREPEND "#include ")
list(JOIN hip_headers "\n" hip_headers)

# wavetank_precompile_hip(STANDARD TARGET...): the target hip_headers_STANDARD, for the host and TARGETs.
function(wavetank_precompile_hip STANDARD)
  set(header "${PROJECT_BINARY_DIR}/hip_headers/cpp${STANDARD}.hip")
  file(CONFIGURE OUTPUT "${header}" CONTENT "${hip_headers}\n")
  file(MAKE_DIRECTORY "${header}.pch")
  set(made "")
  foreach(side host ${ARGN})
    set(flags --cuda-host-only)
    if(NOT side STREQUAL "host")
      set(flags --cuda-device-only --offload-arch=${side})
    endif()
    set(output "${header}.pch/${side}")
    # With -S the driver does not go on to link what is no object.
    add_custom_command(OUTPUT "${output}"
      COMMAND $<TARGET_FILE:wavetank> cc -std=c++${STANDARD} -Xclang -fno-cxx-modules -O3 ${flags}
        -S -Xclang -emit-pch -MD -MF "${header}.${side}.d" -MT "${output}" "${header}" -o "${output}"
      DEPENDS "${header}" DEPFILE "${header}.${side}.d"
      COMMENT "Precompiling HIP's headers by C++${STANDARD} for ${side}" VERBATIM)
    list(APPEND made "${output}")
  endforeach()
  add_custom_target(hip_headers_${STANDARD} DEPENDS ${made})
  add_dependencies(hip_headers_${STANDARD} wavetank)
endfunction()

# wavetank_precompiled_hip(HEADERS TARGET flag...): what is added to the flags of a program that is
# compiled with -O1 or above, and the target that it depends on. Both are empty if a flag may change
# what the headers say, or if they are not precompiled for its C++ standard.
function(wavetank_precompiled_hip HEADERS TARGET)
  set(${HEADERS} "" PARENT_SCOPE)
  set(${TARGET} "" PARENT_SCOPE)
  string(REGEX REPLACE ".*-std=c[+][+]([0-9]+).*" "\\1" standard "${ARGN}")
  set(target hip_headers_${standard})
  if(TARGET ${target} AND NOT "${ARGN}" MATCHES "(^|;)-[Dfm]")
    set(${HEADERS} -Xclang -fno-cxx-modules
      -include "${PROJECT_BINARY_DIR}/hip_headers/cpp${standard}.hip" PARENT_SCOPE)
    set(${TARGET} ${target} PARENT_SCOPE)
  endif()
endfunction()

wavetank_precompile_hip(17 ${WAVETANK_TARGETS})
wavetank_precompile_hip(20 ${WAVETANK_TARGETS})
