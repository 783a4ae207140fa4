// All families.
#ifndef SPMD_DIALECT_CHLO_OPS
#define SPMD_DIALECT_CHLO_OPS

include "spmd/dialect/chlo/Broadcasting.td"
include "spmd/dialect/chlo/Compound.td"
include "spmd/dialect/chlo/Elementwise.td"

#endif
