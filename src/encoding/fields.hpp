// Bit fields of the microcode formats (CDNA3 ISA guide, "Microcode Formats"; gfx90a has the same).
// Decoder and encoder both use these, so a position is stated once.
#pragma once

#include <cstdint>

namespace wavetank::encoding {

/// Bits [low, low + width) of an instruction of up to two dwords, dword 0 in the low half.
struct Field {
  std::uint8_t low;
  std::uint8_t width;

  constexpr std::uint64_t mask() const { return (std::uint64_t{1} << width) - 1; }
  /// The field's value.
  constexpr std::uint32_t get(std::uint64_t words) const {
    return static_cast<std::uint32_t>((words >> low) & mask());
  }
  /// The field's value where the top bit is the sign.
  constexpr std::int32_t get_signed(std::uint64_t words) const {
    const std::uint32_t value = get(words);
    const std::uint32_t sign = 1u << (width - 1);
    return static_cast<std::int32_t>((value ^ sign) - sign);
  }
  /// `value`, cut to the width, at the field's place.
  constexpr std::uint64_t put(std::uint64_t value) const { return (value & mask()) << low; }
};

namespace fields {

inline constexpr Field kLiteral{32, 32};

namespace sop {  // SOP1, SOP2, SOPK, SOPC, SOPP
inline constexpr Field kSrc0{0, 8}, kSrc1{8, 8}, kDst{16, 7}, kImm{0, 16};
inline constexpr Field kOp1{8, 8}, kOp2{23, 7}, kOpk{23, 5}, kOpc{16, 7}, kOpp{16, 7};
}  // namespace sop

namespace smem {
inline constexpr Field kBase{0, 6}, kData{6, 7}, kOffsetEnable{14, 1}, kGlc{16, 1};
inline constexpr Field kImm{17, 1}, kOp{18, 8}, kOffset{32, 21}, kOffsetSgpr{32, 7};
inline constexpr Field kSoffset{57, 7};
}  // namespace smem

namespace vop {  // VOP1, VOP2, VOPC
inline constexpr Field kSrc0{0, 9}, kSrc1{9, 8}, kDst{17, 8}, kOp1{9, 8}, kOp2{25, 6}, kOpc{17, 8};
}  // namespace vop

namespace sdwa {
inline constexpr Field kSrc0{32, 8}, kDstSel{40, 3}, kDstUnused{43, 2}, kClamp{45, 1};
inline constexpr Field kOmod{46, 2};
inline constexpr Field kSdst{40, 7}, kSdstEnable{47, 1};
inline constexpr Field kSel[2] = {{48, 3}, {56, 3}}, kSext[2] = {{51, 1}, {59, 1}};
inline constexpr Field kNeg[2] = {{52, 1}, {60, 1}}, kAbs[2] = {{53, 1}, {61, 1}};
inline constexpr Field kScalar[2] = {{55, 1}, {63, 1}};
}  // namespace sdwa

namespace dpp {
inline constexpr Field kSrc0{32, 8}, kCtrl{40, 9}, kBoundCtrl{51, 1}, kNeg[2] = {{52, 1}, {54, 1}};
inline constexpr Field kAbs[2] = {{53, 1}, {55, 1}}, kBankMask{56, 4}, kRowMask{60, 4};
}  // namespace dpp

namespace vop3 {
inline constexpr Field kDst{0, 8}, kAbs{8, 3}, kSdst{8, 7}, kOpSel{11, 4}, kClamp{15, 1};
inline constexpr Field kOp{16, 10};
inline constexpr Field kSrc[3] = {{32, 9}, {41, 9}, {50, 9}}, kOmod{59, 2}, kNeg{61, 3};
}  // namespace vop3

namespace vop3p {
inline constexpr Field kNegHi{8, 3}, kOpSel{11, 3}, kOpSelHi2{14, 1}, kOp{16, 7}, kOpSelHi{59, 2};
inline constexpr Field kCbsz{8, 3}, kAbid{11, 4}, kAccDst{15, 1}, kAcc[2] = {{59, 1}, {60, 1}};
inline constexpr Field kBlgp{61, 3};
}  // namespace vop3p

namespace ds {
inline constexpr Field kOffset{0, 16}, kGds{16, 1}, kOp{17, 8}, kAcc{25, 1}, kAddress{32, 8};
inline constexpr Field kData0{40, 8}, kData1{48, 8}, kDst{56, 8};
}  // namespace ds

namespace flat {
inline constexpr Field kFlatOffset{0, 12}, kOffset{0, 13}, kSve{13, 1}, kSegment{14, 2};
inline constexpr Field kGlc{16, 1}, kSlc{17, 1};
inline constexpr Field kOp{18, 7}, kScc{25, 1}, kAddress{32, 8}, kData{40, 8}, kSaddr{48, 7};
inline constexpr Field kAcc{55, 1}, kDst{56, 8};
inline constexpr std::uint32_t kSaddrOff = 0x7f;
}  // namespace flat

namespace buffer {  // MUBUF, MTBUF
inline constexpr Field kOffset{0, 12}, kOffen{12, 1}, kIdxen{13, 1}, kGlc{14, 1}, kScc{15, 1};
inline constexpr Field kLds{16, 1}, kSlc{17, 1}, kOp{18, 7}, kAddress{32, 8}, kData{40, 8};
inline constexpr Field kResource{48, 5}, kAcc{55, 1}, kSoffset{56, 8};
inline constexpr Field kTypedOp{15, 4}, kFormat{19, 7}, kTypedScc{53, 1}, kTypedSlc{54, 1};
}  // namespace buffer

namespace image {  // MIMG of gfx90a; bit 0 would be the opcode's bit 7
inline constexpr Field kScc{7, 1}, kDmask{8, 4}, kUnorm{12, 1}, kGlc{13, 1}, kDa{14, 1};
inline constexpr Field kA16{15, 1}, kAcc{16, 1}, kLwe{17, 1}, kOp{18, 7}, kSlc{25, 1};
inline constexpr Field kAddress{32, 8}, kData{40, 8}, kResource{48, 5}, kSampler{53, 5};
inline constexpr Field kD16{63, 1};
}  // namespace image

}  // namespace fields

/// The bits that tell a format from all others, at the top of the first dword.
struct Prefix {
  std::uint32_t mask;
  std::uint32_t value;
};
namespace prefix {
inline constexpr Prefix kSop1{0xff800000, 0xbe800000}, kSopc{0xff800000, 0xbf000000};
inline constexpr Prefix kSopp{0xff800000, 0xbf800000}, kSopk{0xf0000000, 0xb0000000};
inline constexpr Prefix kSop2{0xc0000000, 0x80000000}, kSmem{0xfc000000, 0xc0000000};
inline constexpr Prefix kVop1{0xfe000000, 0x7e000000}, kVopc{0xfe000000, 0x7c000000};
inline constexpr Prefix kVop2{0x80000000, 0x00000000}, kVop3p{0xff800000, 0xd3800000};
inline constexpr Prefix kVop3{0xfc000000, 0xd0000000}, kDs{0xfc000000, 0xd8000000};
inline constexpr Prefix kFlat{0xfc000000, 0xdc000000}, kMubuf{0xfc000000, 0xe0000000};
inline constexpr Prefix kMtbuf{0xfc000000, 0xe8000000}, kMimg{0xfc000000, 0xf0000000};
}  // namespace prefix

}  // namespace wavetank::encoding
