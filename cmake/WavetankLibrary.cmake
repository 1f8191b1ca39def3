# wavetank_library(NAME SOURCES file... [DEPENDS target...] [PRIVATE target...] [ALONE file...])
#
# One folder of src/ is one static library `wavetank_NAME`. DEPENDS names what its headers need,
# PRIVATE what only its sources need, ALONE those of which each is compiled by itself. Includes are written from src/:
# #include "base/error.hpp".
function(wavetank_library NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PRIVATE;ALONE" ${ARGN})
  add_library(wavetank_${NAME} STATIC ${ARG_SOURCES})
  target_include_directories(wavetank_${NAME} PUBLIC "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(wavetank_${NAME}
    PUBLIC ${ARG_DEPENDS} PRIVATE wavetank_options ${ARG_PRIVATE})
  wavetank_precompile(wavetank_${NAME} library)
  wavetank_compile_together(wavetank_${NAME} ${ARG_ALONE})
endfunction()
