// Where a device stands, as values in the program: arithmetic on `partition_id`.
//
// Every value is computed once per function, at its top, so that offsets cost a few scalar ops and
// do not grow with the number of devices. (A mesh with an arbitrary device order needs a table.)
#pragma once

#include "spmd/ir/sharding/Layout.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

#include <map>
#include <tuple>

namespace spmd {

class Positions {
public:
  /// `hasShortDims` says that 32 bits are enough for offsets into any tensor of `func`.
  Positions(mlir::func::FuncOp func, bool hasShortDims);

  /// The type of one index: i32, or i64 where a dim is too long for it.
  mlir::Type indexElement() const { return index; }

  /// Returns the device's coordinate along `axes`, 0 .. sizeOf(axes)-1, as a scalar. Null if the
  /// axes have no more than one position.
  mlir::Value coordinate(const Mesh &mesh, absl::Span<const AxisRef> axes);

  /// Returns the index of the first row of the device's shard of a dim, as a scalar; null if always
  /// 0.
  mlir::Value firstRow(const Mesh &mesh, const DimSharding &dim, int64_t shardSize);

  /// Returns scalars of `indexElement()`, made at the top of the function and shared.
  mlir::Value constant(int64_t value);
  /// A null value is 0.
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value subtract(mlir::Value a, mlir::Value b);
  mlir::Value multiply(mlir::Value a, int64_t factor);
  mlir::Value multiply(mlir::Value a, mlir::Value b);
  /// Returns a / divisor, rounded down. Requires that `a` is not negative.
  mlir::Value divide(mlir::Value a, int64_t divisor);
  mlir::Value minimum(mlir::Value a, mlir::Value b);
  mlir::Value maximum(mlir::Value a, mlir::Value b);

private:
  mlir::Value position(const Mesh &mesh);
  mlir::Value digit(mlir::Value position, int64_t stride, int64_t size, int64_t numDevices);

  /// Makes an op behind the last one made here.
  template <typename Op, typename... Args> mlir::Value make(Args &&...args);
  /// Returns `a op b`, made once.
  template <typename Op> mlir::Value combine(mlir::Value a, mlir::Value b);
  mlir::RankedTensorType indexType(llvm::ArrayRef<int64_t> shape = {});

  mlir::func::FuncOp func;
  mlir::Type index;
  mlir::Operation *last = nullptr;
  mlir::Value partitionId;
  std::map<int64_t, mlir::Value> constants;
  std::map<std::tuple<llvm::StringRef, const void *, const void *>, mlir::Value>
      combined;                                          ///< By op, operands.
  std::map<std::vector<int64_t>, mlir::Value> positions; ///< By device ids.
  std::map<std::pair<std::string, std::vector<AxisRef>>, mlir::Value>
      coordinates; ///< By mesh text, axes.
};

} // namespace spmd
