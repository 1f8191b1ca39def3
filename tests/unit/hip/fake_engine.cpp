// An Engine that computes nothing: it records launches and runs a function that the test gives.
#include "unit/hip/fake_engine.hpp"

#include <mutex>

namespace wavetank::dispatch {

struct Engine::State {
  target::Device device;
  LoadedCode loaded_code;
};

Engine::Engine(const target::Device& device, machine::DeviceMemory&, EngineOptions)
    : state_(new State{device, {}}) {}
Engine::~Engine() = default;

Result<void> Engine::check(const Launch&) const { return {}; }

Result<void> Engine::run(const Launch& launch) { return test::fake_engine().run(launch); }

Result<void> Engine::run_listened(const Launch&, const MakeListener&) {
  return fail(ErrorCode::kInternal, "the fake engine has no instructions to hear of");
}

Result<std::vector<SteppedInstruction>> Engine::run_stepped(const Launch&, const StepDriver&) {
  return fail(ErrorCode::kInternal, "the fake engine steps through no waves");
}

Result<std::vector<std::byte>> Engine::arguments_that_count(const Launch&) {
  return fail(ErrorCode::kInternal, "the fake engine knows no kernel's code");
}

unsigned Engine::workgroups_per_cu(const code_object::Kernel&, std::uint32_t, std::uint32_t) const {
  return 2;
}

const target::Device& Engine::device() const { return state_->device; }
LoadedCode& Engine::loaded_code() { return state_->loaded_code; }

}  // namespace wavetank::dispatch

namespace wavetank::test {

FakeEngine& fake_engine() {
  static FakeEngine engine;
  return engine;
}

Result<void> FakeEngine::run(const dispatch::Launch& launch) {
  std::function<Result<void>(const dispatch::Launch&)> body;
  {
    const std::lock_guard lock(mutex_);
    body = body_;
  }
  return body ? body(launch) : Result<void>{};
}

void FakeEngine::set_body(std::function<Result<void>(const dispatch::Launch&)> body) {
  const std::lock_guard lock(mutex_);
  body_ = std::move(body);
}

}  // namespace wavetank::test
