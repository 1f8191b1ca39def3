#include "code_object/metadata.hpp"

#define MSGPACK_NO_BOOST
#include <array>
#include <limits>
#include <msgpack.hpp>
#include <optional>
#include <string_view>
#include <utility>

namespace wavetank::code_object {
namespace {

using Object = msgpack::object;

// Depth in use: map, array of kernels, map, array of arguments, map, value.
constexpr std::size_t kMaxDepth = 8;
constexpr std::uint32_t kMaxKernargBytes = 1u << 20;

constexpr std::pair<std::string_view, ArgumentKind> kArgumentKinds[] = {
    {"by_value", ArgumentKind::kByValue},
    {"global_buffer", ArgumentKind::kGlobalBuffer},
    {"dynamic_shared_pointer", ArgumentKind::kDynamicSharedPointer},
    {"image", ArgumentKind::kImage},
    {"sampler", ArgumentKind::kSampler},
    {"queue", ArgumentKind::kQueue},
    {"pipe", ArgumentKind::kPipe},
    {"hidden_block_count_x", ArgumentKind::kHiddenBlockCountX},
    {"hidden_block_count_y", ArgumentKind::kHiddenBlockCountY},
    {"hidden_block_count_z", ArgumentKind::kHiddenBlockCountZ},
    {"hidden_group_size_x", ArgumentKind::kHiddenGroupSizeX},
    {"hidden_group_size_y", ArgumentKind::kHiddenGroupSizeY},
    {"hidden_group_size_z", ArgumentKind::kHiddenGroupSizeZ},
    {"hidden_remainder_x", ArgumentKind::kHiddenRemainderX},
    {"hidden_remainder_y", ArgumentKind::kHiddenRemainderY},
    {"hidden_remainder_z", ArgumentKind::kHiddenRemainderZ},
    {"hidden_global_offset_x", ArgumentKind::kHiddenGlobalOffsetX},
    {"hidden_global_offset_y", ArgumentKind::kHiddenGlobalOffsetY},
    {"hidden_global_offset_z", ArgumentKind::kHiddenGlobalOffsetZ},
    {"hidden_grid_dims", ArgumentKind::kHiddenGridDims},
    {"hidden_printf_buffer", ArgumentKind::kHiddenPrintfBuffer},
    {"hidden_hostcall_buffer", ArgumentKind::kHiddenHostcallBuffer},
    {"hidden_multigrid_sync_arg", ArgumentKind::kHiddenMultigridSyncArg},
    {"hidden_heap_v1", ArgumentKind::kHiddenHeapV1},
    {"hidden_default_queue", ArgumentKind::kHiddenDefaultQueue},
    {"hidden_completion_action", ArgumentKind::kHiddenCompletionAction},
    {"hidden_dynamic_lds_size", ArgumentKind::kHiddenDynamicLdsSize},
    {"hidden_private_base", ArgumentKind::kHiddenPrivateBase},
    {"hidden_shared_base", ArgumentKind::kHiddenSharedBase},
    {"hidden_queue_ptr", ArgumentKind::kHiddenQueuePtr},
    {"hidden_none", ArgumentKind::kHiddenNone},
};

tl::unexpected<Error> bad_metadata(std::string message) {
  return fail(ErrorCode::kBadMetadata, std::move(message));
}

std::optional<std::string_view> as_text(const Object& object) {
  if (object.type != msgpack::type::STR) return std::nullopt;
  return std::string_view(object.via.str.ptr, object.via.str.size);
}

/// A map of the metadata. The first thing that is wrong is kept, so that a reader can take all
/// fields and look for an error once.
class Fields {
 public:
  explicit Fields(const Object& object) : object_(object) {
    if (object.type != msgpack::type::MAP) error_ = "an entry is no map";
  }

  const std::string& error() const { return error_; }

  const Object* find(std::string_view key) const {
    if (object_.type != msgpack::type::MAP) return nullptr;
    for (const auto& entry : object_.via.map) {
      if (as_text(entry.key) == key) return &entry.val;
    }
    return nullptr;
  }

