// From shardings of dims to axes of factors, and back.
//
//     [ij] = 32, i=8, j=4, axes {"x"=4, "y"=4}      i: "x", "y":(1)2      j: "y":(2)2
//
// A dim made of several factors is filled major first: a factor can hold axes only if the factors
// before it in the dim are split completely, otherwise its shards would not be blocks of the dim.
#pragma once

#include "spmd/ir/rules/OpRule.h"

namespace spmd {

/// The axes along which each factor is split, indexed by factor.
using FactorAxes = std::vector<AxisList>;

/// Cuts the axes of one dim into those of its factors. Returns false if some axes have no place:
/// they do not divide a factor that shares its dim. Those, and all that follow them, are left out,
/// but, if shards are of one size, for the major part of the first one that does divide it.
bool projectDim(const OpRule &rule, const DimFactors &dim, absl::Span<const AxisRef> axes,
                FactorAxes &factorAxes);

/// Returns the axes of each factor in `tensor` under `sharding`; factors that do not occur stay
/// empty. `isExact` tells whether all axes found a place. Requires equal ranks.
FactorAxes project(const OpRule &rule, const TensorFactors &tensor, const Sharding &sharding,
                   bool *isExact = nullptr);

/// Returns the axes of a dim whose factors are split along `factorAxes`; `isExact` tells whether
/// all of them could be kept and the shards hold the same elements: a factor that shares its dim
/// must divide.
AxisList unprojectDim(const OpRule &rule, const DimFactors &dim, const FactorAxes &factorAxes,
                      bool *isExact = nullptr);

/// Returns the sharding, all dims closed, that a tensor has when the op's factors are split along
/// `factorAxes`. Dims without factors are not split.
Sharding unproject(const OpRule &rule, const TensorFactors &tensor, const FactorAxes &factorAxes,
                   bool *isExact = nullptr);

} // namespace spmd
