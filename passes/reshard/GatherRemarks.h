// Says where a dim is gathered because no algorithm splits what an op does with it.
#pragma once

#include "spmd/ir/choose/Choose.h"
#include "spmd/ir/sharding/Mesh.h"

#include "mlir/IR/Operation.h"

namespace spmd {

/// Remarks on each dim of an operand of `op` that is cut along axes which `choice` has along no dim
/// of the operand, if the rule of its strategy knows no way to split the dim. What cost alone
/// decides is not worth a word, nor what is made anew.
void remarkOnGathers(mlir::Operation *op, const Strategies &strategies, const Choice &choice,
                     absl::Span<const TensorSituation> operands,
                     llvm::function_ref<const Mesh &(int32_t)> meshAt);

} // namespace spmd