  /// Stores the number under `key`, if it is there.
  void take(std::string_view key, std::uint32_t& value) {
    const Object* object = find(key);
    if (object == nullptr) return;
    if (object->type != msgpack::type::POSITIVE_INTEGER ||
        object->via.u64 > std::numeric_limits<std::uint32_t>::max()) {
      set_error(key, "is no 32-bit number");
      return;
    }
    value = static_cast<std::uint32_t>(object->via.u64);
  }

  void take(std::string_view key, bool& value) {
    const Object* object = find(key);
    if (object == nullptr) return;
    if (object->type == msgpack::type::BOOLEAN) {
      value = object->via.boolean;
    } else if (object->type == msgpack::type::POSITIVE_INTEGER) {
      value = object->via.u64 != 0;
    } else {
      set_error(key, "is no truth value");
    }
  }

  void take(std::string_view key, std::string& value) {
    const Object* object = find(key);
    if (object == nullptr) return;
    if (const auto text = as_text(*object)) {
      value = std::string(*text);
    } else {
      set_error(key, "is no text");
    }
  }

  void take(std::string_view key, Dim3& value) {
    const Object* object = find(key);
    if (object == nullptr) return;
    std::array<std::uint32_t*, 3> parts = {&value.x, &value.y, &value.z};
    if (object->type != msgpack::type::ARRAY || object->via.array.size != parts.size()) {
      set_error(key, "has not three numbers");
      return;
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Object& part = object->via.array.ptr[i];
      if (part.type != msgpack::type::POSITIVE_INTEGER ||
          part.via.u64 > std::numeric_limits<std::uint32_t>::max()) {
        set_error(key, "has not three 32-bit numbers");
        return;
      }
      *parts[i] = static_cast<std::uint32_t>(part.via.u64);
    }
  }

  /// As take(), but the key must be there.
  template <class T>
  void require(std::string_view key, T& value) {
    if (find(key) == nullptr) {
      set_error(key, "is missing");
      return;
    }
    take(key, value);
  }

  /// The elements of the array under `key`; none if it is not there.
  std::span<const Object> elements(std::string_view key) {
    const Object* object = find(key);
    if (object == nullptr) return {};
    if (object->type != msgpack::type::ARRAY) {
      set_error(key, "is no array");
      return {};
    }
    return {object->via.array.ptr, object->via.array.size};
  }

  void set_error(std::string_view key, std::string_view problem) {
    if (error_.empty()) error_ = std::string(key) + " " + std::string(problem);
  }

