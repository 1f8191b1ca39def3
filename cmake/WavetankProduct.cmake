# The target `product`: the programs and shared libraries of src/ with all that they need, without
# tests, examples and benchmarks.

# wavetank_outputs(FOLDER RESULT): adds the programs and shared libraries of a folder and of those in
# it.
function(wavetank_outputs FOLDER RESULT)
  set(found ${${RESULT}})
  get_property(targets DIRECTORY "${FOLDER}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE" OR type STREQUAL "SHARED_LIBRARY")
      list(APPEND found ${target})
    endif()
  endforeach()
  get_property(folders DIRECTORY "${FOLDER}" PROPERTY SUBDIRECTORIES)
  foreach(folder IN LISTS folders)
    wavetank_outputs("${folder}" found)
  endforeach()
  set(${RESULT} ${found} PARENT_SCOPE)
endfunction()

set(outputs)
wavetank_outputs("${PROJECT_SOURCE_DIR}/src" outputs)
add_custom_target(product DEPENDS ${outputs})
