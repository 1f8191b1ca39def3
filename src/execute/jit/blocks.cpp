#include "execute/jit/blocks.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

#include "execute/jit/careful.hpp"
#include "execute/jit/host_code.hpp"
#include "execute/jit/last_run.hpp"
#include "execute/jit/liveness.hpp"
#include "execute/jit/loop_code.hpp"
#include "execute/jit/run.hpp"
#include "execute/jit/scalar_code.hpp"
#include "execute/private_op.hpp"
#include "isa/catalogue.hpp"
#include "isa/flow.hpp"

namespace wavetank::execute::jit {
namespace {

/// A run within a chain, until what is out of line is emitted.
struct ChainRun {
  std::unique_ptr<Run> run;
  RunCode code;
  std::uint32_t op_bytes;
  Block* block;
};

/// More than the code of any op or run with its exits and constants: a chain stops before that.
constexpr std::size_t kMostRunBytes = std::size_t{2} << 20;
constexpr std::size_t kMostChainBytes = 2 * kMostRunBytes;

/// Where branches lead back to, sorted.
std::vector<std::size_t> loop_heads(std::span<const Op> ops, std::span<const std::size_t> slots) {
  std::vector<std::size_t> heads;
  for (const std::size_t slot : slots) {
    const Op& op = ops[slot];
    if (op.run == nullptr || !isa::branches(row_of(op)) || op.branch >= 0) continue;
    heads.push_back(slot + op.dwords + static_cast<std::size_t>(op.branch));
  }
  std::ranges::sort(heads);
  return heads;
}

class Compiler {
 public:
  Compiler(const VectorUnit& unit, std::span<Op> ops, std::span<const std::size_t> slots,
           std::span<const std::size_t> leaders, const FactsOf& facts_of, Compiled compiled,
           std::deque<Block>& blocks, HostCode& code)
      : unit_(unit),
        ops_(ops),
        leaders_(leaders.begin(), leaders.end()),
        loop_heads_(loop_heads(ops, slots)),
        liveness_(table_, slots, leaders, facts_of),
        stretches_(compiled == Compiled::kStretches),
        blocks_(blocks),
        code_(code) {}

  std::size_t loops() const { return loops_; }
  /// Slots and code positions of what was compiled.
  const std::vector<std::pair<std::size_t, std::size_t>>& entries() const { return entries_; }

  /// Only slots in `slots` are looked at: the others' memory may never have been touched.
  void compile_all(std::span<const std::size_t> slots) {
    std::size_t next = 0;
    for (const std::size_t slot : slots) {
      if (slot < next) continue;
      if (!code_.has_room(kMostChainBytes)) return;
      next = compile_chain(slot);
      compile_last_run(slot);
    }
  }

 private:
  /// Does a branch from `slot` on lead back to it?
  bool is_loop_head(std::size_t slot) const {
    return std::binary_search(loop_heads_.begin(), loop_heads_.end(), slot);
  }
  bool is_leader(std::size_t slot) const {
    return std::binary_search(leaders_.begin(), leaders_.end(), slot);
  }
  /// Have vector registers of the host been used?
  bool spoils_vectors() const { return !runs_.empty(); }

  /// Compiles a chain that begins at `slot`, if there is one; gives the slot to go on at.
  std::size_t compile_chain(std::size_t slot) {
    const std::size_t start = code_.position(), blocks = blocks_.size();
    std::size_t at = slot, count = 0;
    Flow flow = Flow::kOn;
    runs_.clear();
    exits_.clear();
    loop_ = Loop{&ops_[slot], {}, nullptr};
    may_be_loop_ = !stretches_;
    while (flow == Flow::kOn && at < ops_.size() && ops_[at].run != nullptr &&
           (at == slot || !is_leader(at)) && code_.has_room(kMostRunBytes)) {
      std::size_t next = at;
      flow = compile_op(slot, next);
      if (flow == Flow::kUnknown) break;
      at = next;
      ++count;
    }
    std::size_t ops = count - runs_.size();
    for (const ChainRun& run : runs_) ops += run.run->ops.size() + run.run->early.size();
    // One op of a timed wave is given back as soon as its handler would be.
    if (ops < (stretches_ ? 2u : 1u) && last_run_at(slot).ops.empty()) {
      code_.rewind(start);
      blocks_.resize(blocks);
      return slot + ops_[slot].dwords;
    }
    if (stretches_)
      emit_give(code_, bytes_between(slot, at), spoils_vectors());
    else if (flow != Flow::kEnds)
      emit_go_on(code_, bytes_between(slot, at), spoils_vectors());
    const auto loop = compile_loop(start);
    emit_exits();
    code_.place_constants();
    entries_.emplace_back(slot, loop.value_or(start));
    return at;
  }

