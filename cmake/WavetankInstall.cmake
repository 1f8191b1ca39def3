# `cmake --install` and the Debian package.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME wavetank)
set(CPACK_PACKAGE_CONTACT "The Wavetank authors")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-19, lld-19, libamdhip64-dev, rocm-device-libs")
include(CPack)
