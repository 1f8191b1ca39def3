#include "code_object/loader.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "fixtures.hpp"

namespace wavetank::code_object {
namespace {

/// Zero-filled pages, freed with the object.
class Pages {
 public:
  ~Pages() {
    for (std::byte* block : blocks_) std::free(block);
  }
  std::byte* allocate(std::size_t size_bytes) {
    const std::size_t rounded = (size_bytes + 4095) / 4096 * 4096;
    auto* block = static_cast<std::byte*>(std::aligned_alloc(4096, rounded));
    std::memset(block, 0, rounded);
    blocks_.push_back(block);
    return block;
  }

 private:
  std::vector<std::byte*> blocks_;
};

class Loader : public testing::Test {
 protected:
  LoadServices services() {
    LoadServices result;
    result.allocate = [this](std::size_t size_bytes) { return pages_.allocate(size_bytes); };
    result.release = [this](std::byte* memory) { released_ = memory; };
    return result;
  }

  std::shared_ptr<LoadedCodeObject> loaded(const std::string& name) {
    auto result = load(fixture(name), services());
    EXPECT_TRUE(result.has_value()) << result.error().to_text();
    return result ? *result : nullptr;
  }

  template <class T>
  static T at(const LoadedCodeObject& object, const std::string& symbol, std::size_t offset = 0) {
    T value{};
    std::memcpy(&value, object.address_of(object.object.find_symbol(symbol)->address) + offset,
                sizeof value);
    return value;
  }

  Pages pages_;
  std::byte* released_ = nullptr;
};

TEST_F(Loader, PlacesVariablesWithTheirValues) {
  const auto object = loaded("gfx90a_v5.co");
  EXPECT_EQ(at<int>(*object, "table", 0), 1);
  EXPECT_EQ(at<int>(*object, "table", 12), 4);
  EXPECT_EQ(at<float>(*object, "scale"), 2.0f);
  EXPECT_EQ(at<double>(*object, "zeros", 7992), 0.0);
}

TEST_F(Loader, RelocatesPointersToVariables) {
  const auto object = loaded("gfx90a_v5.co");
  const std::byte* table = object->address_of(object->object.find_symbol("table")->address);
  EXPECT_EQ(at<const std::byte*>(*object, "pointer_to_table"), table + 4);
}

TEST_F(Loader, PlacesTheCodeAtItsAddress) {
  const auto image = fixture("gfx942_v5.co");
  const auto object = loaded("gfx942_v5.co");
  for (const Segment& segment : object->object.segments) {
    if (!segment.executable) continue;
    EXPECT_EQ(std::memcmp(object->address_of(segment.address), image.data() + segment.file_offset,
                          segment.file_size_bytes),
              0);
  }
}

TEST_F(Loader, ResolvesSymbolsThatTheCodeObjectDoesNotDefine) {
  LoadServices with_symbol = services();
  with_symbol.resolve = [](std::string_view name) -> std::uint64_t {
    return name == "external_variable" ? 0x1000 : 0;
  };
  const auto result = load(fixture("preload.co"), with_symbol);
  ASSERT_TRUE(result) << result.error().to_text();
  const LoadedCodeObject& object = **result;
  const auto base = reinterpret_cast<std::uint64_t>(object.base);
  EXPECT_EQ(at<std::uint64_t>(object, "data_symbol", 0), 0x1008u);
  EXPECT_EQ(at<std::uint64_t>(object, "data_symbol", 8), 0u);  // weak, nobody defines it
  EXPECT_EQ(at<std::uint64_t>(object, "data_symbol", 16),
            base + object.object.find_symbol("data_symbol")->address + 4);
  EXPECT_EQ(at<std::uint64_t>(object, "data_symbol", 24),
            base + object.object.find_kernel("preloaded")->entry_address);
}

TEST_F(Loader, NamesAnUndefinedSymbolAndGivesTheMemoryBack) {
  const auto result = load(fixture("preload.co"), services());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kUndefinedSymbol);
  EXPECT_NE(result.error().message.find("external_variable"), std::string::npos);
  EXPECT_NE(released_, nullptr);
}

TEST_F(Loader, SaysWhenThereIsNoMemory) {
  LoadServices none = services();
  none.allocate = [](std::size_t) -> std::byte* { return nullptr; };
  const auto result = load(fixture("gfx90a_v5.co"), none);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kOutOfMemory);
}

