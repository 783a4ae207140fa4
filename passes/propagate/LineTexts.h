// How lines that say a sharding look in the notation of the program's file.
#pragma once

#include "spmd/dialect/spmd/SourceNames.h"
#include "spmd/dialect/spmd/ValueSharding.h"

namespace spmd {

/// Returns the line that gives `value` a sharding: that of an argument of a function, or a
/// constraint behind what makes it. In the notation that the file is written in (Notation.h):
///
///     %a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}
///     %split = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<8xf32>
///     %a: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}
///     %split = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = ..} : (..) -> ..
///     %a = f32[8] parameter(0), sharding={devices=[2]<=[2]}
///     %split = f32[8] custom-call(%0), custom_call_target="Sharding", sharding=..
///
/// Names that nobody kept are found by `names`; `made` is what a constraint makes.
std::string lineThatShards(mlir::Value value, sdy::ShardingAttr sharding, SourceNames &names,
                           const char *made = "%split");

/// Returns the line that takes the place of `op`, which brings one value to another sharding:
/// `opName` is a constraint or reshard.
std::string lineInPlaceOf(mlir::Operation *op, sdy::ShardingAttr sharding, llvm::StringRef opName,
                          SourceNames &names);

/// Returns what to write at a result of a function.
std::string lineOfResult(mlir::func::FuncOp func, unsigned index, sdy::ShardingAttr sharding);

/// Returns what stands between `#sdy.sharding<` and `>` in `attr`.
std::string innerText(sdy::ShardingAttr attr);

} // namespace spmd
