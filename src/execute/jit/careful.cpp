#include "execute/jit/careful.hpp"

#include <algorithm>
#include <vector>

#include "execute/jit/run.hpp"
#include "isa/catalogue.hpp"

namespace wavetank::execute::jit {
namespace {

using machine::Wave;

constexpr std::size_t kMostBytes = std::size_t{4} << 20;

bool contains(const std::vector<unsigned>& list, unsigned name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// The run of a block, of ops as they were before code took the place of handlers.
class RunAgain {
 public:
  RunAgain(const Op* first, const Block& block) : block_(block) {
    for (const auto& [slot, handler] : block.ops) {
      ops_.push_back(first[slot]);
      ops_.back().run = handler;
    }
    OpTable table(ops_);
    for (std::size_t i = 0; i < ops_.size(); ++i) {
      accesses_.push_back(access_of(table, i));
    }
  }

  /// The ops from the `from`th on, up to the `to`th.
  Run part(std::size_t from, std::size_t to) const {
    Run run;
    for (std::size_t i = from; i < to; ++i) {
      run.ops.push_back({&ops_[i], &isa::catalogue()[ops_[i].row], accesses_[i]});
      for (const unsigned sgpr : accesses_[i].mask_writes) {
        if (!contains(block_.masks, sgpr) && !is_read_behind(to, &Access::mask_reads, sgpr)) {
          run.dead_masks.push_back(sgpr);
        }
      }
    }
    for (const unsigned name : block_.dead_registers) {
      if (!is_read_behind(to, &Access::vector_reads, name)) run.dead_registers.push_back(name);
    }
    return run;
  }
  /// What is kept of such a part.
  void fill(Block& piece, const Run& run, std::size_t from, std::size_t to) const {
    const std::uint32_t start = block_.ops[from].first;
    piece.slots = (to < ops_.size() ? block_.ops[to].first : block_.slots) - start;
    piece.masks = written_masks(run);
    piece.patience = Block::kForever;
    for (std::size_t i = from; i < to; ++i) {
      piece.ops.emplace_back(block_.ops[i].first - start, block_.ops[i].second);
    }
  }
  std::size_t size() const { return ops_.size(); }
  std::uint32_t op_bytes(std::size_t at) const {
    return static_cast<std::uint32_t>(block_.ops[at].first * sizeof(Op));
  }
  Handler handler(std::size_t at) const { return block_.ops[at].second; }

 private:
  static Access access_of(OpTable& table, std::size_t slot) {
    if (const Access* const access = table.in_runs(slot)) return *access;
    const auto masks = table.among_masks(slot);
    return masks ? masks->masks : Access();
  }
  bool is_read_behind(std::size_t to, std::vector<unsigned> Access::* reads, unsigned name) const {
    return std::any_of(accesses_.begin() + static_cast<std::ptrdiff_t>(to), accesses_.end(),
                       [&](const Access& access) { return contains(access.*reads, name); });
  }

  const Block& block_;
  std::vector<Op> ops_;
  std::vector<Access> accesses_;
};

/// Runs a block by handlers. Makes careful code if they have come often enough.
void run_handlers(Wave& wave, const Op* first, Block& block) {
  std::atomic_ref misses(block.guard.misses);
  const std::uint32_t before = misses.fetch_add(1, std::memory_order_relaxed);
  for (const auto& [slot, handler] : block.ops) handler(wave, first + slot);
  if (before != block.patience || block.careful.load(std::memory_order_acquire) != nullptr) return;
  block.careful.store(CarefulCode::compile(first, block).release(), std::memory_order_release);
}

/// Calls the handler of an op that has no careful code.
void emit_call(HostCode& code, Handler handler, std::uint32_t op_bytes) {
  code.vzeroupper();
  code.push(code.rdi);
  code.push(code.rsi);
  code.sub(code.rsp, 8);
  code.add(code.rsi, op_bytes);
  code.mov(code.rax, reinterpret_cast<std::uint64_t>(handler));
  code.call(code.rax);
  code.add(code.rsp, 8);
  code.pop(code.rsi);
  code.pop(code.rdi);
}

}  // namespace

Block::~Block() { delete careful.load(std::memory_order_acquire); }

std::unique_ptr<CarefulCode> CarefulCode::compile(const Op* first, const Block& block) {
  std::unique_ptr<CarefulCode> result(new CarefulCode(kMostBytes));
  if (result->memory_.begin() == nullptr) return nullptr;
  HostCode code(result->memory_.begin(), kMostBytes);
  const RunAgain again(first, block);
  struct Piece {
    std::unique_ptr<Run> run;
    RunCode code;
    std::uint32_t op_bytes;
    Block* block;
  };
  std::deque<Piece> pieces;
  Sketch sketch;
  for (std::size_t from = 0, to = again.size(); from < again.size();) {
    const std::size_t start = code.position();
    code.begin_part();
    Block& block_of_piece = result->pieces_.emplace_back();
    auto run = std::make_unique<Run>(again.part(from, to));
    RunCode piece(*vector_unit(), code, *run, sketch, true);
    const std::size_t fit = piece.emit(&block_of_piece.guard);
    if (fit < run->ops.size()) {
      result->pieces_.pop_back();
      code.rewind(start);
      if (!code.has_room(kMostBytes / 2)) return nullptr;
      if (fit == 0) {
        emit_call(code, again.handler(from), again.op_bytes(from));
        ++from;
      }
      to = fit == 0 ? again.size() : from + fit;
      continue;
    }
    again.fill(block_of_piece, *run, from, to);
    pieces.push_back({std::move(run), std::move(piece), again.op_bytes(from), &block_of_piece});
    from = to;
    to = again.size();
  }
  code.vzeroupper();
  code.ret();
  for (Piece& piece : pieces) piece.code.emit_failure(piece.op_bytes, piece.block, finish);
  code.place_constants();
  if (!result->memory_.seal(code.position())) return nullptr;
  for (Block& piece : result->pieces_) piece.locate(result->memory_.begin());
  return result;
}

bool CarefulCode::run(Wave& wave, const Op* first) {
  constexpr std::uint64_t kFew = 64;
  const std::atomic_ref calls(calls_);
  const std::uint32_t before = calls.load(std::memory_order_relaxed);
  if (misses() > kFew + before / 2) return false;
  calls.store(before + 1, std::memory_order_relaxed);
  const machine::AccessGuard* const guard = wave.guard;
  using Code = void (*)(Wave&, const Op*);
  reinterpret_cast<Code>(memory_.begin())(wave, first);
  wave.guard = guard;
  return true;
}

std::uint64_t CarefulCode::misses() {
  std::uint64_t misses = 0;
  for (Block& piece : pieces_) {
    misses += std::atomic_ref(piece.guard.misses).load(std::memory_order_relaxed);
  }
  return misses;
}

void finish(Wave& wave, const Op* first, unsigned first_lane, Block* block, std::uint64_t mask0,
            std::uint64_t mask1, std::uint64_t mask2) {
  const std::uint64_t exec = wave.exec(), done = (std::uint64_t{1} << first_lane) - 1;
  const std::uint32_t scc = wave.scc;  // handlers of mask ops write it, which no run does
  wave.set_exec(exec & ~done);
  CarefulCode* const careful = block->careful.load(std::memory_order_acquire);
  if (careful == nullptr || !careful->run(wave, first)) {
    run_handlers(wave, first, *block);
  }
  wave.set_exec(exec);
  wave.scc = scc;
  const std::uint64_t stored[] = {mask0, mask1, mask2};
  for (std::size_t i = 0; i < block->masks.size(); ++i) {
    const unsigned sgpr = block->masks[i];
    wave.set_scalar64(sgpr, (wave.scalar64(sgpr) & ~done) | (stored[i] & done));
  }
}

}  // namespace wavetank::execute::jit
