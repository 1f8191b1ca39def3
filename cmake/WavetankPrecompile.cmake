# Headers from outside the project, parsed once for many sources: a third of a clean build's time.
#
# wavetank_precompile(TARGET GROUP) gives TARGET the headers of GROUP:
#   library   the standard library, fmt and tl::expected, for the static libraries of src/ and of tests
#   vector    those of the vector handlers
#   test      GoogleTest and the standard library
# wavetank_compile_together(TARGET [ALONE...]) compiles its sources eight at a time, so that what they
# include of the project is parsed once too. ALONE are left out: they have private names that others have.
# The first target of a group with given compile options and of a given type owns the precompiled header,
# later ones reuse it. Every source still includes what it uses: the sanitize and gcc presets build without both
# (docs/decisions/0014).
option(WAVETANK_PRECOMPILE "Precompile headers from outside the project (clang only)" ON)
# Sanitizers' flags differ from target to target.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR WAVETANK_SANITIZE OR WAVETANK_FUZZ)
  set(WAVETANK_PRECOMPILE OFF)
endif()

set(WAVETANK_HEADERS_library
  <algorithm> <array> <atomic> <bit> <chrono> <cmath> <condition_variable> <cstddef> <cstdint> <cstring>
  <deque> <filesystem> <fstream> <functional> <limits> <map> <memory> <mutex> <optional> <set> <span>
  <sstream> <string> <string_view> <thread> <unordered_map> <utility> <variant> <vector> <fmt/format.h>
  <nlohmann/json.hpp> <tl/expected.hpp>)
set(WAVETANK_HEADERS_vector
  <algorithm> <array> <bit> <cmath> <cstddef> <cstdint> <cstring> <limits> <memory> <span> <string>
  <string_view> <tuple> <type_traits> <vector> <hwy/highway.h>)
set(WAVETANK_HEADERS_test ${WAVETANK_HEADERS_library} <random> <gmock/gmock.h> <gtest/gtest.h>)

function(wavetank_precompile TARGET GROUP)
  if(NOT WAVETANK_PRECOMPILE)
    return()
  endif()
  get_target_property(options ${TARGET} COMPILE_OPTIONS)
  # Programs are position independent in another way than libraries.
  get_target_property(type ${TARGET} TYPE)
  # Objects are so in the way of libraries.
  string(REPLACE OBJECT_LIBRARY STATIC_LIBRARY type "${type}")
  string(MD5 options "${options};${type}")
  set(owner_property WAVETANK_PRECOMPILED_${GROUP}_${options})
  get_property(owner GLOBAL PROPERTY ${owner_property})
  # Templates of the headers are instantiated in the precompiled one, not in each source.
  # ccache can only tell one precompiled header from another if it holds no time of day.
  target_compile_options(${TARGET} PRIVATE "SHELL:-Xclang -fno-pch-timestamp -fpch-instantiate-templates")
  if(owner)
    target_precompile_headers(${TARGET} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${TARGET} PRIVATE ${WAVETANK_HEADERS_${GROUP}})
    set_property(GLOBAL PROPERTY ${owner_property} ${TARGET})
  endif()
endfunction()

function(wavetank_compile_together TARGET)
  set_target_properties(${TARGET} PROPERTIES
    UNITY_BUILD ${WAVETANK_PRECOMPILE} UNITY_BUILD_BATCH_SIZE 8)
  if(ARGN)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()
