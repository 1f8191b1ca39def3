# librocm_smi64.so.1 and .so.7 from one core: every symbol of abi/symbols.txt, unversioned as in AMD's
# libraries; functions that the core lacks are stubs.
include(WeakStubs)

set(wavetank_smi_symbols "${CMAKE_CURRENT_SOURCE_DIR}/abi/symbols.txt")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${wavetank_smi_symbols}")

# wavetank_smi_library(SONAME LAYOUT): the target wavetank_rocm_smi_SONAME for the header LAYOUT of
# smi/abi/generation.hpp.
function(wavetank_smi_library SONAME LAYOUT)
  file(STRINGS "${wavetank_smi_symbols}" lines REGEX "^rsmi_.* [17]*${SONAME}[17]*$")
  set(script "{\n  global:\n")
  set(stubs "#include \"smi/abi/generation.hpp\"\n#include \"smi/stub.hpp\"\n
const wavetank::smi::abi::Generation wavetank::smi::abi::generation{Layout::${LAYOUT}};\n
extern \"C\" {\n")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE " .*" "" symbol "${line}")
    string(APPEND script "    ${symbol};\n")
    wavetank_append_stub(stubs wavetank::smi "${symbol}")
  endforeach()
  string(APPEND script "  local:\n    *;\n};\n")
  string(APPEND stubs "}\n")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/so${SONAME}")
  file(CONFIGURE OUTPUT "${folder}/symbols.map" CONTENT "${script}" @ONLY)
  file(CONFIGURE OUTPUT "${folder}/stubs.cpp" CONTENT "${stubs}" @ONLY)

  set(target wavetank_rocm_smi_${SONAME})
  add_library(${target} SHARED "${folder}/stubs.cpp")
  target_link_libraries(${target} PRIVATE
    wavetank_options "$<LINK_LIBRARY:WHOLE_ARCHIVE,wavetank_smi>")
  target_link_options(${target} PRIVATE
    "-Wl,--version-script=${folder}/symbols.map" "-Wl,-Bsymbolic" "-Wl,-z,defs"
    "-Wl,--gc-sections" "-Wl,-soname,librocm_smi64.so.${SONAME}")
  set_target_properties(${target} PROPERTIES
    LIBRARY_OUTPUT_NAME rocm_smi64 PREFIX lib SUFFIX ".so.${SONAME}" NO_SONAME ON
    LINK_DEPENDS "${folder}/symbols.map" LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  install(TARGETS ${target} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/wavetank")
endfunction()
