// The choice for an op whose rule falls into parts: each has its own cheapest split.
#pragma once

#include "spmd/ir/choose/Choose.h"
#include "spmd/ir/rules/Parts.h"

namespace spmd {

/// Returns the windows of the operands of `part`, with its numbers.
std::vector<WindowUse> windowsOf(const Strategy &strategy, const RulePart &part);

/// Puts the choices for the parts of a strategy's rule together. There may be thousands of parts,
/// which are mostly alike: what was chosen for a few is kept.
class PartsChoice {
public:
  /// A part, and what it sees of the op.
  struct Own {
    RulePart part;
    std::vector<WindowUse> windows; ///< With the numbers of the part.
    std::vector<TensorSituation> operands, results;
  };

  /// All of these must outlive this.
  PartsChoice(const Strategy &strategy, absl::Span<const TensorSituation> operands,
              absl::Span<const TensorSituation> results);

  /// Adds the choice for a part. `chooseOwn` is asked for it unless the part is like one before; it
  /// leaves the factors of the choice empty if there is no way to run the part.
  void add(RulePart part, absl::FunctionRef<void(const Own &, Choice &)> chooseOwn);

  /// Makes the choice for all parts together the best one if it is cheaper.
  void finish(Choice &best);

private:
  /// So many are compared with each part.
  static constexpr size_t maxKnown = 8;

  struct Known {
    Own own;
    Choice choice;
  };

  const Choice *find(const Own &own) const;

  const Strategy &strategy;
  absl::Span<const TensorSituation> operands, results;
  std::vector<Known> known;
  size_t oldest = 0; ///< Of those known.
  Choice whole;
  bool failed = false;
};

} // namespace spmd
