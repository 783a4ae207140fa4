#include "spmd/passes/verify/rules/Describe.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/ir/sharding/Spec.h"
#include "spmd/lowering/interpreter/Elements.h"

#include "absl/strings/str_cat.h"

namespace spmd {

static std::string typeText(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::string describeSplit(const PlacedOp &placed) {
  std::string along;
  for (size_t f = 0; f < placed.factorAxes.size(); ++f)
    if (!placed.factorAxes[f].empty())
      absl::StrAppend(&along, along.empty() ? "" : " and ", factorName(f), " over ",
                      str(toSpecs(*placed.mesh, placed.factorAxes[f])));
  if (!placed.partial.operands.empty())
    absl::StrAppend(
        &along, along.empty() ? "" : " and ", "operand ", placed.partial.operands.front(),
        placed.partial.operands.size() > 1 ? " and others as shares of a " : " as shares of a ",
        nameOf(placed.partial.kind));
  return absl::StrCat("rule ", placed.strategy->rule.str(), " is false: with ",
                      along.empty() ? "nothing split" : along, " on ", placed.mesh->str());
}

/// Returns the first device that holds element `element` of result `result`, or a share of it.
static int64_t deviceOf(const PlacedOp &placed, size_t result, int64_t element,
                        const std::vector<int64_t> &shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0; element /= shape[d])
    index[d] = element % shape[d];
  Sharding sharding = shardingOfResult(placed, result);
  for (int64_t position = 0; position < placed.mesh->numDevices(); ++position) {
    Shard shard = shardAt(*placed.mesh, sharding, shape, position);
    bool holds = true;
    for (size_t d = 0; d < shape.size(); ++d)
      holds &= index[d] >= shard.offsets[d] && index[d] < shard.offsets[d] + shard.sizes[d];
    if (holds)
      return placed.mesh->deviceAt(position);
  }
  return 0;
}

std::string describeDifference(const PlacedOp &placed, size_t result, int64_t element,
                               const Tensor &actual, const Tensor &expected) {
  const std::vector<int64_t> &shape = expected.type().shape;
  bool isShare = !shardingOfResult(placed, result).unreduced.empty();
  return absl::StrCat("device ", deviceOf(placed, result, element, shape),
                      isShare ? " and those it sums up with give " : " gives ",
                      elementText(actual, element), " at ", indexText(shape, element),
                      " of result ", result, ", expected ", elementText(expected, element));
}

std::vector<std::string> describeTensors(const PlacedOp &placed) {
  std::vector<std::string> lines;
  const OpRule &rule = placed.strategy->rule;
  for (mlir::OpOperand &operand : placed.op->getOpOperands())
    lines.push_back(absl::StrCat(
        "operand ", operand.getOperandNumber(), " is ", typeText(operand.get().getType()), ", ",
        toSpec(*placed.mesh,
               unproject(rule, rule.operands[operand.getOperandNumber()], placed.factorAxes))
            .str()));
  for (mlir::OpResult result : placed.op->getResults())
    lines.push_back(absl::StrCat(
        "result ", result.getResultNumber(), " is ", typeText(result.getType()), ", ",
        toSpec(*placed.mesh, shardingOfResult(placed, result.getResultNumber())).str()));
  return lines;
}

} // namespace spmd
