// A folder of invented files for tests of what is found where.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "toolchain/temporary_folder.hpp"

namespace wavetank::toolchain {

/// The first 32 bytes of what LLVM 22.1.6 and LLVM 15.0.x write, as `xxd` shows them.
inline const std::vector<unsigned char> kBitcode22 = {
    0x42, 0x43, 0xc0, 0xde, 0x35, 0x14, 0,    0,    0x05, 0,    0,    0,    0x62, 0x0c, 0x30, 0x24,
    0x4a, 0x59, 0xbe, 0xa6, 0x6d, 0xfb, 0xb5, 0xaf, 0x0b, 0x51, 0x80, 0x4c, 0x01, 0,    0,    0};
inline const std::vector<unsigned char> kBitcode15 = {
    0x42, 0x43, 0xc0, 0xde, 0x35, 0x14, 0,    0,    0x05, 0,    0,    0,    0x62, 0x0c, 0x30, 0x24,
    0x4a, 0x59, 0xbe, 0x66, 0x9d, 0xfb, 0xb4, 0x9f, 0x0b, 0x51, 0x80, 0x4c, 0x01, 0,    0,    0};

class Folder {
 public:
  const std::filesystem::path& path() const { return folder_.path(); }

  std::filesystem::path write(const std::filesystem::path& name, const std::string& text) const {
    const std::filesystem::path file = path() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }
  std::filesystem::path write(const std::filesystem::path& name,
                              const std::vector<unsigned char>& bytes) const {
    return write(name, std::string(bytes.begin(), bytes.end()));
  }
  /// An executable file.
  void program(const std::filesystem::path& name) const {
    std::filesystem::permissions(write(name, std::string("#!/bin/sh\n")),
                                 std::filesystem::perms::owner_all);
  }

 private:
  TemporaryFolder folder_ = *TemporaryFolder::make();
};

}  // namespace wavetank::toolchain
