// Propagation on the flat graph: from the shardings that the user wrote to one for every value.
//
// A worklist of ops runs to a fixpoint, in rounds that let in more and more: first the dims of the
// highest user priority, and for each priority
//
//     0  light ops (elementwise, transpose, reshape, edges) whose operands have no other use
//     1  all light ops
//     2  factors of kind pass of every op; broadcasts only backward
//     3  all factors of every op; broadcasts only backward
//     4  everything
//
// so that what is cheap to agree on is settled before what costs communication. This is the order
// of Shardy's propagation; a conflict inside one op is decided by bytes, or as Shardy does
// (ir/rules/Propagation.h). The outcome depends on program order alone.
//
// An op whose step (Steps.h) changed nothing is not visited again before one of its tensors learns
// something or a round lets in more. Time is linear in the uses of values, and does not grow with
// the number of user priorities.
#pragma once

#include "spmd/ir/graph/History.h"

#include <memory>

namespace spmd {

/// Propagates on one graph, remembering the steps of ops alike.
class Propagator {
public:
  /// `graph` and `uses`, those of its values, must outlive this; so must `history`, if there is
  /// one, to which what changes is added. With `unanimous`, a step takes along a factor only what
  /// none of the op's tensors objects to, and weighs tensors by elements.
  Propagator(ShardGraph &graph, const ValueUses &uses, History *history = nullptr,
             bool unanimous = false);
  ~Propagator();

  /// Visits ops in another order than that of the graph. Requires all ops, each once.
  void setOrder(std::vector<int32_t> order);

  /// Lets the tensors of these ops, of which each must lie as the others do, learn what one of them
  /// does before anything else learns. Requires that `setOrder` was called if it is at all.
  void addTight(absl::Span<const int32_t> ops);

  /// Gives values their shardings, starting from those that have one. A value without a sharding
  /// counts as open in all dims. Values that learn something become inferred, with the op they
  /// learnt it from as origin; pinned values stay pinned, and only their open dims grow.
  void run();

  /// Goes on, mostly after `run`, when something else changed the shardings of `changed` values.
  /// Takes time in what these reach.
  void runFrom(absl::Span<const int32_t> changed);

private:
  class Engine;
  std::unique_ptr<Engine> engine;
};

/// What is known of each value after propagation, beyond its axes.
enum class Knowledge : uint8_t {
  sharded, ///< Some axis splits it or reduces into it.
  wanted, ///< No axis splits it, and that is what the user, or a dim it shares a factor with, says.
  free,   ///< Made of constants alone: lies wherever it is needed.
  unused, ///< No annotation reached it, and nothing that matters is made of it (Unused.h).
  nothing, ///< No annotation reached it.
};

/// Returns the knowledge of each value. `isFree` marks values that cost nothing wherever they are
/// needed; `uses` are those of the graph's values.
///
/// A dim is wanted as it is if a pinned sharding closes it, or if it shares a factor with such a
/// dim or with a sharded one. Values of rank 0 are always wanted as they are. To annotate all dims
/// of a value as open says nothing.
std::vector<Knowledge> classify(const ShardGraph &graph, const std::vector<bool> &isFree,
                                const ValueUses &uses);

} // namespace spmd
