// Compiled kernels: every instruction that llvm-objdump lists must decode and read the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>

#include "encoding/decoder.hpp"
#include "encoding/disassembler.hpp"
#include "unit/encoding/oracle.hpp"
#include "unit/encoding/report.hpp"

namespace wavetank::test {
namespace {

struct Listed {
  std::string text;
  std::vector<std::uint32_t> dwords;
};

std::string run(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  std::string output;
  std::array<char, 65536> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.append(buffer.data(), count);
  }
  pclose(pipe);
  return output;
}

/// Lines such as "\ts_nop 0      // 000000000010: BF800000 <name+0x4>".
std::vector<Listed> objdump(const std::string& object) {
  std::vector<Listed> result;
  std::istringstream lines(run(std::string(WAVETANK_LLVM_OBJDUMP) + " -d " + object));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t comment = line.find(" // ");
    if (line.empty() || line[0] != '\t' || comment == std::string::npos) continue;
    Listed item;
    item.text = line.substr(1, line.find_last_not_of(' ', comment));
    std::istringstream words(line.substr(line.find(':', comment) + 1));
    for (std::string word; words >> word && word[0] != '<';) {
      item.dwords.push_back(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
    }
    result.push_back(item);
  }
  return result;
}

class CompiledKernels : public testing::TestWithParam<std::tuple<isa::Target, int>> {};

TEST_P(CompiledKernels, ReadAsObjdumpReadsThem) {
  const auto [target, level] = GetParam();
  const std::string object = std::string(WAVETANK_ENCODING_KERNELS) + "_" + target_name(target) +
                             "_O" + std::to_string(level) + ".o";
  const std::vector<Listed> listing = objdump(object);
  ASSERT_GT(listing.size(), 1000u) << object;
  const encoding::Decoder decoder(target);
  Report report;
  for (const Listed& item : listing) {
    const auto decoded = decoder.decode(item.dwords, 0);
    if (!decoded) {
      report.add(item.text.substr(0, item.text.find(' ')), decoded.error().message);
    } else if (const std::string text = encoding::disassemble(*decoded, target);
               text != item.text || decoded->dwords != item.dwords.size()) {
      report.add(text.substr(0, text.find(' ')), "ours " + text + " | objdump " + item.text);
    }
  }
  EXPECT_EQ(report.count(), 0u) << report.text();
}

INSTANTIATE_TEST_SUITE_P(Targets, CompiledKernels,
                         testing::Combine(testing::ValuesIn(isa::kTargets), testing::Values(0, 2)),
                         [](const auto& parameter) {
                           return target_name(std::get<0>(parameter.param)) + "O" +
                                  std::to_string(std::get<1>(parameter.param));
                         });

}  // namespace
}  // namespace wavetank::test