class Relocations : public Loader {
 protected:
  /// The code object with its only relocation (of pointer_to_table) changed to another type; the
  /// file offset of the entry is found by its content.
  std::vector<std::byte> with_type(std::uint32_t type) {
    auto image = fixture("gfx90a_v5.co");
    const auto object = parse(image);
    EXPECT_EQ(object->relocations.size(), 1u);
    const Relocation& relocation = object->relocations[0];
    for (std::size_t at = 0; at + 24 <= image.size(); at += 8) {
      if (value_at<std::uint64_t>(image, at) == relocation.address &&
          value_at<std::uint64_t>(image, at + 8) == relocation.type) {
        patch<std::uint64_t>(image, at + 8, type);
        addend_ = static_cast<std::uint64_t>(relocation.addend);
        return image;
      }
    }
    ADD_FAILURE() << "no relocation entry found";
    return image;
  }

  /// True if, loaded with this type, pointer_to_table holds what `formula` gives for base (B),
  /// addend (A) and place (P). The file has 0 there.
  bool holds(std::uint32_t type,
             std::uint64_t (*formula)(std::uint64_t b, std::uint64_t a, std::uint64_t p)) {
    const auto result = load(with_type(type), services());
    EXPECT_TRUE(result.has_value()) << result.error().to_text();
    if (!result) return false;
    const LoadedCodeObject& object = **result;
    const auto base = reinterpret_cast<std::uint64_t>(object.base);
    const std::uint64_t place = base + object.object.find_symbol("pointer_to_table")->address;
    return at<std::uint64_t>(object, "pointer_to_table") == formula(base, addend_, place);
  }

  std::uint64_t addend_ = 0;
};

TEST_F(Relocations, FollowTheFormulasOfTheAbi) {
  using Number = std::uint64_t;
  EXPECT_TRUE(holds(0, [](Number, Number, Number) { return Number{0}; }));  // NONE
  EXPECT_TRUE(holds(1, [](Number, Number a, Number) { return a & 0xffffffff; }));  // ABS32_LO
  EXPECT_TRUE(holds(2, [](Number, Number a, Number) { return a >> 32; }));  // ABS32_HI
  EXPECT_TRUE(holds(3, [](Number, Number a, Number) { return a; }));  // ABS64
  EXPECT_TRUE(holds(5, [](Number, Number a, Number p) { return a - p; }));  // REL64
  EXPECT_TRUE(holds(6, [](Number, Number a, Number) { return a; }));  // ABS32
  EXPECT_TRUE(holds(10, [](Number, Number a, Number p) { return (a - p) & 0xffffffff; }));
  EXPECT_TRUE(holds(11, [](Number, Number a, Number p) { return (a - p) >> 32; }));
  EXPECT_TRUE(holds(13, [](Number b, Number a, Number) { return b + a; }));  // RELATIVE64
}

TEST_F(Relocations, RefuseTypesThatOnlyALinkerCanApply) {
  for (const std::uint32_t type : {4u, 7u, 8u, 9u, 12u, 14u, 255u}) {
    const auto result = load(with_type(type), services());
    ASSERT_FALSE(result) << type;
    EXPECT_EQ(result.error().code, ErrorCode::kBadElf);
    EXPECT_NE(result.error().message.find("type " + std::to_string(type)), std::string::npos);
  }
}

}  // namespace
}  // namespace wavetank::code_object
