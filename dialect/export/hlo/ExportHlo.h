// StableHLO as HLO modules.
#pragma once

#include "spmd/ir/hlo/Hlo.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace spmd {

/// Returns `module` as HLO: `@main` as the entry, other functions as computations that are called,
/// regions as computations of their ops, several results as a tuple. The inverse of `importHlo`: a
/// module that was imported is exported to one that is imported to the same.
///
/// Shardings are taken from `mhlo.sharding`, other notes from `mhlo.frontend_attributes`; those in
/// `sdy`'s notation must have been written so (dialect/export/Shardings.h). The arguments of a
/// program of one device keep their global types as frontend attributes. `tf.aliasing_output` and
/// `jax.buffer_donor` become aliases and donors, locations metadata and names.
///
/// Fails after diagnostics, of all ops at once: ops without a counterpart in HLO, dynamic shapes
/// and element types that HLO does not have, bodies that use values from outside. So are constants
/// whose elements are left out, unless `keepLeftOut`: then their literals have none, which text can
/// say (`{...}`), but nobody reads in bytes.
std::optional<hlo::StoredModule> exportHlo(mlir::ModuleOp module, bool keepLeftOut = false);

/// Returns whether ops called `name`, which other ops can express, have an opcode that compilers of
/// HLO know. The youngest opcodes, of trigonometric and hyperbolic functions, are parsed by all but
/// compiled by few.
bool hasUsualOpcode(llvm::StringRef name);

} // namespace spmd
