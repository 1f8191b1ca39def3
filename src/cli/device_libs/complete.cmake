# Makes our folder of device libraries (TO): the distribution's (FROM) as links, what they lack
# assembled from SOURCES, and ockl with its additions. Never writes through a link.
file(REMOVE_RECURSE "${TO}")
file(MAKE_DIRECTORY "${TO}")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(GLOB libraries "${FROM}/*.bc")
foreach(library IN LISTS libraries)
  get_filename_component(name "${library}" NAME)
  if(NOT name STREQUAL "ockl.bc")
    file(CREATE_LINK "${library}" "${TO}/${name}" SYMBOLIC)
  endif()
endforeach()

file(GLOB sources "${SOURCES}/oclc_*.ll")
foreach(source IN LISTS sources)
  get_filename_component(stem "${source}" NAME_WE)
  if(NOT EXISTS "${FROM}/${stem}.bc")
    run("${LLVM_AS}" "${source}" -o "${TO}/${stem}.bc")
  endif()
endforeach()

# As text: llvm-link drops functions that nothing in the module calls.
run("${LLVM_DIS}" "${FROM}/ockl.bc" -o "${TO}/ockl.ll")
file(READ "${TO}/ockl.ll" text)
if(NOT text MATCHES "define[^\n]*@__ockl_steadyctr_u64")
  file(READ "${SOURCES}/ockl_additions.ll" additions)
  file(APPEND "${TO}/ockl.ll" "${additions}")
endif()
run("${LLVM_AS}" "${TO}/ockl.ll" -o "${TO}/ockl.bc")
file(REMOVE "${TO}/ockl.ll")