  /// Notes a scalar op of the chain, or a run: they may be of a loop that the chain begins with.
  void note_scalar(const Op& op, const isa::Row& row, Flow flow) {
    if (!may_be_loop_) return;
    if (!isa::branches(row)) return loop_.steps.push_back({&op, scc_is_read_behind(op)});
    const bool returns = &op + 1 + op.branch == loop_.first && flow == Flow::kOn && !op.polls;
    if (returns && !runs_.empty()) {
      loop_.branch = &op;
      runs_of_loop_ = runs_.size();
    }
    may_be_loop_ = false;
  }
  void note_run(const Run& run) {
    may_be_loop_ = may_be_loop_ && !crosses_rows(run);
    if (!may_be_loop_) return;
    for (const EarlyOp& early : run.early) {
      loop_.steps.push_back({early.op, scc_is_read_behind(*early.op)});
    }
    loop_.steps.push_back({});
  }

  /// Emits the loop that the chain at `start` begins with, if it does; gives its code's position.
  std::optional<std::size_t> compile_loop(std::size_t start) {
    if (loop_.branch == nullptr) return std::nullopt;
    std::vector<RunCode*> runs;
    std::size_t ops = 0;
    for (ChainRun& one : std::span(runs_).first(runs_of_loop_)) {
      runs.push_back(&one.code);
      ops += one.run->ops.size();
    }
    constexpr std::size_t kMostOps = 128;  // whose code stands there for each strip
    if (ops > kMostOps || !code_.has_room(kMostRunBytes)) return std::nullopt;
    for (RunCode* const run : runs) run->set_left(true);
    const std::size_t position = code_.position();
    code_.begin_part();
    LoopCode code(unit_, code_, loop_, runs, sketch_, scalar_sketch_);
    if (code.emit(blocks_.emplace_back(), {code_.getCode() + start, nullptr})) {
      ++loops_;
      return position;
    }
    code_.rewind(position);
    blocks_.pop_back();
    for (RunCode* const run : runs) run->set_left(false);
    return std::nullopt;
  }

  /// The run from `slot` to the store that ends the wave; without ops if there is none,
  /// or it leaves anything in registers.
  Run last_run_at(std::size_t slot) {
    if (!unit_.last_runs || stretches_) return {};
    Run run = find_last_run(table_, slot, leaders_);
    if (run.ops.empty()) return run;
    find_dead(liveness_, run);
    if (!written_masks(run).empty() || !leaves_no_registers(run)) return {};
    return run;
  }

  /// Compiles such a run, to be tried before what is at `slot`.
  void compile_last_run(std::size_t slot) {
    const Run run = last_run_at(slot);
    if (run.ops.empty()) return;
    const bool chain = !entries_.empty() && entries_.back().first == slot;
    const Otherwise otherwise{chain ? code_.getCode() + entries_.back().second : nullptr,
                              chain ? nullptr : ops_[slot].run};
    const std::size_t start = code_.position();
    code_.begin_part();
    Block& block = blocks_.emplace_back();
    fill(block, run, slot);
    LastRunCode code(code_, run);
    if (code.emit(block.slots * sizeof(Op), block, otherwise)) {
      entries_.emplace_back(slot, start);
    } else {
      code_.rewind(start);
      blocks_.pop_back();
    }
  }

