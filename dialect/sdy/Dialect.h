// The `sdy` dialect: shardings in the IR, and how passes read and write them.
//
// An attribute names its mesh and its axes; `resolve` turns it into a `spmd::Sharding`, which
// numbers them and is what algorithms work on; `ShardingAttr::get(meshRef, mesh, sharding)` turns
// it back.
#pragma once

#include "spmd/dialect/sdy/Values.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "spmd/dialect/sdy/Dialect.h.inc"
#include "spmd/dialect/sdy/Enums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "spmd/dialect/sdy/Attributes.h.inc"
#include "spmd/dialect/sdy/Interfaces.h.inc"
#define GET_OP_CLASSES
#include "spmd/dialect/sdy/Ops.h.inc"

namespace spmd::sdy {

//===- Names of discardable attributes -------------------------------------===//

inline constexpr llvm::StringLiteral shardingName = "sdy.sharding";
inline constexpr llvm::StringLiteral shardingRuleName = "sdy.sharding_rule";
inline constexpr llvm::StringLiteral shardingOriginsName = "sdy.sharding_origins";
inline constexpr llvm::StringLiteral shardingOriginNameName = "sdy.sharding_origin_name";
inline constexpr llvm::StringLiteral blockArgShardingOriginsName = "sdy.block_arg_sharding_origins";
inline constexpr llvm::StringLiteral resultShardingOriginsName = "sdy.result_sharding_origins";
inline constexpr llvm::StringLiteral propagationEdgesName = "sdy.propagation_edges";
inline constexpr llvm::StringLiteral blockArgPropagationEdgesName =
    "sdy.block_arg_propagation_edges";
inline constexpr llvm::StringLiteral resultPropagationEdgesName = "sdy.result_propagation_edges";

//===- Meshes --------------------------------------------------------------===//

/// Returns the mesh op called `name` that is visible from `from`, or null.
///
/// Linear in the number of ops that stand before it in the module; meshes stand first by
/// convention. Those that look up many shardings of one module keep what they find.
MeshOp lookupMeshOp(mlir::Operation *from, llvm::StringRef name);

/// Returns the mesh of `sharding`, or null if it names one that is not visible from `from`. The
/// mesh lives as long as the context.
const spmd::Mesh *lookupMesh(mlir::Operation *from, ShardingAttr sharding);

/// Returns `sharding` with its axes numbered. Reports what is wrong with it at `from` and fails if
/// its mesh or an axis is unknown.
mlir::FailureOr<spmd::Sharding> resolve(mlir::Operation *from, ShardingAttr sharding);

//===- Shardings of values -------------------------------------------------===//

/// Returns the sharding of `value`, or null if it has none.
///
/// Results: that of the op that sets it (constraint, reshard, collective, computation, data flow
/// edge), else the `sdy.sharding` of the op. Arguments: that of a function's argument or a named
/// computation's operand; in a manual computation that of the operand without the manual axes.
ShardingAttr getSharding(mlir::Value value);

/// Sets the sharding of `value` where `getSharding` finds it; null removes it. Returns false if
/// there is no such place, as for arguments of other regions or where an op must have a sharding
/// and gets none.
///
/// Other results of the op that have no sharding yet become fully open on the same mesh. The
/// argument of a manual computation keeps the manual axes of its operand in front.
bool setSharding(mlir::Value value, ShardingAttr sharding);

ShardingAttr getFuncResultSharding(mlir::func::FuncOp function, unsigned result);
void setFuncResultSharding(mlir::func::FuncOp function, unsigned result, ShardingAttr sharding);

/// Returns `rank` dims that are open and empty, on the mesh `meshOrRef`.
ShardingAttr fullyOpen(mlir::Attribute meshOrRef, int64_t rank);

/// Returns `sharding` without the axes called `names`, wherever they occur.
ShardingAttr withoutAxes(ShardingAttr sharding, ManualAxesAttr names);

/// Returns the rule that the user attached to `op`, or null.
OpShardingRuleAttr getShardingRule(mlir::Operation *op);

//===- Checks --------------------------------------------------------------===//

/// Checks `sharding` for a value of type `type` at `op`: its mesh is known, it fits the mesh and
/// the type, and uses no axis that an enclosing manual computation has made manual. Reports what is
/// wrong at `op`, with `what` in front, as in "result 0".
mlir::LogicalResult verifySharding(mlir::Operation *op, const llvm::Twine &what,
                                   ShardingAttr sharding, mlir::Type type);

/// Checks the shardings of all results of `op`. An op without results takes none, or `[]` once.
mlir::LogicalResult verifyResultShardings(mlir::Operation *op, ShardingPerValueAttr shardings);

/// Reports `status` at `op`, with `what` in front, unless it is ok.
mlir::LogicalResult report(mlir::Operation *op, const llvm::Twine &what,
                           const absl::Status &status);

} // namespace spmd::sdy
