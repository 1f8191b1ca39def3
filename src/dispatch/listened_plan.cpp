#include "dispatch/listened_plan.hpp"

#include <algorithm>

#include "base/system_header.hpp"
#include "dispatch/edge_places.hpp"
#include "dispatch/nearest_line.hpp"
#include "dispatch/stepped_text.hpp"
#include "execute/program_flow.hpp"

namespace wavetank::dispatch {
namespace {

class ListenedPlan final : public ListenedLaunch {
 public:
  /// Takes of the plan only what describes the launch.
  explicit ListenedPlan(const GridPlan& plan) : launch_(*plan.launch) {
    plan_.launch = &launch_;
    plan_.program = plan.program;
    plan_.loaded_code = plan.loaded_code;
    plan_.groups = plan.groups;
    plan_.source_lines = plan.source_lines;
  }
  ListenedPlan(const ListenedPlan&) = delete;
  ListenedPlan& operator=(const ListenedPlan&) = delete;

  const std::string& kernel_name() const override { return launch_.kernel->name; }
  Dim3 groups() const override { return plan_.groups; }
  Dim3 workgroup_work_items() const override { return launch_.workgroup_work_items; }
  bool is_cooperative() const override { return launch_.cooperative; }
  std::span<const std::byte> kernarg() const override {
    return {launch_.kernarg, launch_.kernarg == nullptr ? 0 : launch_.kernel->kernarg_size_bytes};
  }
  std::uint32_t lds_bytes() const override { return plan_.launch->lds_bytes(); }
  unsigned narrowest_lds_access_bytes() const override {
    return plan_.program->narrowest_lds_access_bytes();
  }
  const isa::Target& target() const override { return *plan_.program->spec().target; }
  bool learns_of_others() const override { return plan_.program->learns_of_others(); }
  bool asks_other_groups() const override { return plan_.program->asks_other_groups(); }
  const std::shared_ptr<const code_object::LoadedCodeObject>& code() const override {
    return launch_.code;
  }
  std::uint64_t translation() const override { return plan_.program->number(); }
  machine::Flow flow() const override { return execute::flow_of(*plan_.program); }
  bool holds_row(const std::function<bool(const isa::Row&)>& wanted) const override {
    return execute::holds_row(*plan_.program, wanted);
  }
  bool learns_in_group() const override { return plan_.program->word_use().learns_in_group; }
  bool orders_lds() const override { return plan_.program->word_use().orders_lds; }
  std::uint32_t index_called_from(std::uint32_t caller, std::uint32_t index) const override {
    return plan_.program->family().numbers.index_called_from(caller, index);
  }
  bool leads(std::uint32_t from, std::uint32_t to) const override {
    return plan_.program->leads(from, to);
  }
  std::vector<SteppedInstruction> describe(
      const std::vector<std::uint32_t>& indexes) const override;
  EdgePlaces edge_places(std::uint32_t index) const override {
    const auto addresses = plan_.program->family().numbers.addresses_of_index(index);
    return addresses.empty() ? EdgePlaces() : dispatch::edge_places(plan_, addresses.back());
  }

 private:
  SourceLine line_before(std::uint64_t address) const;
  static bool is_in_program(const SteppedInstruction& instruction) {
    return instruction.source.is_known() && !is_system_header(instruction.source.file);
  }

  Launch launch_;
  GridPlan plan_;
};

/// The kernel's first instruction bounds what it is looked for in, unless the address is in a
/// function before it.
SourceLine ListenedPlan::line_before(std::uint64_t address) const {
  const std::uint64_t kernel = launch_.entry_address();
  return nearest_line(address, address < kernel ? 0 : kernel,
                      [this](const std::vector<std::uint64_t>& places) {
                        std::vector<SourceLine> lines;
                        for (SteppedInstruction& one : describe_instructions(plan_, places)) {
                          lines.push_back(std::move(one.source));
                        }
                        return lines;
                      });
}

std::vector<SteppedInstruction> ListenedPlan::describe(
    const std::vector<std::uint32_t>& indexes) const {
  std::vector<std::uint64_t> addresses;  // of all instructions and the calls that led to them
  std::vector<std::size_t> counts;
  for (const std::uint32_t index : indexes) {
    const auto chain = plan_.program->family().numbers.addresses_of_index(index);
    addresses.insert(addresses.end(), chain.begin(), chain.end());
    counts.push_back(chain.size());
  }
  auto known = describe_instructions(plan_, addresses);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!known[i].source.is_known()) known[i].source = line_before(addresses[i]);
  }
  std::vector<SteppedInstruction> result;
  auto chain = known.begin();
  for (const std::size_t count : counts) {
    const auto end = chain + static_cast<std::ptrdiff_t>(count);
    result.push_back(chain == end ? SteppedInstruction() : *chain);
    const auto own = std::find_if(chain, end, is_in_program);
    if (own != end) result.back().source = own->source;
    chain = end;
  }
  return result;
}

}  // namespace

std::shared_ptr<const ListenedLaunch> listened_launch(const GridPlan& plan) {
  return std::make_shared<const ListenedPlan>(plan);
}

}  // namespace wavetank::dispatch
