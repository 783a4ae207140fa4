// How exact results are: what the floats on the way to them were rounded to.
#pragma once

#include "spmd/lowering/program/DeviceProgram.h"

namespace spmd {

struct Exactness {
  /// The least exact float type that something was rounded to on the way to a result after a sum
  /// (of a dot, a reduction, ..), whose value depends on the order of summing; that of an op whose
  /// steps nobody knows counts as one. The result's own type where there was none.
  ElementType leastExact;
  /// Whether there was any; else all of it was moved and computed element by element.
  bool isOfSums;
};

/// Returns how exact each result of the entry function is.
///
/// Requires a program that verifies. Linear, whatever the depth of calls.
std::vector<Exactness> exactnessOf(const DeviceProgram &program);

} // namespace spmd
