// The block each device holds while a reshard runs, and the moves that change it.
//
// The block has, in each dim, the digits that no atom holds, major first, then the rows that no
// digit counts. A move makes atoms leave digits, which then lie within the block, or arrive at
// digits, of which the block then holds one value:
//
//     slice           atoms arrive      the block shrinks     no communication
//     reduceScatter   atoms arrive      the block shrinks     the atoms held shares before
//     allToAll        atoms change digits
//     permute         atoms change digits, or places with other atoms: any relabelling
//     allGather       atoms leave       the block grows
//     expand          atoms leave       the block grows, filled up with an identity
//
// A digit may stand anywhere in its dim. Digits next to each other are moved in place, with the dim
// split in two where rows vary slower than them; others are first brought to the front of the
// block.
#pragma once

#include "spmd/ir/reshard/Digits.h"
#include "spmd/ir/reshard/PlanBuilder.h"

namespace spmd {

/// An atom that leaves digit `from`, if that is not none, and arrives at digit `to`, if that is not
/// none.
struct Move {
  int atom;
  int from = none;
  int to = none;
};
using Moves = std::vector<Move>;

class Block {
public:
  /// The block of the source side of `alignment`, of a tensor of shape `padded`, which all digits
  /// divide. The current register of `builder` may still have other sizes in dims that are
  /// not prepared. The alignment and the builder must outlive it.
  Block(PlanBuilder &builder, const Alignment &alignment, MeshSide side,
        absl::Span<const int64_t> padded);

  /// Returns what the sizes of the block should be once all dims are prepared.
  Shape preparedShape() const;
  bool isPrepared(int dim) const { return unprepared[dim] < 0; }
  /// Declares that the current register has the sizes of preparedShape().
  void setPrepared();

  /// The atom at a digit now, or none.
  int holder(int digit) const { return holders[digit]; }

  void slice(Moves moves);
  /// Slices dims that are not prepared, where each shard is full or empty: then padding is never
  /// read, and an empty shard may hold anything. Returns the moves that are left.
  Moves sliceUnpadded(Moves moves);
  void expand(Moves moves, ReductionKind kind);
  /// A collective that moves atoms: allGather (they only leave), reduceScatter (they only arrive)
  /// or allToAll (both).
  void collective(StepKind kind, Moves moves, ReductionKind reduction = ReductionKind::sum);
  /// Hands every digit i from its holder to after[i]; shares move from the atoms `sharesBefore` to
  /// `sharesAfter`. Nothing happens if that is no change.
  void permute(std::vector<int> after, absl::Span<const int> sharesBefore,
               absl::Span<const int> sharesAfter);

  /// Declares that the block a device has is the one it needs if `atom` holds the digit, where it
  /// matters.
  void relabel(int digit, int atom) { holders[digit] = atom; }

  /// Returns the axes of `atoms`, with neighbours merged.
  AxisList axesOf(absl::Span<const int> atoms) const;

private:
  /// The block with dims split before some digits.
  struct Split {
    Shape shape;
    /// Dim that starts at each of these digits.
    std::vector<int> dimAt;
  };
  Split splitBefore(absl::Span<const int> digits) const;
  Shape shape() const;
  /// Cuts moves, ordered by digit, into those that lie side by side in the block.
  std::vector<Moves> runsOf(const Moves &moves, int Move::*end) const;
  bool isRun(const Moves &moves, int Move::*end) const;
  AxisList axesOf(const Moves &moves) const;
  void record(const Moves &moves);
  void moveInPlace(Step step, const Moves &moves);
  void movePacked(Step step, const Moves &moves);

  PlanBuilder &builder;
  const Alignment &alignment;
  MeshSide side;
  std::vector<int> holders;
  /// By dim: rows that no digit counts, and the size while not prepared, else -1.
  Shape rest, unprepared;
};

} // namespace spmd
