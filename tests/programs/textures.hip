// Textures and surfaces of gfx90a: coordinates, filters, clamps, formats, arrays, layers, buffers.
// Every result is compared with the same rule on the host. A device without images must say so.
#include "common/check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

// Device code for a processor without images must not name them; the host's is for both.
#if !__HIP_NO_IMAGE_SUPPORT
constexpr int kWidth = 37, kHeight = 11, kDepth = 5;

template <class T>
__global__ void fetch_linear(hipTextureObject_t texture, T* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = tex1Dfetch<T>(texture, i);
}
template <class T>
__global__ void fetch_1d(hipTextureObject_t texture, T* out, float first, float step) {
  const int i = threadIdx.x;
  out[i] = tex1D<T>(texture, first + step * i);
}
template <class T>
__global__ void fetch_2d(hipTextureObject_t texture, T* out, float x0, float y0, float dx, float dy) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tex2D<T>(texture, x0 + dx * (i % 64), y0 + dy * (i / 64));
}
__global__ void fetch_3d(hipTextureObject_t texture, float* out) {
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  out[(z * gridDim.x + y) * blockDim.x + x] = tex3D<float>(texture, x + 0.5f, y + 0.5f, z + 0.5f);
}
__global__ void fetch_layered(hipTextureObject_t texture, float* out) {
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  out[(z * gridDim.x + y) * blockDim.x + x] = tex2DLayered<float>(texture, x + 0.5f, y + 0.5f, z);
}
__global__ void write_surface(hipSurfaceObject_t surface) {
  const int x = threadIdx.x, y = blockIdx.x;
  surf2Dwrite(100.0f * y + x, surface, static_cast<int>(x * sizeof(float)), y);
}
__global__ void read_surface(hipSurfaceObject_t surface, float* out) {
  const int x = threadIdx.x, y = blockIdx.x;
  surf2Dread(&out[y * blockDim.x + x], surface, static_cast<int>(x * sizeof(float)), y);
}

texture<int2, hipTextureType1D, hipReadModeElementType> bound_buffer;
texture<float, hipTextureType2D, hipReadModeElementType> bound_plane;

__global__ void fetch_references(int2* buffer, float* plane) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  buffer[i] = tex1Dfetch(bound_buffer, i);
  plane[i] = tex2D(bound_plane, i % 64 + 0.5f, i / 64 + 0.5f);
}

template <class T>
struct Image {
  hipArray_t array{};
  std::vector<T> texels;
  int width, height, depth;
  Image(int w, int h, int d, unsigned flags, std::vector<T> values,
        hipChannelFormatDesc format = hipCreateChannelDesc<T>())
      : texels(std::move(values)), width(w), height(h), depth(d) {
    if (d == 0) {
      HIP_CHECK(hipMallocArray(&array, &format, w, h, flags));
      HIP_CHECK(hipMemcpy2DToArray(array, 0, 0, texels.data(), w * sizeof(T), w * sizeof(T),
                                   std::max(h, 1), hipMemcpyHostToDevice));
      return;
    }
    HIP_CHECK(hipMalloc3DArray(&array, &format, make_hipExtent(w, h, d), flags));
    hipMemcpy3DParms copy{};
    copy.srcPtr = make_hipPitchedPtr(texels.data(), w * sizeof(T), w, h);
    copy.dstArray = array;
    copy.extent = make_hipExtent(w, h, d);
    copy.kind = hipMemcpyHostToDevice;
    HIP_CHECK(hipMemcpy3D(&copy));
  }
  ~Image() { HIP_CHECK(hipFreeArray(array)); }
};

struct Texture {
  hipTextureObject_t object{};
  Texture(const hipResourceDesc& resource, const hipTextureDesc& description,
          const hipResourceViewDesc* view = nullptr) {
    HIP_CHECK(hipCreateTextureObject(&object, &resource, &description, view));
  }
  ~Texture() { HIP_CHECK(hipDestroyTextureObject(object)); }
};

