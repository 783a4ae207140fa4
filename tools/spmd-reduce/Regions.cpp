// Regions and calls, replaced by one run of what they hold.

#include "spmd/tools/spmd-reduce/Reduce.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace spmd {

/// Returns whether the block of `region` can stand in the place of `op`: it takes nothing or the
/// op's operands, and returns the op's results. A branch does, and the body of a loop.
static bool standsFor(Region &region, Operation *op) {
  if (!llvm::hasSingleElement(region) || region.front().empty())
    return false;
  Block &block = region.front();
  bool takesOperands = llvm::equal(block.getArgumentTypes(), op->getOperandTypes());
  return (block.getNumArguments() == 0 || takesOperands) &&
         block.back().hasTrait<OpTrait::IsTerminator>() &&
         llvm::equal(block.back().getOperandTypes(), op->getResultTypes());
}

namespace {

/// A region of an op, or what a call calls.
struct Body {
  Operation *op;
  Region *region;
};

class InlineRegions : public Shrinker {
public:
  llvm::StringRef name() const override { return "regions and calls"; }
  size_t count(ModuleOp module) override { return candidates(module).size(); }
  bool isOneByOne() const override { return true; }

  void remove(ModuleOp module, size_t begin, size_t end) override {
    auto [op, region] = candidates(module)[begin];
    Block &block = region->front();
    IRMapping map;
    if (block.getNumArguments())
      map.map(block.getArguments(), op->getOperands());
    OpBuilder builder(op);
    for (Operation &inner : block.without_terminator())
      builder.clone(inner, map);
    for (auto [result, returned] : llvm::zip(op->getResults(), block.back().getOperands()))
      result.replaceAllUsesWith(map.lookupOrDefault(returned));
    auto function = dyn_cast<func::FuncOp>(region->getParentOp());
    Eraser().erase(op);
    if (function && function.isPrivate() && SymbolTable::symbolKnownUseEmpty(function, module))
      function.erase();
  }

private:
  static SmallVector<Body> candidates(ModuleOp module) {
    SymbolTable symbols(module);
    SmallVector<Body> bodies;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op)) {
        auto function = symbols.lookup<func::FuncOp>(call.getCallee());
        if (function && standsFor(function.getBody(), op))
          bodies.push_back({op, &function.getBody()});
      }
      if (isa<func::FuncOp, ModuleOp>(op))
        return;
      for (Region &region : op->getRegions())
        if (standsFor(region, op))
          bodies.push_back({op, &region});
    });
    return bodies;
  }
};

} // namespace

std::unique_ptr<Shrinker> inlineRegions() { return std::make_unique<InlineRegions>(); }

} // namespace spmd
