// What a counterexample says.
#pragma once

#include "spmd/lowering/interpreter/Tensor.h"
#include "spmd/passes/verify/rules/OpProgram.h"

#include <string>
#include <vector>

namespace spmd {

/// Returns `rule ([i])->([i]) {i=5} is false: with i over "x" on <["x"=2]>`.
std::string describeSplit(const PlacedOp &placed);

/// Returns `device 1 gives 3 at [2, 0] of result 0, the whole op 4`, for element `element`.
std::string describeDifference(const PlacedOp &placed, size_t result, int64_t element,
                               const Tensor &actual, const Tensor &expected);

/// Returns how each operand and result lies, a line each.
std::vector<std::string> describeTensors(const PlacedOp &placed);

} // namespace spmd
