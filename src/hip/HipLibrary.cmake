# The three shared libraries libamdhip64.so.5, .so.6 and .so.7 from one core.
#
# abi/symbols.txt lists every symbol that AMD's libraries export. For each soname this writes a
# version script with AMD's nodes, and a weak stub for each symbol: where the core has the function
# its strong definition wins, elsewhere the stub names itself and returns hipErrorNotSupported.
include(WeakStubs)

set(wavetank_hip_symbols "${CMAKE_CURRENT_SOURCE_DIR}/abi/symbols.txt")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${wavetank_hip_symbols}")

# Reads the symbols of one soname: sets `nodes` (in order) and `symbols_of_NODE` in the caller.
function(wavetank_read_hip_symbols MAJOR)
  file(STRINGS "${wavetank_hip_symbols}" lines REGEX "^[0-9].* [5-7]*${MAJOR}[5-7]*$")
  set(nodes "")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^([0-9.]+) ([^ ]+) " _ "${line}")
    set(node "${CMAKE_MATCH_1}")
    list(APPEND nodes "${node}")
    list(APPEND "symbols_of_${node}" "${CMAKE_MATCH_2}")
    set("symbols_of_${node}" "${symbols_of_${node}}" PARENT_SCOPE)
  endforeach()
  list(REMOVE_DUPLICATES nodes)
  set(nodes "${nodes}" PARENT_SCOPE)
endfunction()

# wavetank_hip_library(MAJOR RUNTIME_VERSION ENGINE): the target wavetank_amdhip64_MAJOR, with the
# target ENGINE behind dispatch/engine.hpp.
function(wavetank_hip_library MAJOR RUNTIME_VERSION ENGINE)
  wavetank_read_hip_symbols(${MAJOR})
  set(script "")
  set(stubs "#include \"hip/api/stub.hpp\"\n\nextern \"C\" {\n")
  set(previous "")
  foreach(node IN LISTS nodes)
    string(APPEND script "hip_${node} {\n  global:\n")
    foreach(symbol IN LISTS "symbols_of_${node}")
      string(APPEND script "    ${symbol};\n")
      wavetank_append_stub(stubs wavetank::hip "${symbol}")
    endforeach()
    if(previous STREQUAL "")
      string(APPEND script "  local:\n    *;\n};\n")
    else()
      string(APPEND script "} ${previous};\n")
    endif()
    set(previous "hip_${node}")
  endforeach()
  string(APPEND stubs "}\n")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/so${MAJOR}")
  file(CONFIGURE OUTPUT "${folder}/symbols.map" CONTENT "${script}" @ONLY)
  file(CONFIGURE OUTPUT "${folder}/stubs.cpp" CONTENT "${stubs}" @ONLY)
  configure_file("${CMAKE_CURRENT_SOURCE_DIR}/soname.cpp.in" "${folder}/soname.cpp" @ONLY)

  add_library(wavetank_amdhip64_${MAJOR} SHARED "${folder}/stubs.cpp" "${folder}/soname.cpp")
  if(MAJOR LESS 7)  # since ROCm 7 hipRTC is only in libhiprtc.so
    target_sources(wavetank_amdhip64_${MAJOR} PRIVATE
      "${CMAKE_CURRENT_SOURCE_DIR}/rtc/rtc_api.cpp")
  endif()
  target_link_libraries(wavetank_amdhip64_${MAJOR} PRIVATE
    wavetank_options "$<LINK_LIBRARY:WHOLE_ARCHIVE,wavetank_hip_core>" ${ENGINE})
  target_link_options(wavetank_amdhip64_${MAJOR} PRIVATE
    "-Wl,--version-script=${folder}/symbols.map" "-Wl,-Bsymbolic" "-Wl,-z,defs" "-Wl,--gc-sections")
  set_target_properties(wavetank_amdhip64_${MAJOR} PROPERTIES
    OUTPUT_NAME amdhip64
    LIBRARY_OUTPUT_NAME amdhip64
    PREFIX lib SUFFIX ".so.${MAJOR}" NO_SONAME ON
    LINK_DEPENDS "${folder}/symbols.map"
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  target_link_options(wavetank_amdhip64_${MAJOR} PRIVATE "-Wl,-soname,libamdhip64.so.${MAJOR}")
  install(TARGETS wavetank_amdhip64_${MAJOR} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/wavetank")
endfunction()

# wavetank_hiprtc_library(MAJOR): the target wavetank_hiprtc_MAJOR, libhiprtc.so.MAJOR, whose symbols
# AMD does not version (clr/hipamd/src/hiprtc/hiprtc.map.in).
function(wavetank_hiprtc_library MAJOR)
  add_library(wavetank_hiprtc_${MAJOR} SHARED
    "${CMAKE_CURRENT_SOURCE_DIR}/rtc/rtc_api.cpp"
    "${CMAKE_CURRENT_BINARY_DIR}/so${MAJOR}/soname.cpp")
  set(script "${CMAKE_CURRENT_SOURCE_DIR}/rtc/hiprtc.map")
  target_link_libraries(wavetank_hiprtc_${MAJOR} PRIVATE wavetank_options wavetank_hiprtc)
  target_include_directories(wavetank_hiprtc_${MAJOR} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_options(wavetank_hiprtc_${MAJOR} PRIVATE
    "-Wl,--version-script=${script}" "-Wl,-Bsymbolic" "-Wl,-z,defs" "-Wl,--gc-sections"
    "-Wl,-soname,libhiprtc.so.${MAJOR}")
  set_target_properties(wavetank_hiprtc_${MAJOR} PROPERTIES
    LIBRARY_OUTPUT_NAME hiprtc
    PREFIX lib SUFFIX ".so.${MAJOR}" NO_SONAME ON
    LINK_DEPENDS "${script}"
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  install(TARGETS wavetank_hiprtc_${MAJOR} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/wavetank")
endfunction()
