# What find_package(hip) and CMake's language HIP share in a folder made by `wavetank shell`.
get_filename_component(WAVETANK_HIP_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

# wavetank_hip_targets(NAMESPACE LANGUAGE): imported targets NAMESPACE::amdhip64, ::host, ::device.
# LANGUAGE is the one that takes the compiler's options for HIP.
function(wavetank_hip_targets NAMESPACE LANGUAGE)
  if(TARGET ${NAMESPACE}::amdhip64)
    return()
  endif()
  # Old headers are repaired by others that stand before them.
  set(include "${WAVETANK_HIP_PREFIX}/include")
  if(EXISTS "${WAVETANK_HIP_PREFIX}/repaired")
    list(PREPEND include "${WAVETANK_HIP_PREFIX}/repaired")
  endif()
  add_library(${NAMESPACE}::amdhip64 SHARED IMPORTED)
  set_target_properties(${NAMESPACE}::amdhip64 PROPERTIES
    IMPORTED_LOCATION "${WAVETANK_HIP_PREFIX}/lib/libamdhip64.so"
    INTERFACE_INCLUDE_DIRECTORIES "${include}"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${include}")
  add_library(${NAMESPACE}::host INTERFACE IMPORTED)
  set_target_properties(${NAMESPACE}::host PROPERTIES
    INTERFACE_LINK_LIBRARIES ${NAMESPACE}::amdhip64
    INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_HCC__=1;__HIP_PLATFORM_AMD__=1")
  add_library(${NAMESPACE}::device INTERFACE IMPORTED)
  set_target_properties(${NAMESPACE}::device PROPERTIES
    INTERFACE_LINK_LIBRARIES ${NAMESPACE}::host
    INTERFACE_LINK_OPTIONS "$<$<LINK_LANG_AND_ID:${LANGUAGE},Clang>:--hip-link>")
endfunction()
