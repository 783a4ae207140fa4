#include "spmd/tools/spmd-run/StandIns.h"

#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/dialect/stablehlo/LeftOut.h"

namespace spmd {

/// Returns how many bytes MLIR keeps of one element.
static size_t bytesOf(mlir::Type element) {
  auto complex = llvm::dyn_cast<mlir::ComplexType>(element);
  if (complex)
    return 2 * bytesOf(complex.getElementType());
  return element.isIntOrFloat() ? (element.getIntOrFloatBitWidth() + 7) / 8 : 0;
}

void standInForLeftOut(mlir::ModuleOp module) {
  module.walk([](stablehlo::ConstantOp constant) {
    if (!isLeftOut(constant.getValue()))
      return;
    mlir::ShapedType type = constant.getValue().getShapedType();
    std::vector<char> zero(bytesOf(type.getElementType()), 0);
    bool isSplat = false;
    if (!zero.empty() && mlir::DenseElementsAttr::isValidRawBuffer(type, zero, isSplat))
      constant.setValueAttr(mlir::DenseElementsAttr::getFromRawBuffer(type, zero));
  });
}

void standInForCalls(const DeviceProgram &program, KernelRegistry &kernels) {
  for (const Function &function : program.functions)
    for (const Instruction &instruction : function.instructions) {
      if (instruction.op != "custom_call")
        continue;
      absl::StatusOr<std::string> target =
          instruction.attributes.get<std::string>("call_target_name");
      if (!target.ok() || kernels.findCustomCall(*target))
        continue;
      kernels.addCustomCall(
          *target, [](auto...) { return absl::UnimplementedError("nothing computes this call"); });
    }
}

} // namespace spmd
