// The `chlo` dialect: include this to use its ops.
#pragma once

#include "spmd/dialect/stablehlo/Dialect.h"

#include "spmd/dialect/chlo/Dialect.h.inc"

#define GET_OP_CLASSES
#include "spmd/dialect/chlo/Ops.h.inc"
