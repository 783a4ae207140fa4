// Which arguments that a style for parameters meets by a pattern are none.
#pragma once

#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/passes/plan/ParameterUses.h"

#include "llvm/ADT/DenseSet.h"

namespace spmd {

/// Whether `own` is a pin that splits some dim.
bool isCut(ValueSharding own);

/// Tells, in a program that trains, arguments that it only reads from parameters that it keeps as
/// they are. To gather the former would cost more than they take.
class Parameters {
public:
  /// `uses` has one for each argument of `entry`; both are to outlive this.
  Parameters(mlir::func::FuncOp entry, llvm::ArrayRef<ParameterUse> uses);

  /// Returns why argument `index` is no parameter, as the end of a sentence that begins with "the
  /// program updates others but not this, and"; null if it may be one. It is none if it is not
  /// updated, and
  /// - holds indices, or
  /// - only scales or shifts what products make (tables of rotary embeddings, masks), but for what
  ///   a product of two trained weights is added to (LoRA's), or
  /// - is multiplied by a trained weight, and has the batch of an argument that the program cuts
  ///   itself: a dim that the product keeps, of the size and in the place of one that is cut.
  const char *whyNone(int64_t index) const;

private:
  bool isCutArgument(int64_t index) const;
  bool isTrained(int64_t index) const;
  bool meetsProductOfWeights(const ParameterUse &use) const;
  bool isInput(int64_t index) const;

  mlir::Block::BlockArgListType arguments;
  llvm::ArrayRef<ParameterUse> uses;
  /// The dims of arguments that the program cuts, and their sizes.
  llvm::DenseSet<std::pair<int64_t, int64_t>> cutDims;
  bool trains = false;
};

} // namespace spmd
