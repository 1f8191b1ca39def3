#include "encoding/formats.hpp"

#include <algorithm>
#include <iterator>

namespace wavetank::encoding {

using isa::Format;

namespace {

/// Order matters: the first prefix that matches is the format.
constexpr FormatInfo kFormats[] = {
    {Format::kVop1, prefix::kVop1, fields::vop::kOp1, 1, "VOP1", code_vop, print_vector},
    {Format::kVopc, prefix::kVopc, fields::vop::kOpc, 1, "VOPC", code_vop, print_vector},
    {Format::kVop2, prefix::kVop2, fields::vop::kOp2, 1, "VOP2", code_vop, print_vector},
    {Format::kSop1, prefix::kSop1, fields::sop::kOp1, 1, "SOP1", code_sop, print_sop},
    {Format::kSopc, prefix::kSopc, fields::sop::kOpc, 1, "SOPC", code_sop, print_sop},
    {Format::kSopp, prefix::kSopp, fields::sop::kOpp, 1, "SOPP", code_sop, print_sop},
    {Format::kSopk, prefix::kSopk, fields::sop::kOpk, 1, "SOPK", code_sop, print_sop},
    {Format::kSop2, prefix::kSop2, fields::sop::kOp2, 1, "SOP2", code_sop, print_sop},
    {Format::kVop3p, prefix::kVop3p, fields::vop3p::kOp, 2, "VOP3P", code_vop3, print_vector},
    {Format::kVop3, prefix::kVop3, fields::vop3::kOp, 2, "VOP3", code_vop3, print_vector},
    {Format::kSmem, prefix::kSmem, fields::smem::kOp, 2, "SMEM", code_smem, print_smem},
    {Format::kDs, prefix::kDs, fields::ds::kOp, 2, "DS", code_ds, print_ds},
    {Format::kFlat, prefix::kFlat, fields::flat::kOp, 2, "FLAT", code_flat, print_flat},
    {Format::kMubuf, prefix::kMubuf, fields::buffer::kOp, 2, "MUBUF", code_buffer, print_buffer},
    {Format::kMtbuf, prefix::kMtbuf, fields::buffer::kTypedOp, 2, "MTBUF", code_buffer,
     print_buffer},
    {Format::kMimg, prefix::kMimg, fields::image::kOp, 2, "MIMG", code_image, print_image},
};

}  // namespace

const FormatInfo* format_of(std::uint32_t word) {
  const auto* const found = std::ranges::find_if(kFormats, [&](const FormatInfo& info) {
    return (word & info.prefix.mask) == info.prefix.value;
  });
  return found == std::end(kFormats) ? nullptr : found;
}

const FormatInfo& format_of(const Instruction& instruction) {
  Format format = instruction.row->encoding.format;
  if (instruction.form == Form::kVop3) format = Format::kVop3;
  if (format == Format::kGlobal || format == Format::kScratch) format = Format::kFlat;
  return *std::ranges::find(kFormats, format, &FormatInfo::format);
}

}  // namespace wavetank::encoding
