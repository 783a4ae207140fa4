// Dims that reshapes merge, followed through the ops that can do with the parts.
#pragma once

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/passes/slices/CutSizes.h"
#include "spmd/passes/slices/Products.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>
#include <set>
#include <vector>

namespace spmd {

/// Whether `reshape` merges dims that a transpose right before it has swapped.
bool mergesSwapped(stablehlo::ReshapeOp reshape);

/// The products of dims that are better apart, from the reshape that merges them to the ops that
/// end them: reshapes that cut the merged dim, contractions and reductions over it.
///
/// Products that meet in an op are one group, and are all apart or none. They are where they were
/// swapped before, or where pins cut the major part unevenly or another one at all, and less moves
/// so: what is merged would be gathered where its minor parts are split, or its rows lie otherwise
/// than those of the part, and likewise what is merged anew, for an op that needs it so, where they
/// are apart; what is summed up over them is added up over the devices only if they are apart, on
/// each of them or onto the parts that are kept.
class MergedDims {
public:
  /// A value that shows products.
  struct Shown {
    Dims dims;
    int depth = 0;         ///< Of ops behind the reshape that made the products.
    mlir::Value base = {}; ///< The same with all parts as dims; null if it is not made.
  };

  /// One walk, linear.
  MergedDims(mlir::ModuleOp module, const CutSizes &cut);

  /// Ops that end products, in order of the program.
  const std::vector<mlir::Operation *> &ends() const { return chosenEnds; }

  Shown *shownBy(mlir::Value value) {
    auto found = shown.find(value);
    return found == shown.end() ? nullptr : &found->second;
  }
  const Shown *shownBy(mlir::Value value) const {
    return const_cast<MergedDims *>(this)->shownBy(value);
  }
  Dims dimsOf(mlir::Value value) const {
    const Shown *known = shownBy(value);
    return known ? known->dims : plainDims(typeOf(value).getShape());
  }

  /// `to` shows from now on what `from` did, and its base is `base`.
  void replace(mlir::Value from, mlir::Value to, mlir::Value base);

private:
  /// What is known of products that meet.
  struct Group {
    unsigned parent;        ///< Itself, if it was not united with another.
    bool isTorn = false;    ///< Devices that hold a part do not hold the rows that it becomes.
    int64_t mergedBits = 0; ///< Of what is merged: it moves if the parts are split.
    int64_t movedBits = 0;  ///< Of what moves in its place if they are apart.
  };

  void visit(mlir::Operation *op);
  void show(mlir::Value value, Shown dims);
  void visit(stablehlo::ReshapeOp reshape);
  void noteGroups(stablehlo::ReshapeOp reshape, const Dims &from, Dims &to);
  bool areCut(llvm::ArrayRef<int64_t> sizes) const;
  void addWhatIsMergedAnew();
  void choose();

  unsigned find(unsigned group);
  void unite(const DimParts &one, const DimParts &other);
  void end(mlir::Operation *op, const DimParts &product);

  std::optional<Dims> follow(mlir::Operation *op);
  std::optional<Dims> follow(stablehlo::BatchNormInferenceOp norm);
  Dims follow(stablehlo::BroadcastInDimOp broadcast);
  Dims follow(stablehlo::DotGeneralOp dot);
  Dims follow(stablehlo::ReduceOp reduce);
  std::optional<Dims> followElements(mlir::Operation *op);
  void meet(mlir::Value value, const Dims &dims);
  bool fits(mlir::Value value, const Dims &dims) const;

  const CutSizes &cut;
  StrategyCache strategies;
  llvm::DenseMap<mlir::Value, Shown> shown;
  llvm::DenseSet<mlir::Operation *> readers;  ///< Of these: most ops read none.
  llvm::DenseSet<mlir::Operation *> followed; ///< Users of products that can do with the parts.
  /// By what is merged, and where the products begin: the first of each.
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, DimParts> merged;
  std::vector<Group> groups;
  std::vector<std::pair<mlir::Operation *, unsigned>> allEnds;
  std::vector<mlir::Operation *> chosenEnds;
};

} // namespace spmd
