# `cmake --install`, find_package(wavetank) and the Debian package.
include(CMakePackageConfigHelpers)
set(WAVETANK_INSTALL_LIBDIR "${CMAKE_INSTALL_LIBDIR}/wavetank")
set(WAVETANK_INSTALL_BINDIR "${CMAKE_INSTALL_BINDIR}")
set(config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/wavetank")
configure_package_config_file(cmake/wavetankConfig.cmake.in
  "${PROJECT_BINARY_DIR}/wavetankConfig.cmake" INSTALL_DESTINATION "${config_dir}"
  PATH_VARS WAVETANK_INSTALL_LIBDIR WAVETANK_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/wavetankConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/wavetankConfig.cmake"
  "${PROJECT_BINARY_DIR}/wavetankConfigVersion.cmake" DESTINATION "${config_dir}")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME wavetank)
set(CPACK_PACKAGE_CONTACT "The Wavetank authors <wavetank@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS
  "clang-19, clang-tools-19, lld-19, llvm-19, libamdhip64-dev, rocm-device-libs")
include(CPack)
