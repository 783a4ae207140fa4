// The op `spmd.rotate`.
#pragma once

#include "spmd/dialect/spmd/Dialect.h"

#define GET_OP_CLASSES
#include "spmd/dialect/spmd/Rotate.h.inc"
