#include "spmd/passes/plan/Parameters.h"

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/spmd/Dialect.h"

namespace spmd {

bool isCut(ValueSharding own) {
  return own && own.state == ShardingState::pinned &&
         llvm::any_of(own.attr.getSpec().dims,
                      [](const DimSpec &dim) { return !dim.axes.empty(); });
}

/// Whether `type` has integers as wide as indices and positions are.
static bool isWideInteger(mlir::Type type) {
  if (auto buffer = llvm::dyn_cast<BufferType>(type))
    type = buffer.getTensor();
  auto element = llvm::dyn_cast<mlir::IntegerType>(mlir::getElementTypeOrSelf(type));
  return element && element.getWidth() >= 32;
}

/// It trains if it updates most of the weights it multiplies with, but for integers, which nothing
/// trains. (Where it updates few, these may be caches, or activations that residuals are added to.)
Parameters::Parameters(mlir::func::FuncOp entry, llvm::ArrayRef<ParameterUse> uses)
    : arguments(entry.getArguments()), uses(uses) {
  size_t numWeights = 0, numUpdated = 0;
  for (auto [i, use] : llvm::enumerate(uses)) {
    bool isCut = isCutArgument(i);
    if (isCut)
      for (auto [d, dim] : llvm::enumerate(shardingOf(arguments[i]).attr.getSpec().dims))
        if (!dim.axes.empty())
          cutDims.insert({static_cast<int64_t>(d), shapeOf(arguments[i])[d]});
    bool isWeight = use.isInProduct() && !isWideInteger(arguments[i].getType()) && !isCut;
    numWeights += isWeight;
    numUpdated += isWeight && use.isUpdated;
  }
  trains = 2 * numUpdated > numWeights;
}

bool Parameters::isCutArgument(int64_t index) const { return isCut(shardingOf(arguments[index])); }

/// What the program cuts itself is an input, though it may give its memory to a result.
bool Parameters::isTrained(int64_t index) const {
  return uses[index].isUpdated && !isCutArgument(index);
}

bool Parameters::meetsProductOfWeights(const ParameterUse &use) const {
  if (use.partner == ParameterUse::none || !isTrained(use.partner))
    return false;
  llvm::ArrayRef<int64_t> factors = uses[use.partner].factors;
  return !factors.empty() && llvm::all_of(factors, [&](int64_t i) { return isTrained(i); });
}

bool Parameters::isInput(int64_t index) const {
  const ParameterUse &use = uses[index];
  return llvm::any_of(use.factors, [&](int64_t i) { return isTrained(i); }) &&
         llvm::any_of(use.kept, [&](int64_t dim) {
           return cutDims.contains({dim, shapeOf(arguments[index])[dim]});
         });
}

const char *Parameters::whyNone(int64_t index) const {
  const ParameterUse &use = uses[index];
  if (!trains || use.isUpdated)
    return nullptr;
  // A weight that is kept in integers is multiplied.
  if (isWideInteger(arguments[index].getType()) && !use.isOfNumbers)
    return "it holds indices";
  if (!use.isInProduct() && use.meetsProduct && !meetsProductOfWeights(use))
    return "has no product with it";
  return isInput(index) ? "multiplies it by what it trains" : nullptr;
}

} // namespace spmd
