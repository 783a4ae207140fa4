// The `chlo` dialect: include this to use its attributes and ops.
#pragma once

#include "spmd/dialect/chlo/Broadcasting.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "spmd/dialect/chlo/Dialect.h.inc"
#include "spmd/dialect/chlo/Enums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "spmd/dialect/chlo/Attributes.h.inc"

#define GET_OP_CLASSES
#include "spmd/dialect/chlo/Ops.h.inc"