hipResourceDesc of_array(hipArray_t array) {
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

hipTextureDesc described(hipTextureAddressMode mode, hipTextureFilterMode filter, bool normalized,
                         hipTextureReadMode read = hipReadModeElementType) {
  hipTextureDesc description{};
  std::fill(std::begin(description.addressMode), std::end(description.addressMode), mode);
  description.filterMode = filter;
  description.readMode = read;
  description.normalizedCoords = normalized;
  return description;
}

/// A texel behind a clamp; the border is 0.
float texel(const std::vector<float>& t, int w, int h, int x, int y, hipTextureAddressMode mode) {
  const auto place = [&](int at, int size) {
    switch (mode) {
      case hipAddressModeWrap: return ((at % size) + size) % size;
      case hipAddressModeMirror: {
        const int m = ((at % (2 * size)) + 2 * size) % (2 * size);
        return m < size ? m : 2 * size - 1 - m;
      }
      case hipAddressModeBorder: return at >= 0 && at < size ? at : -1;
      default: return std::clamp(at, 0, size - 1);
    }
  };
  const int px = place(x, w), py = place(y, h);
  return px < 0 || py < 0 ? 0.0f : t[static_cast<size_t>(py) * w + px];
}

/// What tex2D gives at (x, y) in texels; weights have 8 bits.
float sampled(const std::vector<float>& t, int w, int h, float x, float y, hipTextureAddressMode mode,
              bool linear) {
  // The device library takes a point's coordinate to its texel's edge.
  if (!linear) {
    return texel(t, w, h, static_cast<int>(std::floor(x)), static_cast<int>(std::floor(y)), mode);
  }
  const double fx = std::nearbyint((double(x) - 0.5) * 256) / 256;
  const double fy = std::nearbyint((double(y) - 0.5) * 256) / 256;
  const int ix = static_cast<int>(std::floor(fx)), iy = static_cast<int>(std::floor(fy));
  const double wx = fx - ix, wy = fy - iy;
  const auto at = [&](int dx, int dy) { return texel(t, w, h, ix + dx, iy + dy, mode); };
  return static_cast<float>((1 - wy) * ((1 - wx) * at(0, 0) + wx * at(1, 0)) +
                            wy * ((1 - wx) * at(0, 1) + wx * at(1, 1)));
}

int g_failures = 0;
void expect(bool holds, const char* what, int index) {
  if (holds || ++g_failures > 20) return;
  std::printf("wrong: %s, element %d\n", what, index);
}

std::vector<float> ramp(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>((i * 37) % 251) - 100.0f;
  return values;
}

void filters_and_clamps() {
  Image<float> image(kWidth, kHeight, 0, hipArrayDefault, ramp(kWidth * kHeight));
  example::DeviceArray<float> out(4096);
  for (int mode = hipAddressModeWrap; mode <= hipAddressModeBorder; ++mode) {
    for (const bool linear : {false, true}) {
      for (const bool normalized : {false, true}) {
        const auto address = static_cast<hipTextureAddressMode>(mode);
        const auto filter = linear ? hipFilterModeLinear : hipFilterModePoint;
        const Texture texture(of_array(image.array), described(address, filter, normalized));
        const float sx = normalized ? 1.0f / 64 : 1.25f, sy = normalized ? 1.0f / 16 : 0.75f;
        const float x0 = normalized ? -0.25f : -9.375f, y0 = normalized ? -0.5f : -5.125f;
        fetch_2d<<<16, 256>>>(texture.object, out.data(), x0, y0, sx, sy);
        const std::vector<float> got = out.read();
        // Coordinates in texels neither wrap nor mirror.
        const bool repeats = address == hipAddressModeWrap || address == hipAddressModeMirror;
        const auto rule = repeats && !normalized ? hipAddressModeClamp : address;
        for (int i = 0; i < 4096; ++i) {
          float x = x0 + sx * (i % 64), y = y0 + sy * (i / 64);
          if (normalized) x *= kWidth, y *= kHeight;
          const float want = sampled(image.texels, kWidth, kHeight, x, y, rule, linear);
          expect(std::abs(got[i] - want) <= (linear ? 1e-4f * 256 : 0.0f), "tex2D", i);
        }
      }
    }
  }
}

void formats() {
  std::vector<uchar4> bytes(256);
  for (int i = 0; i < 256; ++i) {
    bytes[i] = make_uchar4(static_cast<unsigned char>(i), static_cast<unsigned char>(255 - i),
                           static_cast<unsigned char>(i ^ 0x55), 7);
  }
  // ROCm 5's hipCreateChannelDesc<uchar4>() says signed.
  Image<uchar4> image(256, 0, 0, hipArrayDefault, bytes,
                      hipCreateChannelDesc(8, 8, 8, 8, hipChannelFormatKindUnsigned));
  const Texture floats(of_array(image.array), described(hipAddressModeClamp, hipFilterModePoint, false,
                                                        hipReadModeNormalizedFloat));
  const Texture integers(of_array(image.array),
                         described(hipAddressModeClamp, hipFilterModePoint, false));
  example::DeviceArray<float4> normalized(256);
  example::DeviceArray<uchar4> raw(256);
  fetch_1d<<<1, 256>>>(floats.object, normalized.data(), 0.5f, 1.0f);
  fetch_1d<<<1, 256>>>(integers.object, raw.data(), 0.5f, 1.0f);
  const std::vector<float4> f = normalized.read();
  const std::vector<uchar4> u = raw.read();
  for (int i = 0; i < 256; ++i) {
    expect(f[i].x == bytes[i].x / 255.0f && f[i].y == bytes[i].y / 255.0f &&
               f[i].w == 7 / 255.0f, "normalized uchar4", i);
    expect(std::memcmp(&u[i], &bytes[i], 4) == 0, "uchar4", i);
  }
}

void buffers() {
  example::DeviceArray<int2> data(1000);
  std::vector<int2> values(1000);
  for (int i = 0; i < 1000; ++i) values[i] = make_int2(i * 7919, -i);
  HIP_CHECK(hipMemcpy(data.data(), values.data(), 8000, hipMemcpyHostToDevice));
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeLinear;
  resource.res.linear.devPtr = data.data();
  resource.res.linear.desc = hipCreateChannelDesc<int2>();
  resource.res.linear.sizeInBytes = 8000;
  const Texture texture(resource, hipTextureDesc{});
  example::DeviceArray<int2> out(1100);
  fetch_linear<<<5, 256>>>(texture.object, out.data(), 1100);
  const std::vector<int2> got = out.read();
  for (int i = 0; i < 1000; ++i) {
    expect(got[i].x == values[i].x && got[i].y == values[i].y, "tex1Dfetch", i);
  }
  expect(got[1050].x == 0 && got[1050].y == 0, "tex1Dfetch beyond the end", 1050);
}

void volumes_and_layers() {
  const size_t count = size_t{kWidth} * kHeight * kDepth;
  for (const bool layered : {false, true}) {
    Image<float> image(kWidth, kHeight, kDepth, layered ? hipArrayLayered : hipArrayDefault, ramp(count));
    const Texture texture(of_array(image.array),
                          described(hipAddressModeClamp, hipFilterModePoint, false));
    example::DeviceArray<float> out(count);
    if (layered) {
      fetch_layered<<<dim3(kHeight, kDepth), kWidth>>>(texture.object, out.data());
    } else {
      fetch_3d<<<dim3(kHeight, kDepth), kWidth>>>(texture.object, out.data());
    }
    const std::vector<float> got = out.read();
    for (size_t i = 0; i < count; ++i) {
      expect(got[i] == image.texels[i], layered ? "tex2DLayered" : "tex3D", static_cast<int>(i));
    }
  }
}

void surfaces() {
  Image<float> image(64, 8, 0, hipArraySurfaceLoadStore, ramp(64 * 8));
  const hipResourceDesc resource = of_array(image.array);
  hipSurfaceObject_t surface;
  HIP_CHECK(hipCreateSurfaceObject(&surface, &resource));
  example::DeviceArray<float> out(64 * 8);
  read_surface<<<8, 64>>>(surface, out.data());
  const std::vector<float> before = out.read();
  write_surface<<<8, 64>>>(surface);
  read_surface<<<8, 64>>>(surface, out.data());
  const std::vector<float> after = out.read();
  for (int i = 0; i < 64 * 8; ++i) {
    expect(before[i] == image.texels[i], "surf2Dread", i);
    expect(after[i] == 100.0f * (i / 64) + i % 64, "surf2Dwrite", i);
  }
  HIP_CHECK(hipDestroySurfaceObject(surface));
}

void views() {
  Image<float> image(64, 1, 0, hipArrayDefault, ramp(64));
  hipResourceViewDesc view{};
  view.format = hipResViewFormatUnsignedChar4;
  const Texture bytes(of_array(image.array),
                      described(hipAddressModeClamp, hipFilterModePoint, false), &view);
  example::DeviceArray<uchar4> out(64);
  fetch_2d<<<1, 64>>>(bytes.object, out.data(), 0.5f, 0.5f, 1.0f, 0.0f);
  const std::vector<uchar4> got = out.read();
  for (int i = 0; i < 64; ++i) {
    uchar4 want;
    std::memcpy(&want, &image.texels[i], sizeof want);
    expect(got[i].x == want.x && got[i].y == want.y && got[i].z == want.z && got[i].w == want.w,
           "a float read as four bytes", i);
  }
}

void references() {
  constexpr int kCount = 64 * 8;
  example::DeviceArray<int2> buffer(kCount), buffer_out(kCount);
  example::DeviceArray<float> plane_out(kCount);
  std::vector<int2> values(kCount);
  for (int i = 0; i < kCount; ++i) values[i] = make_int2(i * 31, ~i);
  HIP_CHECK(hipMemcpy(buffer.data(), values.data(), kCount * sizeof(int2), hipMemcpyHostToDevice));
  Image<float> image(64, 8, 0, hipArrayDefault, ramp(kCount));
  size_t offset = 1;
  HIP_CHECK(hipBindTexture(&offset, bound_buffer, buffer.data(), kCount * sizeof(int2)));
  expect(offset == 0, "hipMalloc's memory needs no offset", 0);
  HIP_CHECK(hipBindTextureToArray(bound_plane, image.array));
  fetch_references<<<kCount / 64, 64>>>(buffer_out.data(), plane_out.data());
  const std::vector<int2> from_buffer = buffer_out.read();
  const std::vector<float> from_plane = plane_out.read();
  for (int i = 0; i < kCount; ++i) {
    expect(from_buffer[i].x == values[i].x && from_buffer[i].y == values[i].y,
           "a buffer through a reference", i);
    expect(from_plane[i] == image.texels[i], "an array through a reference", i);
  }
  HIP_CHECK(hipUnbindTexture(bound_buffer));
  HIP_CHECK(hipUnbindTexture(bound_plane));
}

/// The same references as those of a module: here the program's own file.
void module_references() {
  hipModule_t module;
  HIP_CHECK(hipModuleLoad(&module, "/proc/self/exe"));
  hipFunction_t kernel;
  HIP_CHECK(hipModuleGetFunction(&kernel, module, "_Z16fetch_referencesP15HIP_vector_typeIiLj2EEPf"));
  textureReference *buffer, *plane, *again;
  HIP_CHECK(hipModuleGetTexRef(&buffer, module, "bound_buffer"));
  HIP_CHECK(hipModuleGetTexRef(&plane, module, "bound_plane"));
  HIP_CHECK(hipModuleGetTexRef(&again, module, "bound_plane"));
  expect(plane == again && plane != &bound_plane, "a module has references of its own", 0);
  expect(hipModuleGetTexRef(&again, module, "no_such_texture") == hipErrorNotFound,
         "an unknown reference is not found", 0);
  example::DeviceArray<int2> data(64), buffer_out(64);
  example::DeviceArray<float> plane_out(64);
  std::vector<int2> values(64, make_int2(7, -7));
  HIP_CHECK(hipMemcpy(data.data(), values.data(), 64 * sizeof(int2), hipMemcpyHostToDevice));
  HIP_CHECK(hipTexRefSetFormat(buffer, HIP_AD_FORMAT_SIGNED_INT32, 2));
  HIP_CHECK(hipTexRefSetFlags(buffer, HIP_TRSF_READ_AS_INTEGER));
  size_t offset = 1;
  HIP_CHECK(hipTexRefSetAddress(&offset, buffer, data.data(), 64 * sizeof(int2)));
  Image<float> image(64, 1, 0, hipArrayDefault, ramp(64));
  HIP_CHECK(hipTexRefSetFlags(plane, HIP_TRSF_READ_AS_INTEGER));
  HIP_CHECK(hipTexRefSetArray(plane, image.array, HIP_TRSA_OVERRIDE_FORMAT));
  int2* buffer_pointer = buffer_out.data();
  float* plane_pointer = plane_out.data();
  void* arguments[] = {&buffer_pointer, &plane_pointer};
  HIP_CHECK(hipModuleLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  const std::vector<int2> from_buffer = buffer_out.read();
  const std::vector<float> from_plane = plane_out.read();
  for (int i = 0; i < 64; ++i) {
    expect(from_buffer[i].x == 7 && from_buffer[i].y == -7, "a module's buffer", i);
    expect(from_plane[i] == image.texels[i], "a module's array", i);
  }
  HIP_CHECK(hipModuleUnload(module));
}

void refusals() {
  Image<float> volume(8, 8, 8, hipArrayDefault, ramp(512));
  const hipResourceDesc resource = of_array(volume.array);
  const hipTextureDesc linear = described(hipAddressModeClamp, hipFilterModeLinear, false);
  hipTextureObject_t texture;
  expect(hipCreateTextureObject(&texture, &resource, &linear, nullptr) == hipErrorNotSupported,
         "a filtered 3-D texture is refused", 0);
  expect(hipCreateTextureObject(nullptr, &resource, &linear, nullptr) == hipErrorInvalidValue,
         "no place for the texture is refused", 0);
}

void limits() {
  int supported = 0, width = 0;
  HIP_CHECK(hipDeviceGetAttribute(&supported, hipDeviceAttributeImageSupport, 0));
  HIP_CHECK(hipDeviceGetAttribute(&width, hipDeviceAttributeMaxTexture2DWidth, 0));
  expect(supported == 1 && width == 16384, "the device has images", 0);
}

int main() {
  limits();
  filters_and_clamps();
  formats();
  buffers();
  volumes_and_layers();
  surfaces();
  views();
  references();
  module_references();
  refusals();
  return example::verdict(g_failures == 0);
}
#endif
