// The rule checker: whether an op, split as its rule allows, computes what it computes whole.
//
// Each op is run alone in the interpreter, on one device and on each mesh in every way that its
// strategies allow (allSplits), with operands that are shares of sums, maxima and so on where the
// rule lets them pass. Padding of uneven shards is poison. The first difference is a
// counterexample.
#pragma once

#include "spmd/lowering/interpreter/KernelRegistry.h"

#include "spmd/ir/rules/OpRule.h"
#include "spmd/ir/sharding/Mesh.h"

#include "mlir/IR/BuiltinOps.h"

#include <limits>

namespace spmd {

struct RuleCheckSettings {
  /// The meshes to split over.
  std::vector<Mesh> meshes;
  /// What custom calls compute that have no reference function; null for the builtin kernels.
  const KernelRegistry *kernels = nullptr;
  /// An op of more elements in all its tensors is not run as it is.
  double mostElements = 1 << 17;
  /// A check is over when so many elements have been through all that ran: what was tried holds.
  double mostWork = std::numeric_limits<double>::infinity();

  /// Two devices, three, and two by two.
  static RuleCheckSettings standard();
  /// The same meshes, for a check that takes little time whatever the op.
  static RuleCheckSettings brief();
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
  /// Unchecked: the op is a call of which nothing says what it computes.
  bool lacksReference = false;
};

/// Checks the rule of `op`: the one that its user wrote (`sdy.sharding_rule`) if there is one, else
/// all strategies of its family or of its registered rule (CustomCallRules.h). Depends on nothing
/// around the op but the constants among its operands, which it gets as they are.
///
/// A user's rule is checked on small tensors: where a factor is large, a few rows stand for it if
/// the op can be so. Changes nothing. Not for use while other threads change the context.
RuleFinding checkRule(mlir::Operation *op, const RuleCheckSettings &settings);

/// Checks `rule` of `op`, as if its user had written it there.
RuleFinding checkRule(mlir::Operation *op, const OpRule &rule, const RuleCheckSettings &settings);

/// Checks the rules of all ops of `module`, or, without `all`, of those whose user wrote one and of
/// calls of registered targets. Reports each that is false as an error with its counterexample, and
/// each that could not be checked as a warning; with `remarks` also each that holds, with the
/// number of placements. Equal ops are checked once. A call on buffers is checked as what it is on
/// values. Fails if one is false.
mlir::LogicalResult checkRules(mlir::ModuleOp module, const RuleCheckSettings &settings, bool all,
                               bool remarks = false);

/// Checks of the rules that stand in `module` what it takes to partition by them: of ops that the
/// compiler knows, what a rule claims beyond what is known (Claims.h); of others, all. Composites
/// are left out, which are partitioned as what they are made of. Reports what is false, and, as a
/// remark, custom calls whose rule was not checked, once for each target and reason; fails if
/// anything is false. Equal ops are checked once, and briefly. Linear; quick if there is no rule.
mlir::LogicalResult checkUsedRules(mlir::ModuleOp module);

} // namespace spmd
