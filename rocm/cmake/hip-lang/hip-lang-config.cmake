# What CMake's language HIP links into every target with HIP sources (CMakeHIPInformation.cmake).
include("${CMAKE_CURRENT_LIST_DIR}/../wavetank-hip.cmake")
wavetank_hip_targets(hip-lang HIP)
set(HIP_COMPILER clang)
set(HIP_RUNTIME rocclr)
set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET hip-lang::device)
