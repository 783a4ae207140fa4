// A way to run an op on shards: its rule, what padding must hold, and which partial values may
// pass.
#pragma once

#include "spmd/ir/rules/OpRule.h"

namespace spmd {

/// What the padding of an uneven shard must hold.
enum class FillValue : uint8_t { anything, zero, one, lowest, highest, allOnes };

/// Returns the fill that a reduction leaves unchanged: zero for sum, `lowest` for max, and so on.
FillValue identityOf(ReductionKind kind);

/// Along `factor`, the padding of operand `operand` must hold `fill`, whenever the dim is uneven.
struct PaddingNeed {
  int32_t operand;
  int32_t factor;
  FillValue fill;
};

/// Operand `operand` is read through a window along `factor`: a device that computes its shard of
/// `rows` results reads rows that its neighbours hold.
struct WindowUse {
  int32_t operand;
  int32_t factor;
  Window window;
  int64_t rows;
};

/// How an operand's partial state passes through an op.
enum class Passing : uint8_t {
  no,      ///< The reduction must come first.
  alone,   ///< f(a + b) = f(a) + f(b), the other operands as they are: scaling, transpose.
  jointly, ///< All operands that can be partial must be so, over the same axes: addition.
};

/// For one operand, how each kind of partial value passes, and what it becomes: a sum stays a sum
/// under `negate`, a max becomes a min.
struct Commuting {
  struct Entry {
    Passing passing = Passing::no;
    ReductionKind becomes = ReductionKind::sum;
  };
  Entry entries[std::size(allReductionKinds)];

  const Entry &operator[](ReductionKind kind) const { return entries[static_cast<int>(kind)]; }
  /// Lets `kind` pass, unchanged unless `becomes` says otherwise.
  Commuting &pass(ReductionKind kind, Passing passing,
                  std::optional<ReductionKind> becomes = std::nullopt);

  /// Every kind passes unchanged: the op only moves elements.
  static Commuting movesElements();
  /// Sums pass: the op is linear in this operand.
  static Commuting linear();
  /// Max and min pass: the op is increasing on all values of its type, infinities included.
  static Commuting monotone();
};

struct Strategy {
  OpRule rule;
  std::vector<PaddingNeed> padding = {};
  /// One per operand, or empty if no partial value may pass.
  std::vector<Commuting> commuting = {};
  /// Arithmetic operations of the whole op. 0 for ops that only move data.
  double flops = 0;
  /// Whether these are products of elements of two operands, added up.
  bool multiplies = false;
  /// The operands that an op writes into others, which become its results in place (an update of a
  /// slice, a scatter). Empty if the op writes its results anew.
  std::vector<int32_t> written = {};
  /// Of each operand that has a factor of kind window. (A reduce factor may have one too: the other
  /// operand of a product is what moves along.)
  std::vector<WindowUse> windows = {};
  /// Along a sort factor: bytes that travel with each row to tell equal rows apart; 0 if they need
  /// not be.
  int32_t tieBytes = 0;
};

/// The strategies of an op, in the order of preference on equal cost. Most ops have one.
using Strategies = std::vector<Strategy>;

} // namespace spmd
