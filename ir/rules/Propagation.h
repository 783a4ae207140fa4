// The one-op propagation step: tensors of an op let each other share the axes they agree on.
//
// Example, dot_general ([i, k], [k, j]) -> ([i, j]) over a mesh with axes "x" and "y":
//
//     lhs [{"x"}, {?}]   rhs [{?}, {"y"}]   result [{?}, {?}]
//  -> lhs [{"x"}, {?}]   rhs [{?}, {"y"}]   result [{"x", ?}, {"y", ?}]
//
// A conflict inside a factor (one tensor has "x" along it, another "y") goes to the larger tensor,
// and the other keeps what it has. A conflict between factors (two factors want "x" in one tensor)
// goes to the factor whose axes come from the larger tensor. Ties go to the earlier tensor, then
// the earlier factor. Follows Shardy's aggressive propagation with sizes in bytes.
//
// With `StepScope::unanimous` as Shardy has it: along a factor tensors only take what none objects
// to: the longest start that all lists of axes along it have in common. Operands of an elementwise
// op take no more than its result could. Between two factors of such an op whose axes come from
// tensors alike goes first what is split more.
#pragma once

#include "spmd/ir/rules/Projection.h"

namespace spmd {

/// Which tensors may learn from which.
struct StepScope {
  bool forward = true;  ///< Results learn.
  bool backward = true; ///< Operands learn.
  /// Only along factors of kind pass.
  bool onlyPass = false;
  /// Along a factor, only what no tensor objects to.
  bool unanimous = false;
  /// The dims of each tensor. Where given, a short dim takes no axes from a longer one (through a
  /// slice, a window) along which most of it would be padding.
  absl::Span<const absl::Span<const int64_t>> sizes = {};
  /// With sizes: the tensors with which nothing dear is computed. Their padding costs little.
  absl::Span<const bool> handedOn = {};
};

/// Whether more than half of what devices hold of a dim that is cut into so many shards is padding.
bool isMostlyPadding(int64_t size, int64_t shards);

/// Lets the tensors of an op, operands first, learn axes from each other. Pinned dims are closed,
/// and never change. `bytes` holds the size of each whole tensor. Returns whether any sharding
/// grew.
///
/// Axes are only ever appended to open dims. Requires shardings of the rule's ranks, on one mesh.
bool propagateStep(const OpRule &rule, absl::Span<Sharding> tensors, absl::Span<const double> bytes,
                   const StepScope &scope = {});

/// What a factor should be split along.
struct FactorWish {
  AxisList axes;
  double bytes = -1; ///< Of the largest tensor that says so.
  size_t tensor = 0; ///< The one that has the most of the axes.
};

/// Returns what each factor should be split along, as `propagateStep` sees it: no axes where no
/// tensor has any along it, or where the factor is out of scope. `projected` becomes the axes of
/// each tensor's factors.
std::vector<FactorWish> wishesOf(const OpRule &rule, absl::Span<const Sharding> tensors,
                                 absl::Span<const double> bytes, const StepScope &scope,
                                 std::vector<FactorAxes> &projected);

/// What keeps a tensor from learning along a factor.
enum class StepObstacle : uint8_t {
  none,     ///< Nothing: it would learn, or there is nothing to learn.
  closed,   ///< Its dim is closed.
  blocked,  ///< Nothing passes along the factor.
  differs,  ///< It is split along other axes there.
  part,     ///< The factor is a part of the dim that cannot be split before, or behind, the others.
  behind,   ///< Its part of the dim that it comes from is split behind one that is whole here.
  used,     ///< The axis splits another dim of it.
  reserved, ///< The axis is one that it keeps replicated, or adds up over.
  uneven,   ///< The axis does not divide the factor, which is one part of a dim.
  few       ///< Most of the dim, which is shorter, would be padding; not found by `obstacleOf`.
};

/// Returns what keeps tensor `tensor` from learning along factor `factor`, in dim `dim`, after
/// `propagateStep`, with or without `StepScope::unanimous`, had nothing more to do.
StepObstacle obstacleOf(const OpRule &rule, absl::Span<const Sharding> tensors,
                        absl::Span<const double> bytes, size_t tensor, size_t dim, int32_t factor,
                        bool unanimous = false);

/// Returns whether axes may pass along a factor of a rule whose tensors have `bytes`. With
/// `unanimous` as Shardy has it: along all slices, along the dim that is sorted where there are
/// others and only there, and along what is transformed where its size stays.
bool mayPass(const OpRule &rule, int32_t factor, absl::Span<const double> bytes, bool unanimous);
/// Whether a tensor may learn from the other side of the op.
bool mayLearn(const OpRule &rule, size_t tensor);

/// Returns whether every tensor with dims has the same factors: elementwise ops, transpose,
/// reshape.
bool isLight(const OpRule &rule);

/// Returns whether results have factors that no operand has: broadcasts.
bool isBroadcast(const OpRule &rule);

} // namespace spmd
