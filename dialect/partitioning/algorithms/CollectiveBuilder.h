// Builders of collectives, with groups as mesh axes.
#pragma once

#include "spmd/ir/reshard/Plan.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OperationSupport.h"

#include <optional>

namespace spmd {

/// Makes collectives over the axes of a mesh, all on channel 1; `spmd-optimize` numbers them.
class CollectiveBuilder {
public:
  /// A group: the devices that differ only along `axes`, numbered in the order of the list.
  struct Group {
    const Mesh *mesh;
    mlir::Attribute meshAttr; ///< A symbol of a `sdy.mesh`, or a mesh.
    absl::Span<const AxisRef> axes;
  };

  mlir::Value allGather(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                        mlir::Value operand, int64_t dim, const Group &group);
  mlir::Value allReduce(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value operand,
                        ReductionKind kind, const Group &group);
  mlir::Value reduceScatter(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::RankedTensorType type, mlir::Value operand, int64_t dim,
                            ReductionKind kind, const Group &group);
  mlir::Value allToAll(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                       mlir::Value operand, int64_t splitDim, int64_t concatDim,
                       const Group &group);
  /// `plan` must outlive the builder: the pairs of a step, one for each device, are made once. More
  /// than `mostPairs` are an error, after which `hasFailed`.
  mlir::Value permute(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value operand,
                      const Plan &plan, const Step &step);
  /// `pairs` are (source, target) device ids; a device that is no target gets zeros.
  mlir::Value permute(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value operand,
                      absl::Span<const std::pair<int64_t, int64_t>> pairs);

  /// The op whose data the next collectives bring; what they are made for is then part of their
  /// locations (dialect/spmd/Causes.h), unless these say it already.
  void startOp(mlir::OperationName op) { inside = op; }

  bool hasFailed() const { return failed; }

private:
  mlir::Location placeOf(mlir::Location loc) const;
  mlir::Attribute groupAttr(mlir::MLIRContext *context, const Group &group);
  mlir::IntegerAttr number(mlir::OpBuilder &builder, int64_t value);
  static mlir::Value permuteBy(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value operand,
                               mlir::DenseIntElementsAttr pairs);
  /// Reports a permute of `numPairs`, if these are too many, and returns whether they are.
  bool areTooMany(mlir::Location loc, int64_t numPairs);

  /// Groups as attributes. A program has few, so the last ones made are mostly asked for.
  struct KnownGroup {
    mlir::Attribute meshAttr;
    AxisList axes;
    mlir::Attribute attr;
  };

  std::optional<mlir::OperationName> inside;
  bool failed = false;
  std::vector<KnownGroup> groups;
  size_t oldestGroup = 0; ///< The next one to make room.
  llvm::DenseMap<int64_t, mlir::IntegerAttr> numbers;
  llvm::DenseMap<const Step *, mlir::DenseIntElementsAttr> pairsOfSteps;
};

/// Returns the elements of two tensors of one type combined by `kind`.
mlir::Value combine(mlir::OpBuilder &builder, mlir::Location loc, ReductionKind kind, mlir::Value a,
                    mlir::Value b);

/// Fills `body` with the reducer of `kind` on scalars of `elementType`.
void buildReducer(mlir::Region &body, mlir::Location loc, mlir::Type elementType,
                  ReductionKind kind);

} // namespace spmd
