#include "spmd/passes/optimize/merge/BlockGraph.h"

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"

namespace spmd {

BlockGraph::BlockGraph(mlir::Block &block) {
  llvm::DenseMap<mlir::Operation *, int32_t> numberOf;
  for (mlir::Operation &op : block) {
    numberOf[&op] = size();
    ops.push_back(&op);
  }
  befores.begins.push_back(0);
  std::vector<int32_t> counts(ops.size());
  int32_t lastEffect = -1;
  auto wait = [&](int32_t number) {
    befores.numbers.push_back(number);
    ++counts[number];
  };
  for (mlir::Operation *op : ops) {
    auto read = [&](mlir::Operation *reader) {
      for (mlir::Value operand : reader->getOperands())
        if (mlir::Operation *maker = operand.getDefiningOp(); maker && maker->getBlock() == &block)
          wait(numberOf.lookup(maker));
    };
    read(op);
    for (mlir::Region &region : op->getRegions())
      region.walk(read);
    bool isTerminator = op->hasTrait<mlir::OpTrait::IsTerminator>();
    if (isTerminator || !mlir::isMemoryEffectFree(op)) {
      if (lastEffect >= 0)
        wait(lastEffect);
      lastEffect = numberOf.lookup(op);
    }
    befores.begins.push_back(static_cast<int32_t>(befores.numbers.size()));
  }

  afters.begins.push_back(0);
  for (int32_t count : counts)
    afters.begins.push_back(afters.begins.back() + count);
  afters.numbers.resize(befores.numbers.size());
  std::vector<int32_t> next(afters.begins.begin(), afters.begins.end() - 1);
  for (int32_t number = 0; number < size(); ++number)
    for (int32_t earlier : before(number))
      afters.numbers[next[earlier]++] = number;
}

} // namespace spmd
