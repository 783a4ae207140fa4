// The sharding of a value in the IR, with its state: what the passes read and write.
//
//     %0 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : ..
//     pinned %0 = stablehlo.add %a, %b {sdy.sharding = .., spmd.inferred} : .. inferred %0 =
//     sdy.sharding_constraint %a <@m, [{"x"}]> : .. pinned
#pragma once

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/ir/graph/ShardGraph.h"

#include "absl/container/flat_hash_map.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace spmd {

inline constexpr llvm::StringLiteral shardingAttrName = "sdy.sharding";

/// A sharding as the IR holds it; false if there is none.
struct ValueSharding {
  sdy::ShardingAttr attr;
  ShardingState state = ShardingState::unspecified;

  explicit operator bool() const { return attr != nullptr; }
};

/// Returns the sharding of an op result, a function argument, or an argument of a data-flow op's
/// region, which lies as its flow does (DataFlow.h).
ValueSharding shardingOf(mlir::Value value);
/// Returns the sharding of result `index` of `func`.
ValueSharding shardingOfResult(mlir::func::FuncOp func, unsigned index);

/// Returns the sharding that the user gave `value`, or nothing.
ValueSharding pinOf(mlir::Value value);
/// Returns whether `sharding` is one, and leaves no dim open.
bool isClosed(ValueSharding sharding);

/// Returns whether `op` is one of `sdy` that holds the shardings of its results itself, where they
/// are never written.
bool holdsSharding(mlir::Operation *op);

/// Sets the shardings of all results of `op` at once. Some of several may have none: one attribute
/// holds all, in which `<mesh<[]>, [{?}, {?}]>`, inferred, stands for none.
void setShardings(mlir::Operation *op, llvm::ArrayRef<ValueSharding> shardings);
/// Does the same for many ops, of which most have one result and no other attributes: those that
/// lie alike share theirs.
class ShardingWriter {
public:
  void set(mlir::Operation *op, llvm::ArrayRef<ValueSharding> shardings);

private:
  llvm::DenseMap<std::pair<mlir::Attribute, int>, mlir::DictionaryAttr> ofSingleResults;
};
/// Removes what the functions above set.
void removeSharding(mlir::Operation *op);

/// Attributes of the arguments and results of a function, written back together: FuncOp copies the
/// attributes of all arguments whenever one changes.
class BoundaryAttributes {
public:
  explicit BoundaryAttributes(mlir::func::FuncOp func);

  mlir::NamedAttrList &ofArgument(unsigned index) { return arguments[index]; }
  mlir::NamedAttrList &ofResult(unsigned index) { return results[index]; }
  void write();

private:
  mlir::func::FuncOp func;
  std::vector<mlir::NamedAttrList> arguments, results;
};

/// Sets the sharding among the attributes of an argument or result.
void setSharding(mlir::NamedAttrList &attributes, ValueSharding sharding);

/// Returns how messages call `value`: "argument 0 of @main", "'stablehlo.add' op result 0".
std::string describeValue(mlir::Value value);

/// Bits that one element takes on the wire: 8 for i1, 64 for complex<f32>, 16 for bf16.
int32_t elementBits(mlir::Type elementType);

/// Translates between the attributes of a module and shardings over numbered meshes, remembering
/// both.
class ShardingCodec {
public:
  explicit ShardingCodec(mlir::ModuleOp module);

  /// Returns what `attr` says, or null after a diagnostic at `module`. Cheap for attributes seen
  /// before.
  const MeshSharding *decode(sdy::ShardingAttr attr);
  sdy::ShardingAttr encode(const MeshSharding &sharding);

  /// Returns the first mesh that has axes, or -1 if there is none. Meshes that stand in shardings
  /// themselves come after those of the module.
  int32_t mainMesh() const;
  /// Returns `sharding` of a tensor of rank `rank` in terms of a mesh that has axes: itself, or,
  /// where it speaks of the empty mesh (which stands for any) or of a maximal one (which splits
  /// nothing), the same dims on the main mesh. Nothing if no mesh has axes.
  std::optional<MeshSharding> onAxes(const MeshSharding &sharding, int64_t rank) const;

  const Mesh &mesh(int32_t index) const { return meshes[index]; }
  int32_t numMeshes() const { return meshes.size(); }
  /// Returns the attribute that names mesh `index`.
  mlir::Attribute meshAttr(int32_t index) const { return meshAttrs[index]; }
  int32_t indexOf(const Mesh &mesh) { return meshes.intern(mesh); }

private:
  int32_t addInlined(sdy::MeshAttr mesh);

  mlir::ModuleOp module;
  Interned<Mesh> meshes;
  std::vector<mlir::Attribute> meshAttrs;
  llvm::DenseMap<mlir::Attribute, int32_t> meshOfAttr;
  llvm::DenseMap<mlir::Attribute, std::unique_ptr<MeshSharding>> decoded;
  absl::flat_hash_map<MeshSharding, sdy::ShardingAttr> encoded;
};

} // namespace spmd
