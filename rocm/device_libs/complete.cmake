# Makes our folder of device libraries (TO): the distribution's (FROM) as links, what they lack
# assembled from SOURCES, and ockl and ocml with their additions. Never writes through a link.
file(REMOVE_RECURSE "${TO}")
file(MAKE_DIRECTORY "${TO}")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(GLOB libraries "${FROM}/*.bc")
foreach(library IN LISTS libraries)
  get_filename_component(name "${library}" NAME)
  if(NOT name MATCHES "^(ockl|ocml)\\.bc$")
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
# What newer headers and compilers call and ockl of rocm-device-libs 5.2.3 lacks: a file is named
# after its function.
file(GLOB additions "${SOURCES}/ockl/*.ll")
foreach(addition IN LISTS additions)
  get_filename_component(function "${addition}" NAME_WE)
  if(NOT text MATCHES "define[^\n]*@${function}\\(")
    file(READ "${addition}" definition)
    file(APPEND "${TO}/ockl.ll" "${definition}")
  endif()
endforeach()
run("${LLVM_AS}" "${TO}/ockl.ll" -o "${TO}/ockl.bc")
file(REMOVE "${TO}/ockl.ll")

# llvm-link keeps functions that may not be dropped.
run("${LLVM_DIS}" "${FROM}/ocml.bc" -o "${TO}/ocml.ll")
file(READ "${TO}/ocml.ll" text)
if(text MATCHES "define[^\n]*@__ocml_cvtrtn_f32_f64")
  file(CREATE_LINK "${FROM}/ocml.bc" "${TO}/ocml.bc" SYMBOLIC)
else()
  string(REPLACE "define linkonce_odr" "define weak_odr" text "${text}")
  file(WRITE "${TO}/ocml.ll" "${text}")
  run("${DEVICE_CLANG}" -x c --target=amdgcn-amd-amdhsa -O2 -nogpulib -fvisibility=hidden -emit-llvm -c
    -Xclang -mcode-object-version=none "${SOURCES}/ocml_additions.c" -o "${TO}/ocml_additions.bc")
  run("${LLVM_LINK}" "${TO}/ocml.ll" "${TO}/ocml_additions.bc" -o "${TO}/ocml.bc")
  file(REMOVE "${TO}/ocml_additions.bc")
endif()
file(REMOVE "${TO}/ocml.ll")
