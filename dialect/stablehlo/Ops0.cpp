// Generated definitions of a quarter of the ops.
#include "spmd/dialect/stablehlo/Syntax.h"

#define GET_OP_DEFS_0
#include "spmd/dialect/stablehlo/Ops.cpp.inc"
