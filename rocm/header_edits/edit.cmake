# Writes to TO the headers of HIP 5.2 (FROM = its include folder) whose classes lack what HIP 6's have
# and no wrapper can give them, with it. Of other versions nothing is written.
file(REMOVE_RECURSE "${TO}")
file(MAKE_DIRECTORY "${TO}")
file(WRITE "${TO}/stamp" "")
if(NOT EXISTS "${FROM}/hip/hip_version.h")
  return()
endif()
file(STRINGS "${FROM}/hip/hip_version.h" version REGEX "^#define HIP_VERSION_M[AI][JN]OR ")
if(NOT "${version}" MATCHES "MAJOR 5;.*MINOR 2$")
  return()
endif()

# edit_header(NAME AFTER OLD NEW): the first OLD behind AFTER becomes NEW. Includes of neighbours are
# given their folder. Fails if the header has no such text.
function(edit_header NAME AFTER OLD NEW)
  file(READ "${FROM}/hip/amd_detail/${NAME}" text)
  string(FIND "${text}" "${AFTER}" start)
  if(start EQUAL -1)
    message(FATAL_ERROR "${NAME} of HIP 5.2 has no \"${AFTER}\"")
  endif()
  string(SUBSTRING "${text}" 0 ${start} head)
  string(SUBSTRING "${text}" ${start} -1 tail)
  string(FIND "${tail}" "${OLD}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${NAME} of HIP 5.2 has no \"${OLD}\" behind \"${AFTER}\"")
  endif()
  string(LENGTH "${OLD}" length)
  math(EXPR rest "${at} + ${length}")
  string(SUBSTRING "${tail}" 0 ${at} middle)
  string(SUBSTRING "${tail}" ${rest} -1 tail)
  set(text "${head}${middle}${NEW}${tail}")
  string(REGEX REPLACE "#include \"([a-z0-9_]+\\.h)\"" "#include <hip/amd_detail/\\1>" text "${text}")
  file(WRITE "${TO}/${NAME}" "${text}")
endfunction()

# half2::x is the bits of a half there, which converts to a half of another value.
edit_header(amd_hip_fp16.h "struct __half2 {"
  "unsigned short x;
                    unsigned short y;"
  "__half x;
                    __half y;")

# Tiles of a workgroup say which of how many they are.
edit_header(amd_hip_cooperative_groups.h "class thread_block_tile_base" " public:
"
  " public:
  __CG_STATIC_QUALIFIER__ unsigned int meta_group_rank() {
    return internal::workgroup::thread_rank() / numThreads;
  }
  __CG_STATIC_QUALIFIER__ unsigned int meta_group_size() {
    return (internal::workgroup::size() + numThreads - 1) / numThreads;
  }
")
