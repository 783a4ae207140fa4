// One step of a reshard: what every device does at once to the block it holds.
//
// A plan is a straight-line program. Register 0 holds the block that comes in, register i+1 the
// result of step i. A step reads `operand` (and `into`, where it writes into an older block).
// Blocks are dense and row-major; all devices hold blocks of one shape.
//
//     kind           what register i+1 holds
//     reshape        the same elements in the same order, as `outputShape`
//     transpose      dim d is dim permutation[d] of the operand
//     pad            the operand, then elements that nobody looks at, up to `outputShape`
//     trim           the first elements of the operand in each dim, down to `outputShape`
//     dynamicSlice   rows offset .. offset + outputShape[dim] of `dim`
//     dynamicUpdate  `into` with the operand at row `offset` of `dim`; without `into`, a new block
//                    full of `fill` takes its place
//     allGather      the operands of the group, side by side along `dim`
//     allToAll       the operand is cut along `dim` into a piece per member; member i gets the
//                    pieces i of all, and puts them side by side along `concatDim`
//     reduceScatter  the sum (or max, ..) over the group, cut along `dim`; member i keeps piece i
//     allReduce      the sum (or max, ..) over the group
//     permute        the operand of the device that `exchange` names; zeros if it names none
//     mask           the operand where the device stands at `offset` along `axes`, else `fill`
//
// A group is the devices that differ only along `axes`, a list of axes of the mesh `side`; its
// members are numbered in the order of that list, major axis first.
#pragma once

#include "spmd/ir/reshard/Exchange.h"
#include "spmd/ir/reshard/Index.h"
#include "spmd/ir/sharding/Reduction.h"

namespace spmd {

enum class StepKind : uint8_t {
  reshape,
  transpose,
  pad,
  trim,
  dynamicSlice,
  dynamicUpdate,
  allGather,
  allToAll,
  reduceScatter,
  allReduce,
  permute,
  mask
};

/// Returns the word for `kind` in the text form: "reshape", "all_gather".
const char *nameOf(StepKind kind);

/// Sizes of a block, or a permutation of its dims.
using Shape = absl::InlinedVector<int64_t, 6>;

/// Returns the number of elements of a block of this shape.
int64_t numElements(absl::Span<const int64_t> shape);

/// What the elements are that no device sent: 0 bits and undefined, or the identity of a reduction.
struct Fill {
  /// Absent: nobody looks at these elements.
  std::optional<ReductionKind> identityOf;
};

struct Step {
  static constexpr int noRegister = -1;

  StepKind kind;
  int operand = 0;
  /// dynamicUpdate: the register that is written to; no later step reads it.
  int into = noRegister;
  /// Shape of `operand`.
  Shape inputShape;
  Shape outputShape;
  /// transpose.
  Shape permutation;
  /// The dim that is sliced, updated, gathered, cut or scattered.
  int dim = 0;
  /// allToAll.
  int concatDim = 0;
  /// The group of a collective, or what a mask looks at.
  MeshSide side = MeshSide::from;
  AxisList axes;
  /// reduceScatter, allReduce.
  ReductionKind reduction = ReductionKind::sum;
  /// dynamicSlice, dynamicUpdate: in elements of `dim`; always within bounds. mask: a coordinate.
  Index offset;
  /// dynamicUpdate without `into`, mask.
  Fill fill;
  /// permute.
  std::shared_ptr<const Exchange> exchange;

  /// Returns whether devices talk to each other.
  bool isCollective() const;

  /// Returns the most elements that one device sends, if every collective is done at its best: a
  /// gather sends (g-1)/g of its result, a scatter or an all-to-all (g-1)/g of its operand, an
  /// all-reduce twice that, a permute all of it. A fraction of an element is rounded up.
  int64_t wireElements() const;

  /// Returns one line: `all_gather dim 0 over {"x", "y"} 4x3 -> 16x3`.
  std::string str(const Mesh &from, const Mesh &to) const;
};

} // namespace spmd
