// All pairs of shardings of a small case: planned, run on the host, compared element by element,
// and the bytes sent held against the least that any plan must send.
#pragma once

#include "PlanExecutor.h"

#include <string>
#include <vector>

namespace spmd::test {

Mesh meshOf(const char *text);

/// Returns the axes of `mesh`, uncut.
std::vector<AxisRef> wholeAxes(const Mesh &mesh);

/// Returns all shardings of rank `rank` over `parts`: each in any dim, at any place, unused, or, if
/// `partial`, unreduced.
std::vector<Sharding> allShardings(int rank, absl::Span<const AxisRef> parts, bool partial = false,
                                   ReductionKind kind = ReductionKind::sum);

/// Returns mesh and sharding as text.
std::string textOf(const Layout &layout);

/// What was seen over all pairs of a family.
struct Summary {
  int64_t pairs = 0;
  /// Bytes that all plans send together, average per device, and the sum of the lower bounds.
  double sent = 0;
  double bound = 0;
  /// The largest quotient of the two, and the sum over `counted` pairs with a bound above 0.
  double worst = 0;
  double sumOfRatios = 0;
  int64_t counted = 0;
  /// Pairs that send something where nothing need be sent.
  int64_t needless = 0;
  /// The largest block of a step, divided by the larger of source and target.
  double memory = 0;
  int64_t collectives = 0;
  /// The pairs that set these marks, with their plans.
  std::string worstPair, needlessPair, memoryPair;

  /// Prints what was seen, and the plans too if SPMD_SHOW_WORST is set in the environment.
  void print(const std::string &name) const;
};

/// Checks all pairs of a family with all shapes, and prints its summary. Failures are reported to
/// gtest; after some the rest is left out.
Summary checkAll(const std::string &name, const Mesh &from, const std::vector<Sharding> &sources,
                 const Mesh &to, const std::vector<Sharding> &targets,
                 const std::vector<std::vector<int64_t>> &shapes);

} // namespace spmd::test
