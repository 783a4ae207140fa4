// The `interpreter` dialect: include this to use its op.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"

#include "spmd/dialect/interpreter/Dialect.h.inc"

#define GET_OP_CLASSES
#include "spmd/dialect/interpreter/Ops.h.inc"
