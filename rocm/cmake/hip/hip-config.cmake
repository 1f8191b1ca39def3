# find_package(hip) in `wavetank shell`: hip::amdhip64 and hip::host for programs that call the HIP
# API, hip::device for those whose C++ sources are HIP (compiled by clang or hipcc).
include("${CMAKE_CURRENT_LIST_DIR}/../wavetank-hip.cmake")
wavetank_hip_targets(hip CXX)

set(HIP_COMPILER clang)
set(HIP_RUNTIME rocclr)
set(HIP_PLATFORM amd)
set(hip_INCLUDE_DIR "${WAVETANK_HIP_PREFIX}/include")
set(hip_LIB_INSTALL_DIR "${WAVETANK_HIP_PREFIX}/lib")
set(hip_BIN_INSTALL_DIR "${WAVETANK_HIP_PREFIX}/bin")
set(hip_HIPCC_EXECUTABLE "${hip_BIN_INSTALL_DIR}/hipcc")
set(hip_HIPCONFIG_EXECUTABLE "${hip_BIN_INSTALL_DIR}/hipconfig")
set(hip_LIBRARIES hip::host hip::device)
foreach(name INCLUDE_DIR LIB_INSTALL_DIR BIN_INSTALL_DIR HIPCC_EXECUTABLE HIPCONFIG_EXECUTABLE LIBRARIES)
  set(HIP_${name} "${hip_${name}}")
endforeach()
set(hip_INCLUDE_DIRS "${hip_INCLUDE_DIR}")
set(HIP_INCLUDE_DIRS "${hip_INCLUDE_DIR}")
set(hip_LIBRARY "${hip_LIBRARIES}")
set(HIP_LIBRARY "${hip_LIBRARIES}")

# Without a choice of the project: the devices of the shell.
if(NOT GPU_TARGETS AND NOT AMDGPU_TARGETS)
  execute_process(COMMAND "${hip_BIN_INSTALL_DIR}/rocm_agent_enumerator" -t GPU
    OUTPUT_VARIABLE _hip_processors OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REPLACE "\n" ";" _hip_processors "${_hip_processors}")
  list(REMOVE_DUPLICATES _hip_processors)
  set(AMDGPU_TARGETS "${_hip_processors}" CACHE STRING "AMD GPU targets to compile for" FORCE)
endif()
set(GPU_TARGETS "${AMDGPU_TARGETS}" CACHE STRING "GPU targets to compile for")

get_target_property(_hip_options hip::device INTERFACE_COMPILE_OPTIONS)
if(NOT _hip_options)
  set(_hip_options "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-x hip>")
  foreach(_hip_processor IN LISTS GPU_TARGETS)
    list(APPEND _hip_options
      "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:--offload-arch=${_hip_processor}>")
    set_property(TARGET hip::device APPEND PROPERTY INTERFACE_LINK_OPTIONS
      "$<$<LINK_LANG_AND_ID:CXX,Clang>:--offload-arch=${_hip_processor}>")
  endforeach()
  set_target_properties(hip::device PROPERTIES INTERFACE_COMPILE_OPTIONS "${_hip_options}")
endif()
