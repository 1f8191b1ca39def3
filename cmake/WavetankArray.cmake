# wavetank::array: the headers of include/wavetank/array, for programs in HIP, on this runtime or AMD's.
include(WavetankArrayLibraries)
add_library(wavetank_array INTERFACE)
add_library(wavetank::array ALIAS wavetank_array)
target_include_directories(wavetank_array INTERFACE "${PROJECT_SOURCE_DIR}/include")
target_compile_features(wavetank_array INTERFACE cxx_std_20)
wavetank_array_libraries(wavetank_array)

install(DIRECTORY include/wavetank DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES cmake/WavetankArrayLibraries.cmake
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/wavetank")
