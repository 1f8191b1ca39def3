# The processors and devices that programs are built and tested for, from where they are defined.

# The built-in devices, in the order they are listed (devices/NAME.toml).
set(WAVETANK_DEVICES mi210 mi250x mi300x mi300a)

# WAVETANK_TARGETS: the processors of src/isa/target.hpp, oldest first.
set(target_rows "${PROJECT_SOURCE_DIR}/src/isa/target.hpp")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${target_rows}")
file(STRINGS "${target_rows}" WAVETANK_TARGETS REGEX "^ +[.]name = \"")
list(TRANSFORM WAVETANK_TARGETS REPLACE ".*\"(.*)\".*" "\\1")

# WAVETANK_DEVICES_<target>: the devices of each.
foreach(device ${WAVETANK_DEVICES})
  set(description "${PROJECT_SOURCE_DIR}/devices/${device}.toml")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${description}")
  file(STRINGS "${description}" target REGEX "^gfx = ")
  string(REGEX REPLACE ".*\"(.*)\".*" "\\1" target "${target}")
  list(APPEND WAVETANK_DEVICES_${target} ${device})
endforeach()
