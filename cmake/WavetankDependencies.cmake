# Debian packages the project builds on; nothing is downloaded at configure time.
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tl-expected REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
# Only its headers are used; its library would measure the timer at every start, which takes 3 ms.
pkg_check_modules(hwy REQUIRED libhwy)
add_library(hwy_headers INTERFACE)
target_include_directories(hwy_headers SYSTEM INTERFACE ${hwy_INCLUDE_DIRS})
target_compile_options(hwy_headers INTERFACE ${hwy_CFLAGS_OTHER})
find_package(xbyak REQUIRED)
# The archive: one job file needs it, and every start of the tool would load the shared library.
find_library(WAVETANK_YAML_CPP libyaml-cpp.a REQUIRED)
