// The files that CMakeLists.txt makes, and what LLVM's tools say about them.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.hpp"

namespace wavetank::code_object {

inline std::string fixture_path(const std::string& name) {
  return std::string(WAVETANK_FIXTURES) + "/" + name;
}

inline std::vector<std::byte> fixture(const std::string& name) {
  auto bytes = read_file(fixture_path(name));
  EXPECT_TRUE(bytes.has_value()) << name;
  return bytes ? std::move(*bytes) : std::vector<std::byte>();
}

inline std::vector<std::string> fixture_lines(const std::string& name) {
  std::ifstream file(fixture_path(name));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  EXPECT_FALSE(lines.empty()) << name;
  return lines;
}

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

/// Overwrites bytes at an offset with a value.
template <class T>
void patch(std::vector<std::byte>& bytes, std::size_t offset, T value) {
  ASSERT_LE(offset + sizeof value, bytes.size());
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

template <class T>
T value_at(std::span<const std::byte> bytes, std::size_t offset) {
  T value{};
  EXPECT_LE(offset + sizeof value, bytes.size());
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace wavetank::code_object
