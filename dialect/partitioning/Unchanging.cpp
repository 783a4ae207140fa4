#include "spmd/dialect/partitioning/Unchanging.h"

namespace spmd {

bool isHandedOn(DataFlow loop, const Flow &flow) {
  return loop.isLoop() && llvm::all_of(flow.sources, [&](mlir::OpOperand *source) {
           return source->getOwner() == loop || llvm::is_contained(flow.targets, source->get());
         });
}

bool readsByIndex(const OpRule &rule, unsigned operand) {
  return operand < rule.operands.size() && llvm::any_of(
                                               rule.operands[operand],
                                               [&](const DimFactors &dim) {
                                                 return llvm::any_of(dim, [&](int32_t f) {
                                                   return rule.factors[f].kind == FactorKind::index;
                                                 });
                                               });
}

} // namespace spmd
