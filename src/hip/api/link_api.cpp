// HIP API: linking bitcode into a module, which ROCm 7 took over from hipRTC.
#include "hip/api/entry.hpp"
#include "hip/rtc/linker.hpp"

using namespace wavetank::hip;
using abi::Status;
using rtc::LinkState;
using rtc::RtcStatus;

namespace {

Status status_of_link(RtcStatus status) {
  switch (status) {
    case RtcStatus::kSuccess: return Status::kSuccess;
    case RtcStatus::kOutOfMemory: return Status::kOutOfMemory;
    case RtcStatus::kProgramCreationFailure: return Status::kInvalidConfiguration;
    case RtcStatus::kLinking: return Status::kNoBinaryForGpu;
    default: return Status::kInvalidValue;
  }
}

}  // namespace

WAVETANK_API Status hipLinkCreate(unsigned option_count, const int* options, void** values,
                                  LinkState** handle) {
  return api::call(
      [&] { return status_of_link(rtc::link_create(option_count, options, values, handle)); });
}

WAVETANK_API Status hipLinkAddData(LinkState* handle, int type, const void* image,
                                   std::size_t size_bytes, const char*, unsigned, const int*,
                                   void**) {
  return api::call(
      [&] { return status_of_link(rtc::link_add_data(handle, type, image, size_bytes)); });
}

WAVETANK_API Status hipLinkAddFile(LinkState* handle, int type, const char* path, unsigned,
                                   const int*, void**) {
  return api::call([&] { return status_of_link(rtc::link_add_file(handle, type, path)); });
}

WAVETANK_API Status hipLinkComplete(LinkState* handle, void** code, std::size_t* size_bytes) {
  return api::call([&] { return status_of_link(rtc::link_complete(handle, code, size_bytes)); });
}

WAVETANK_API Status hipLinkDestroy(LinkState* handle) {
  return api::call([&] { return status_of_link(rtc::link_destroy(handle)); });
}