 private:
  const Object& object_;
  std::string error_;
};

std::optional<ArgumentKind> argument_kind(std::string_view text) {
  for (const auto& [name, kind] : kArgumentKinds) {
    if (name == text) return kind;
  }
  return std::nullopt;
}

Result<Argument> read_argument(const Object& object, std::uint32_t kernarg_size_bytes) {
  Fields fields(object);
  Argument argument;
  std::string kind_text;
  fields.take(".name", argument.name);
  fields.require(".offset", argument.offset_bytes);
  fields.require(".size", argument.size_bytes);
  fields.require(".value_kind", kind_text);
  if (!fields.error().empty()) return bad_metadata("a kernel argument's " + fields.error());
  const auto kind = argument_kind(kind_text);
  if (!kind) {
    return bad_metadata("a kernel argument has the unknown kind \"" + kind_text.substr(0, 64) +
                        "\"");
  }
  argument.kind = *kind;
  const std::uint64_t end = std::uint64_t{argument.offset_bytes} + argument.size_bytes;
  if (end > kernarg_size_bytes) {
    return bad_metadata("a kernel argument ends at byte " + std::to_string(end) + " of " +
                        std::to_string(kernarg_size_bytes) + " kernel argument bytes");
  }
  return argument;
}

void read_numbers(Fields& fields, Kernel& kernel) {
  fields.require(".kernarg_segment_size", kernel.kernarg_size_bytes);
  fields.require(".kernarg_segment_align", kernel.kernarg_align_bytes);
  fields.require(".group_segment_fixed_size", kernel.group_segment_bytes);
  fields.require(".private_segment_fixed_size", kernel.private_segment_bytes);
  fields.take(".sgpr_count", kernel.sgpr_count);
  fields.take(".vgpr_count", kernel.vgpr_count);
  fields.take(".agpr_count", kernel.agpr_count);
  fields.take(".sgpr_spill_count", kernel.sgpr_spill_count);
  fields.take(".vgpr_spill_count", kernel.vgpr_spill_count);
  fields.take(".max_flat_workgroup_size", kernel.max_flat_workgroup_size);
  fields.take(".reqd_workgroup_size", kernel.required_workgroup_size);
  fields.take(".uses_dynamic_stack", kernel.uses_dynamic_stack);
}

Result<Kernel> read_kernel(const Object& object) {
  Fields fields(object);
  Kernel kernel;
  fields.require(".name", kernel.name);
  fields.require(".symbol", kernel.symbol);
  read_numbers(fields, kernel);
  const auto arguments = fields.elements(".args");
  const std::string where = "kernel \"" + kernel.name.substr(0, 256) + "\"";
  const auto bad = [&where](const std::string& message) {
    return fail(ErrorCode::kBadMetadata, message, where);
  };
  if (!fields.error().empty()) return bad("a kernel's " + fields.error());
  if (kernel.kernarg_size_bytes > kMaxKernargBytes) {
    return bad("a kernel has " + std::to_string(kernel.kernarg_size_bytes) + " argument bytes");
  }
  const std::uint32_t align = kernel.kernarg_align_bytes;
  if (align == 0 || (align & (align - 1)) != 0 || align > kMaxKernargBytes) {
    return bad("a kernel's arguments are aligned to " + std::to_string(align) + " bytes");
  }
  for (const Object& element : arguments) {
    auto argument = read_argument(element, kernel.kernarg_size_bytes);
    if (!argument) return bad(argument.error().message);
    kernel.arguments.push_back(std::move(*argument));
  }
  return kernel;
}

Result<Metadata> read_document(const Object& root) {
  Fields fields(root);
  Metadata metadata;
  const auto kernels = fields.elements("amdhsa.kernels");
  const auto formats = fields.elements("amdhsa.printf");
  if (!fields.error().empty()) return bad_metadata("the kernel metadata: " + fields.error());
  for (const Object& element : kernels) {
    auto kernel = read_kernel(element);
    if (!kernel) return tl::unexpected(kernel.error());
    metadata.kernels.push_back(std::move(*kernel));
  }
  for (const Object& element : formats) {
    const auto text = as_text(element);
    if (!text) return bad_metadata("a printf format is no text");
    auto format = read_printf_format(*text);
    if (!format) return tl::unexpected(format.error());
    metadata.printf_formats.push_back(std::move(*format));
  }
  return metadata;
}

}  // namespace

Result<Metadata> read_metadata(std::span<const std::byte> note) {
  const auto* characters = reinterpret_cast<const char*>(note.data());
  // No container has more elements than the note has bytes: this and the depth bound what hostile
  // counts make the parser allocate.
  const std::size_t most = note.size();
  const msgpack::unpack_limit limits(most, most, most, most, most, kMaxDepth);
  const auto refer_to_note = [](msgpack::type::object_type, std::size_t, void*) { return true; };
  try {
    std::size_t end = 0;
    const msgpack::object_handle document =
        msgpack::unpack(characters, note.size(), end, refer_to_note, nullptr, limits);
    return read_document(document.get());
  } catch (const msgpack::unpack_error& error) {
    return bad_metadata(std::string("the kernel metadata is no MessagePack document: ") +
                        error.what());
  }
}

}  // namespace wavetank::code_object