  static std::uint32_t bytes_between(std::size_t first, std::size_t slot) {
    return static_cast<std::uint32_t>((slot - first) * sizeof(Op));
  }

  /// Compiles the op at `at`, or the run that begins there, and moves `at` past it.
  Flow compile_op(std::size_t chain, std::size_t& at) {
    const Op& op = ops_[at];
    if (!has_own_handler(op) || (stretches_ && !is_private(op))) return Flow::kUnknown;
    const isa::Row& row = isa::catalogue()[op.row];
    if (table_.in_runs(at) != nullptr) {
      if (at != chain && !last_run_at(at).ops.empty()) return Flow::kUnknown;
      return compile_run(chain, at) ? Flow::kOn : Flow::kUnknown;
    }
    const ScalarPlace place = scalar_place(chain, at);
    at += op.dwords;
    if (does_nothing(op, row)) return Flow::kOn;
    const Flow flow = emit_scalar(code_, scalar_sketch_, op, row, place, exits_);
    note_scalar(op, row, flow);
    const bool ends = stretches_ && flow == Flow::kOn && changes_exec(scalar_sketch_, op);
    return ends ? Flow::kEnds : flow;
  }

  /// Cuts the run at `at` to its longest start that compiles; false if there is none.
  bool compile_run(std::size_t chain, std::size_t& at) {
    const std::size_t start = code_.position(), exits = exits_.size();
    const bool loads_early = !stretches_ && !is_loop_head(chain);
    auto run = std::make_unique<Run>(find_run(table_, at, leaders_, !stretches_, loads_early));
    while (!run->ops.empty()) {
      find_dead(liveness_, *run);
      std::size_t fit = std::min(ops_before_scc(*run), emit_early(*run, chain, at));
      if (fit == run->ops.size()) {
        code_.begin_part();
        RunCode code(unit_, code_, *run, sketch_, false);
        Block& block = blocks_.emplace_back();
        fit = code.emit(&block.guard);
        if (fit == run->ops.size()) {
          fill(block, *run, at);
          const std::uint32_t op_bytes = bytes_between(chain, at);
          at = run->ends.back();
          note_run(*run);
          runs_.push_back({std::move(run), std::move(code), op_bytes, &block});
          return true;
        }
        blocks_.pop_back();
      }
      code_.rewind(start);
      exits_.resize(exits);  // their jumps are gone: a label that is placed would write over others
      run->cut(fit);
    }
    return false;
  }

  std::size_t slot_of(const Op& op) const { return static_cast<std::size_t>(&op - ops_.data()); }
  bool scc_is_read_behind(const Op& op) {
    return liveness_.before(slot_of(op) + op.dwords).scalars.test(Live::kScc);
  }
  ScalarPlace scalar_place(std::size_t chain, std::size_t slot) {
    const Op& op = ops_[slot];
    const isa::Row& row = row_of(op);
    const bool may_give_scc = row.unit == isa::Unit::kSalu && !isa::branches(row);
    return {bytes_between(chain, slot), spoils_vectors(), !may_give_scc || scc_is_read_behind(op)};
  }

  /// How many ops of a run there are before one that must give SCC: runs do not.
  std::size_t ops_before_scc(const Run& run) {
    const auto gives = [&](const RunOp& step) {
      return step.writes_scc && scc_is_read_behind(*step.op);
    };
    return static_cast<std::size_t>(std::ranges::find_if(run.ops, gives) - run.ops.begin());
  }

