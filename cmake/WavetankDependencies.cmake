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
pkg_check_modules(hwy REQUIRED IMPORTED_TARGET libhwy)
find_package(xbyak REQUIRED)
# The archive: one job file needs it, and every start of the tool would load the shared library.
find_library(WAVETANK_YAML_CPP libyaml-cpp.a REQUIRED)
