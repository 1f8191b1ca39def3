# Turns text files into a C++ table, so that the program needs none of them at run time.
#
# As a script:  cmake -DOUTPUT=x.cpp -DNAMESPACE=a::b -DNAME=f -DINPUTS=one|two -P EmbedText.cmake
# writes  std::span<const base::EmbeddedFile> a::b::f(), one entry per file, named by its stem; without
# files an empty one.
# As a module:  wavetank_embed_text(OUTPUT NAMESPACE NAME FILES...)  adds that command to the build.
if(CMAKE_SCRIPT_MODE_FILE)
  string(REPLACE "|" ";" files "${INPUTS}")
  set(entries "")
  foreach(file IN LISTS files)
    file(READ "${file}" text)
    get_filename_component(stem "${file}" NAME_WLE)
    # A compiler may limit one literal to 64 KB; pieces are joined by the compiler. The suffix gives
    # their length, which a constant expression could not count for a long text.
    string(LENGTH "${text}" length)
    set(literal "")
    set(offset 0)
    while(offset LESS length)
      string(SUBSTRING "${text}" ${offset} 8000 piece)
      string(APPEND literal "R\"__TEXT__(${piece})__TEXT__\"\n")
      math(EXPR offset "${offset} + 8000")
    endwhile()
    string(APPEND entries "    {\"${stem}\",\n${literal}\"\"sv},\n")
  endforeach()
  set(table "namespace {
using namespace std::literals;
constexpr wavetank::EmbeddedFile kFiles[] = {
${entries}};
}  // namespace
")
  set(result kFiles)
  if(NOT files)
    set(table "")
    set(result "{}")
  endif()
  file(WRITE "${OUTPUT}" "#include \"base/embedded_file.hpp\"

namespace ${NAMESPACE} {
${table}std::span<const wavetank::EmbeddedFile> ${NAME}() { return ${result}; }
}  // namespace ${NAMESPACE}
")
  return()
endif()

set(WAVETANK_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")
function(wavetank_embed_text OUTPUT NAMESPACE NAME)
  string(REPLACE ";" "|" inputs "${ARGN}")
  add_custom_command(OUTPUT "${OUTPUT}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${OUTPUT}" "-DNAMESPACE=${NAMESPACE}" "-DNAME=${NAME}"
            "-DINPUTS=${inputs}" -P "${WAVETANK_EMBED_SCRIPT}"
    DEPENDS ${ARGN} "${WAVETANK_EMBED_SCRIPT}" VERBATIM)
  # All of them call their table by the same name.
  set_source_files_properties("${OUTPUT}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
