// All families. The order decides how ops are spread over the source files Ops0.cpp to Ops3.cpp.
#ifndef SPMD_DIALECT_STABLEHLO_OPS
#define SPMD_DIALECT_STABLEHLO_OPS

include "spmd/dialect/stablehlo/Collectives.td"
include "spmd/dialect/stablehlo/Contraction.td"
include "spmd/dialect/stablehlo/ControlFlow.td"
include "spmd/dialect/stablehlo/Creation.td"
include "spmd/dialect/stablehlo/CustomCall.td"
include "spmd/dialect/stablehlo/Dynamic.td"
include "spmd/dialect/stablehlo/Elementwise.td"
include "spmd/dialect/stablehlo/Indexing.td"
include "spmd/dialect/stablehlo/LinearAlgebra.td"
include "spmd/dialect/stablehlo/Reduction.td"
include "spmd/dialect/stablehlo/Shape.td"
include "spmd/dialect/stablehlo/Transfer.td"

#endif
