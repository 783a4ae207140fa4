#include "spmd/dialect/partitioning/KnownCalls.h"

#include "spmd/dialect/partitioning/CustomCallRules.h"
#include "spmd/dialect/partitioning/Families.h"

#include "llvm/ADT/StringSet.h"

namespace spmd {

/// Calls whose result is their operand, kept elsewhere or in another order of bytes.
static bool isCopy(llvm::StringRef target) {
  static const llvm::StringSet<> targets = {"annotate_device_placement",
                                            "LayoutConstraint",
                                            "MoveToDevice",
                                            "MoveToHost",
                                            "PinToDevice",
                                            "PinToDeviceSram"};
  return targets.contains(target);
}

/// Calls that make each element of their results of those at the same place: of keys and counts,
/// the bits of random numbers.
static bool isOfElements(llvm::StringRef target) {
  return target == "cu_threefry2x32_ffi" || target == "hip_threefry2x32_ffi";
}

/// Whether all operands and results are of one type.
static bool areAlike(mlir::Operation *op) {
  auto isAlike = [&](mlir::Type type) { return type == op->getResult(0).getType(); };
  return op->getNumOperands() > 0 && op->getNumResults() > 0 &&
         llvm::all_of(op->getOperandTypes(), isAlike) &&
         llvm::all_of(op->getResultTypes(), isAlike);
}

/// A letter among the typed call's attributes, a number there.
static char letterOf(mlir::Operation *op, llvm::StringRef name) {
  auto config = op->getAttrOfType<mlir::DictionaryAttr>("mhlo.backend_config");
  auto letter =
      config ? llvm::dyn_cast_if_present<mlir::IntegerAttr>(config.get(name)) : mlir::IntegerAttr();
  return letter ? static_cast<char>(letter.getInt()) : '\0';
}

/// The routine that `target` names if it works on a batch of matrices: "potrf" of
/// "lapack_spotrf_ffi" and "cusolver_potrf_ffi", "Qr" of "Qr"; empty if it is none.
static llvm::StringRef routineOf(llvm::StringRef target) {
  static const llvm::StringSet<> alone = {"Eigh",
                                          "LuDecomposition",
                                          "ProductOfElementaryHouseholderReflectors",
                                          "Qr",
                                          "cu_lu_pivots_to_permutation",
                                          "cu_tridiagonal_solve_perturbed",
                                          "cuhybrid_eig_comp",
                                          "cuhybrid_eig_real",
                                          "cuhybrid_geqp3",
                                          "cusparse_gtsv2_ffi",
                                          "hip_lu_pivots_to_permutation",
                                          "hip_tridiagonal_solve_perturbed",
                                          "hiphybrid_eig_comp",
                                          "hiphybrid_eig_real",
                                          "hiphybrid_geqp3",
                                          "hipsparse_gtsv2_ffi",
                                          "tridiagonal_solve_perturbed_ffi"};
  if (alone.contains(target))
    return target;
  if (!target.consume_back("_ffi"))
    return "";
  if (target.consume_front("lapack_"))
    return !target.empty() && llvm::StringRef("sdcz").contains(target.front()) ? target.drop_front()
                                                                               : llvm::StringRef();
  static const llvm::StringSet<> ofLibraries = {
      "geqrf",         "geqrf_batched", "gesdd", "gesvd", "gesvdj", "gesvdp", "getrf",
      "getrf_batched", "orgqr",         "ormqr", "potrf", "syevd",  "sytrd"};
  for (llvm::StringRef library : {"cublas_", "cusolver_", "hipblas_", "hipsolver_"})
    if (target.consume_front(library))
      return ofLibraries.contains(target) ? target : llvm::StringRef();
  return "";
}

/// What a routine leaves apart beside matrices: the right sides of one that is solved for, the
/// vectors that an orthogonal one is multiplied by.
struct Apart {
  int32_t operand = 0, result = 0;
  bool areColumns = true;
};

/// Returns it for `op`, which calls `routine`; none if nothing is apart.
static std::optional<Apart> apartOf(mlir::Operation *op, llvm::StringRef routine) {
  auto isCall = [&](unsigned numOperands, unsigned numResults) {
    return op->getNumOperands() == numOperands && op->getNumResults() == numResults;
  };
  char side = letterOf(op, "side");
  if (routine == "trsm" && isCall(2, 1) && (side == 'L' || side == 'R'))
    return Apart{1, 0, side == 'L'};
  if ((routine == "ormqr" || routine == "unmqr") && isCall(3, 1))
    return Apart{2, 0, letterOf(op, "left") != 0};
  if (routine == "gtsv" && isCall(4, 5))
    return Apart{3, 3, true};
  if ((routine.contains("tridiagonal_solve") || routine.contains("gtsv2")) && isCall(4, 1))
    return Apart{3, 0, true};
  return std::nullopt;
}

/// Every operand and result runs over the same batch, in front of matrices, vectors or numbers. The
/// matrices are whole, but for what is apart. (Rows that were swapped are a vector, and so is the
/// order that comes of it.)
static Strategies strategiesOfMatrices(mlir::Operation *op, llvm::StringRef routine) {
  size_t rank = 0;
  for (mlir::Value operand : op->getOperands())
    rank = std::max(rank, shapeOf(operand).size());
  size_t wholeDims = routine.contains("pivots") ? 1 : 2;
  if (rank < wholeDims || op->getNumResults() == 0)
    return {};
  RuleBuilder builder = ruleFor(op);
  auto addShared = [&](size_t d, int64_t size, auto hasDim) {
    int32_t factor = builder.factor(size);
    for (mlir::OpOperand &operand : op->getOpOperands())
      if (hasDim(operand.get()))
        builder.operand(operand.getOperandNumber(), d, {factor});
    for (mlir::OpResult result : op->getResults())
      if (hasDim(result))
        builder.result(result.getResultNumber(), d, {factor});
  };
  llvm::ArrayRef<int64_t> first = shapeOf(op->getOperand(0));
  for (size_t d = 0; d + wholeDims < rank; ++d) {
    auto hasDim = [&](mlir::Value value) {
      return shapeOf(value).size() + 2 >= rank && d < shapeOf(value).size() && d < first.size() &&
             shapeOf(value)[d] == first[d];
    };
    if (!llvm::all_of(op->getOperands(), hasDim) || !llvm::all_of(op->getResults(), hasDim))
      return {};
    addShared(d, first[d], hasDim);
  }
  if (std::optional<Apart> apart = apartOf(op, routine)) {
    mlir::Value given = op->getOperand(apart->operand), made = op->getResult(apart->result);
    size_t d = apart->areColumns ? rank - 1 : rank - 2;
    if (shapeOf(given).size() == rank && shapeOf(given) == shapeOf(made)) {
      int32_t factor = builder.factor(shapeOf(given)[d]);
      builder.operand(apart->operand, d, {factor}).result(apart->result, d, {factor});
    }
  }
  double elements = numElements(op->getOperand(op->getNumOperands() - 1));
  return {{builder.take(), {}, {}, elements * static_cast<double>(first.back())}};
}

Strategies strategiesOfKnownCall(mlir::Operation *op) {
  std::optional<llvm::StringRef> target = customCallTarget(op);
  if (!target)
    return {};
  // Memory that nobody has written.
  if (*target == "AllocateBuffer" && op->getNumOperands() == 0 && op->getNumResults() == 1)
    return {{sameShapeRule(op)}};
  if (isOfElements(*target) && areAlike(op))
    return {{sameShapeRule(op), {}, {}, numElements(op->getResult(0))}};
  if (isCopy(*target) && op->getNumOperands() == 1 && op->getNumResults() == 1 && areAlike(op))
    return {{sameShapeRule(op), {}, {Commuting::movesElements()}}};
  if (llvm::StringRef routine = routineOf(*target); !routine.empty())
    return strategiesOfMatrices(op, routine);
  return {};
}

} // namespace spmd
