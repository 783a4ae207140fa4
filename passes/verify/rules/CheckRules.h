// The rule checker: whether an op, split as its rule allows, computes what it computes whole.
//
// Each op is run alone in the interpreter, on one device and on each mesh in every way that its
// strategies allow (allSplits), with operands that are shares of sums, maxima and so on where the
// rule lets them pass. Padding of uneven shards is poison. The first difference is a
// counterexample.
#pragma once

#include "spmd/lowering/interpreter/KernelRegistry.h"

#include "spmd/ir/sharding/Mesh.h"

#include "mlir/IR/BuiltinOps.h"

namespace spmd {

struct RuleCheckSettings {
  /// The meshes to split over.
  std::vector<Mesh> meshes;
  /// What custom calls compute that have no reference function; null for the builtin kernels.
  const KernelRegistry *kernels = nullptr;

  /// Two devices, three, and two by two.
  static RuleCheckSettings standard();
};

/// What is known of a rule after a check.
struct RuleFinding {
  enum class Verdict {
    holds,
    isFalse,   ///< `message` is the counterexample.
    unchecked, ///< `message` says why.
    hasNone    ///< The op has no rule, or no tensor.
  };
  Verdict verdict = Verdict::hasNone;
  /// How many ways to run the op were tried and compared.
  int64_t numPlacements = 0;
  std::string message = {};
  /// How operands and results lay in the counterexample, a line each.
  std::vector<std::string> notes = {};
};

/// Checks the rule of `op`: the one that its user wrote (`sdy.sharding_rule`) if there is one, else
/// all strategies of its family or of its registered rule (CustomCallRules.h). Depends on nothing
/// around the op but the constants among its operands, which it gets as they are.
///
/// A user's rule is checked on small tensors: where a factor is large, a few rows stand for it if
/// the op can be so. Changes nothing. Not for use while other threads change the context.
RuleFinding checkRule(mlir::Operation *op, const RuleCheckSettings &settings);

/// Checks the rules of all ops of `module`, or, without `all`, of those whose user wrote one and of
/// calls of registered targets. Reports each that is false as an error with its counterexample, and
/// each that could not be checked as a warning; with `remarks` also each that holds, with the
/// number of placements. Equal ops are checked once. A call on buffers is checked as what it is on
/// values. Fails if one is false.
mlir::LogicalResult checkRules(mlir::ModuleOp module, const RuleCheckSettings &settings, bool all,
                               bool remarks = false);

} // namespace spmd
