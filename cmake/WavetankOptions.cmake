# Build-wide settings. Every target of the project gets them through wavetank_options.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(WAVETANK_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(WAVETANK_WERROR "Treat warnings as errors" OFF)
option(WAVETANK_BUILD_EXAMPLES "Compile the HIP example programs" ON)
option(WAVETANK_BUILD_BENCHMARKS "Build the benchmarks" ON)
option(WAVETANK_FUZZ "Build the libFuzzer targets (clang only)" OFF)

# What every host has: SSE4.2, and counting bits in one instruction. Options of a target come behind.
set(WAVETANK_BASELINE -march=x86-64-v2)
string(APPEND CMAKE_CXX_FLAGS " ${WAVETANK_BASELINE}")
add_library(wavetank_options INTERFACE)
# GPU arithmetic is defined bit by bit, so the host compiler may not contract or reorder it.
target_compile_options(wavetank_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wno-unused-parameter -ffp-contract=off -fno-math-errno)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Bodies of rows are for lazy operands, too, which have no && and ||.
  target_compile_options(wavetank_options INTERFACE
    -Wno-c99-extensions -Wno-bitwise-instead-of-logical)
  # HIP programs are linked by it, too; it takes half of the time that GNU ld takes.
  target_link_options(wavetank_options INTERFACE -fuse-ld=lld)
else()
  # Unique symbols clash where objects are linked into one before the last link (execute).
  target_compile_options(wavetank_options INTERFACE -fno-gnu-unique)
endif()

# Lets more functions be inlined in a target whose small ones do so little that a call costs more
# (docs/performance.md). gcc has no such option.
function(wavetank_inline_more TARGET)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${TARGET} PRIVATE -mllvm -inline-threshold=3000)
  endif()
endfunction()

# Lets only the smallest functions be inlined in a test: up to a third less time to compile.
function(wavetank_inline_less TARGET)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${TARGET} PRIVATE -mllvm -inline-threshold=25)
  endif()
endfunction()

if(WAVETANK_WERROR)
  target_compile_options(wavetank_options INTERFACE -Werror)
endif()
if(WAVETANK_SANITIZE)
  target_compile_options(wavetank_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # The callbacks of HIP programs have HIP's types, which clang's check of function types cannot
    # know to be those that the runtime calls. Programs hand over any number as an enumerator of HIP.
    target_compile_options(wavetank_options INTERFACE -fno-sanitize=function,enum)
  endif()
  target_link_options(wavetank_options INTERFACE -fsanitize=address,undefined)
endif()

find_program(WAVETANK_CCACHE ccache)
if(WAVETANK_CCACHE)
  # What ccache has to overlook to take precompiled headers; nothing here uses __DATE__ or __TIME__.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${WAVETANK_CCACHE}")
endif()
