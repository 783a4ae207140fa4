// What a loop reads slices of and hands on as it is lies as its slices are wanted, not as it came.
//
//     %x : [{"x"}, {}]    while(%w = %x) { .. %s = dynamic_slice %w, %i    a row, of one device
//                                          return %w }                     reduced in each turn
//  => %x' = reshard %x -> [{}, {}]      while(%w = %x') { .. %s = dynamic_slice %w, %i .. }
//
// One gather moves half of what it takes to mask and reduce each row; rows are weights of layers,
// or chunks of keys. Where what a device then holds is not paid for, the axes may still go to a dim
// that is not read by index: that of each row the device holds a part.
#pragma once

#include "spmd/dialect/spmd/Callers.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/ir/choose/ReshardCosts.h"
#include "spmd/passes/reshard/Values.h"

namespace spmd {

/// Writes how such flows of `loops`, each before those inside it, shall lie, those of loops inside
/// and arguments of functions that are called there alone with them, where moving what comes in
/// once costs less than what readers move in all turns. What lies behind such a loop reads what
/// came into it.
///
/// All that grows grows by no more than `hoistBytes` of a device; what a loop takes of that it is
/// told (`Hoisted.h`). Linear in the uses of what is handed on.
void settleUnchanging(llvm::ArrayRef<DataFlow> loops, uint64_t hoistBytes, OnlyCallees &callees,
                      OpKinds &kinds, Layouts &layouts, Values &values, ReshardCosts &costs);

} // namespace spmd
