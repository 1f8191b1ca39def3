// Handlers of the scalar ALU.
#include "execute/registry.hpp"
#include "execute/scalar_parameter.hpp"
#include "execute/scalar_source.hpp"
#include "isa/sop.hpp"

namespace wavetank::execute {
namespace {

using machine::Wave;

template <class T>
typename T::Bits destination(const Wave& wave, const Op* op) {
  typename T::Bits value;
  std::memcpy(&value, reinterpret_cast<const std::byte*>(&wave) + op->dst, sizeof value);
  return value;
}

template <class P>
auto read(const Wave& wave, const Op* op, unsigned source) {
  using T = typename ScalarParameter<P>::Value;
  if constexpr (ScalarParameter<P>::encoded)
    return scalar_source<T>(wave, op, source);
  else
    return destination<T>(wave, op);
}

template <class Definition, class Signature>
struct ScalarRunner;
template <class Definition, class R, class... P>
struct ScalarRunner<Definition, R(P...)> {
  template <std::size_t... I>
  static const Op* run_with(Wave& wave, const Op* op, std::index_sequence<I...>) {
    const auto call = [&] {
      return typename Definition::Body{}(wave, read<P>(wave, op, source_of_parameter<P...>(I))...);
    };
    if constexpr (std::is_void_v<R>) {
      call();
    } else {
      const auto result = static_cast<typename R::Bits>(call());
      std::memcpy(reinterpret_cast<std::byte*>(&wave) + op->dst, &result, sizeof result);
    }
    return op + op->dwords;
  }
  static const Op* run(Wave& wave, const Op* op) {
    return run_with(wave, op, std::index_sequence_for<P...>{});
  }
};

constexpr auto kScalar = []<class Definition>() {
  return HandlerSet{&ScalarRunner<Definition, typename Definition::Signature>::run};
};

}  // namespace

void append_scalar(Entries& entries) { append(entries, isa::kSopTables, kScalar); }

}  // namespace wavetank::execute