  /// Emits the scalar ops of the run at `at`; gives how many ops of it may follow them. Where one
  /// is left to its handler the run begins again, by handlers.
  std::size_t emit_early(const Run& run, std::size_t chain, std::size_t at) {
    for (const EarlyOp& scalar : run.early) {
      const std::size_t exits = exits_.size();
      const Flow flow = emit_scalar(code_, scalar_sketch_, *scalar.op, row_of(*scalar.op),
                                    scalar_place(chain, slot_of(*scalar.op)), exits_);
      if (flow != Flow::kOn) return scalar.behind - 1;
      for (std::size_t i = exits; i < exits_.size(); ++i) {
        exits_[i].op_bytes = bytes_between(chain, at);
        exits_[i].handler = ops_[at].run;
      }
    }
    return run.ops.size();
  }

  void fill(Block& block, const Run& run, std::size_t slot) const {
    block.slots = static_cast<std::uint32_t>(run.ends.back() - slot);
    block.masks = written_masks(run);
    block.dead_registers = run.dead_registers;
    for (const RunOp& step : run.ops) {
      block.ops.emplace_back(static_cast<std::uint32_t>(step.op - &ops_[slot]), step.op->run);
    }
  }

  /// What chains rarely come to, behind their code.
  void emit_exits() {
    for (const HandlerExit& exit : exits_) {
      code_.L(*exit.label);
      if (spoils_vectors()) code_.vzeroupper();
      code_.add(code_.rsi, exit.op_bytes);
      code_.mov(code_.rax, reinterpret_cast<std::uint64_t>(exit.handler));
      code_.jmp(code_.rax);
    }
    for (ChainRun& run : runs_) run.code.emit_failure(run.op_bytes, run.block, finish);
  }

  const VectorUnit& unit_;
  std::span<Op> ops_;
  std::vector<std::size_t> leaders_, loop_heads_;
  OpTable table_{ops_};
  Liveness liveness_;
  const bool stretches_;
  std::deque<Block>& blocks_;
  HostCode& code_;
  Sketch sketch_;
  ScalarSketch scalar_sketch_;
  std::vector<ChainRun> runs_;
  Loop loop_;  ///< that the present chain begins with; it has a branch once it is known to be one
  std::size_t runs_of_loop_ = 0, loops_ = 0;
  bool may_be_loop_ = false;
  std::deque<HandlerExit> exits_;
  std::vector<std::pair<std::size_t, std::size_t>> entries_;
};

}  // namespace

bool available() {
  const char* const asked = std::getenv("WAVETANK_JIT");
  return vector_unit() != nullptr && (asked == nullptr || std::string_view(asked) != "0");
}

std::unique_ptr<Blocks> Blocks::compile(std::span<Op> ops, std::span<const std::size_t> slots,
                                        std::span<const std::size_t> leaders,
                                        const FactsOf& facts_of, Compiled compiled) {
  if (!available()) return nullptr;
  constexpr std::size_t kMostBytesOfAnOp = 4096;
  const std::size_t bytes = kMostChainBytes + slots.size() * kMostBytesOfAnOp;
  std::unique_ptr<Blocks> result(new Blocks(bytes));
  std::uint8_t* const memory = result->memory_.begin();
  if (memory == nullptr) return nullptr;
  HostCode code(memory, bytes);
  Compiler compiler(*vector_unit(), ops, slots, leaders, facts_of, compiled, result->blocks_, code);
  compiler.compile_all(slots);
  if (compiler.entries().empty()) return nullptr;
  result->count_ = compiler.entries().size();
  result->loops_ = compiler.loops();
  if (!result->memory_.seal(code.position())) return nullptr;
  for (const auto& [slot, position] : compiler.entries()) {
    ops[slot].run = reinterpret_cast<Handler>(memory + position);
  }
  for (Block& block : result->blocks_) block.locate(memory);
  return result;
}

std::uint64_t Blocks::misses() const {
  std::uint64_t misses = 0;
  for (const Block& block : blocks_) {
    misses += block.guard.misses;
    CarefulCode* const careful = block.careful.load(std::memory_order_acquire);
    if (careful != nullptr) misses += careful->misses();
  }
  return misses;
}

void Blocks::set_patience(std::uint32_t misses) {
  for (Block& block : blocks_) block.patience = misses;
}

}  // namespace wavetank::execute::jit
