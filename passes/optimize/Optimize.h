// The rewrites of `spmd-optimize`, each on its own. Those that are given what was found keep it up
// to date.
#pragma once

#include "spmd/passes/Options.h"
#include "spmd/passes/optimize/ModuleCollectives.h"

namespace spmd {

/// Makes equal collectives of a block, with operands that are made alike, one; all-gathers only if
/// they are to be shared, then also those of one value and of its transpose, reversal or reshape.
/// Saves all that the later ones move. Linear.
void shareEqualCollectives(ModuleCollectives &found, Gathers gathers);

/// Makes gathers of one value and of its transpose, reversal or reshape one also where what the
/// first gives is held on to for it, as long as no more is held at the worst moment, or it is
/// small, each op done in its place. Saves what the later ones move. Takes n log n.
void holdGathers(ModuleCollectives &found);

/// Gives each op of a block that reads what is gathered a gather of its own, right before it. Moves
/// the same bytes again for each; what is gathered need not be held from one to the next. Linear in
/// the uses.
void gatherForEachUser(mlir::ModuleOp module);

/// Makes less of two collectives one right after the other: a gather and the slice of the device's
/// own piece become nothing, or an all-to-all (a g-th of the bytes on a group of g); a
/// reduce-scatter that is gathered again an all-reduce (the same bytes, one latency less); two
/// permutes one, or none. Linear.
void simplifyPairs(ModuleCollectives &found);

/// Moves conversions past gathers, exchanges and permutes where narrower elements travel then:
/// f32 made of bf16 is moved as bf16, half the bytes. Linear.
void narrowMoves(ModuleCollectives &found);

/// Takes collectives on what does not change out of loops, as long as all that is taken out of a
/// loop holds no more than `bytes`. Saves what they move in all turns but one. Linear.
void hoistMoves(ModuleCollectives &found, uint64_t bytes);

/// Makes one of reductions over the same groups whose results are collected into one: what is
/// reduced is collected first. Saves what all but one move. Linear.
void collectBeforeReducing(ModuleCollectives &found);

/// Reduces what loops collect of reduced values behind them: as many times fewer as they turn. What
/// a loop hands on then is as large as before a reduce-scatter, as long as it grows by no more than
/// `bytes`. Linear, once more for each depth of loops that it helps.
void reduceAfterLoops(ModuleCollectives &found, uint64_t bytes);

/// Turns an all-reduce whose only use takes the slice that the device's place in the group names
/// into a reduce-scatter. Halves what it moves. Linear.
void formReduceScatters(ModuleCollectives &found);

/// Makes one all-reduce of one that another alone reads, over the devices of both, and scatters
/// before an all-reduce that a reduce-scatter alone reads. Linear.
void reduceOnce(ModuleCollectives &found);

/// Whether ops may be done in another order, so that collectives meet.
enum class MergeOrder { asWritten, any };

/// Merges collectives over the same groups that do not wait for each other: all-reduces with the
/// same reducer, all-gathers, and small ones of any kind, up to `bucketBytes` of operands. Moves
/// the ops between them, unless memory would grow by it. Saves latency; moves the same bytes. Takes
/// n log n.
void mergeCollectives(ModuleCollectives &found, uint64_t bucketBytes, MergeOrder order);

/// Makes one of permutes between the same devices whose operands are overlapping pieces of one
/// value. Saves what they have in common. Linear.
void sharePermutedPieces(ModuleCollectives &found);

/// Merges permutes of one type that have no sender and no receiver in common. Halves what they
/// move. Linear, but for the pairs.
void mergePermutes(ModuleCollectives &found);

/// Gathers an element of what was made last before a barrier with what is gathered behind it, where
/// that is there long before. Moves an element more; a compiler that drops barriers cannot gather
/// early then what the program makes again late. Linear.
void waitBehindBarriers(ModuleCollectives &found);

/// Makes products in pieces, of which each is on its way while another is computed: products of a
/// gathered operand, and those whose sum is reduced and scattered. Moves the same bytes. Linear.
void overlapDots(mlir::ModuleOp module);

/// Makes one of ops of a block that are alike and spread a tensor over at least eight times as
/// many elements, where all that read them compute element by element: what is spread need not be
/// made as a whole, then. Moves nothing. Linear in the ops and in the readers of what is spread.
void shareSpread(mlir::ModuleOp module);

/// Writes the groups of all collectives as `form` says, and numbers channels in program order.
/// Fails after a diagnostic on groups that do not cover the devices.
mlir::LogicalResult writeGroups(const ModuleCollectives &found, GroupForm form);

} // namespace spmd
