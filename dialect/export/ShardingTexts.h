// One sharding as text.
#pragma once

#include "spmd/dialect/export/Shardings.h"
#include "spmd/dialect/sdy/Dialect.h"

#include "llvm/ADT/DenseMap.h"

namespace spmd::export_shardings {

/// Names of axes that are manual where something stands.
using ManualAxes = llvm::SmallVector<mlir::StringAttr>;

inline constexpr llvm::StringLiteral tilesName = "mhlo.sharding";
inline constexpr llvm::StringLiteral frontendName = "mhlo.frontend_attributes";

/// Writes the shardings of a module; keeps its meshes.
class ShardingTexts {
public:
  ShardingTexts(mlir::ModuleOp module, ShardingForm form);

  /// Returns the text of `sharding` where the axes in `manual` are; null after a diagnostic at
  /// `op`.
  mlir::StringAttr textOf(mlir::Operation *op, sdy::ShardingAttr sharding,
                          llvm::ArrayRef<mlir::StringAttr> manual = {});
  /// Returns the mesh of `sharding`, or null if the module has none of its name.
  const Mesh *meshOf(sdy::ShardingAttr sharding) const;

  ShardingForm form() const { return form_; }

private:
  ShardingForm form_;
  llvm::DenseMap<mlir::StringAttr, const Mesh *> meshes;
};

/// Returns "unspecified_dims=[0,1]" for the open dims of `sharding`, or nothing if none is.
std::string openDimsOf(sdy::ShardingAttr sharding);
/// Returns whether `sharding` splits nothing and leaves all dims open: it says nothing.
bool saysNothing(sdy::ShardingAttr sharding);

/// Adds an entry to the attributes that go through HLO: `dictionary` may be null.
mlir::DictionaryAttr withFrontend(mlir::DictionaryAttr dictionary, llvm::StringRef name,
                                  mlir::Attribute value);

} // namespace spmd::export_shardings
