#include "spmd/passes/verify/rules/SmallTypes.h"

#include "spmd/dialect/partitioning/Partitionable.h"

#include <numeric>

namespace spmd {

/// Factors of more rows are cut.
static constexpr int64_t mostRows = 16;

/// Returns the least number that the devices of all meshes divide, in any way.
static int64_t dividedByAll(absl::Span<const Mesh> meshes) {
  int64_t number = 1;
  for (const Mesh &mesh : meshes)
    number = std::lcm(number, mesh.numDevices());
  return number;
}

static bool isDividedByAny(int64_t size, absl::Span<const Mesh> meshes) {
  return llvm::any_of(meshes, [&](const Mesh &mesh) {
    return llvm::any_of(
        mesh.axes(), [&](const MeshAxis &axis) { return axis.size > 1 && size % axis.size == 0; });
  });
}

static OpRule withSmallFactors(OpRule rule, const std::vector<bool> &isEven,
                               absl::Span<const Mesh> meshes) {
  for (int64_t f = 0; f < rule.numFactors(); ++f) {
    int64_t &size = rule.factors[f].size;
    if (isEven[f] && size > 1 && (size > mostRows || !isDividedByAny(size, meshes)))
      size = dividedByAll(meshes);
    else if (size > mostRows)
      size = 4 + f % 4; // 4, 5, 6, 7: no two neighbours alike.
  }
  return rule;
}

/// Returns the type of tensor `t`; null where its sizes are not those of its factors.
static mlir::Type typeOf(mlir::Type type, const OpRule &from, const OpRule &to, size_t t) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor)
    return type;
  llvm::SmallVector<int64_t> shape(tensor.getShape());
  for (auto [d, factors] : llvm::enumerate(from.tensor(t))) {
    int64_t before = 1, after = 1;
    for (int32_t factor : factors) {
      before *= from.factors[factor].size;
      after *= to.factors[factor].size;
    }
    if (before != after && before != shape[d])
      return nullptr;
    if (before != after)
      shape[d] = after;
  }
  return tensor.clone(shape);
}

static double numElements(llvm::ArrayRef<mlir::Type> types) {
  double count = 0;
  for (mlir::Type type : types)
    if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
        tensor && tensor.hasStaticShape())
      count += std::accumulate(tensor.getShape().begin(), tensor.getShape().end(), 1.0,
                               std::multiplies<double>());
  return count;
}

static llvm::SmallVector<mlir::Type> typesOf(mlir::Operation *op) {
  llvm::SmallVector<mlir::Type> types(op->getOperandTypes());
  types.append(op->result_type_begin(), op->result_type_end());
  return types;
}

double numElements(mlir::Operation *op) { return numElements(typesOf(op)); }

std::vector<bool> evenFactors(const OpRule &rule) {
  std::vector<bool> isEven(rule.numFactors());
  for (int64_t t = 0; t < rule.numTensors(); ++t)
    for (const DimFactors &dim : rule.tensor(t))
      if (dim.size() > 1)
        for (int32_t factor : dim)
          isEven[factor] = true;
  return isEven;
}

bool isAnyNeverSplit(const OpRule &rule, const std::vector<bool> &isEven,
                     absl::Span<const Mesh> meshes) {
  return llvm::any_of(llvm::seq(rule.factors.size()), [&](size_t f) {
    int64_t size = rule.factors[f].size;
    return isEven[f] && size > 1 && !isDividedByAny(size, meshes);
  });
}

std::optional<SizedOp> smallForm(mlir::Operation *op, const OpRule &rule,
                                 const std::vector<bool> &isEven, absl::Span<const Mesh> meshes) {
  SizedOp small{{}, withSmallFactors(rule, isEven, meshes)};
  for (auto [t, type] : llvm::enumerate(typesOf(op)))
    small.types.push_back(typeOf(type, rule, small.rule, t));
  if (small.rule == rule || llvm::is_contained(small.types, mlir::Type()))
    return std::nullopt;
  return small;
}

SizedOp ownForm(mlir::Operation *op, const OpRule &rule) { return {typesOf(op), rule}; }

} // namespace spmd
