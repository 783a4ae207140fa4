// Options that several passes share.
#pragma once

namespace spmd {

/// What to do with a value that has no sharding.
enum class OnMissing {
  error,    ///< Report each, then fail.
  warn,     ///< Report each; the value stays as it is.
  replicate ///< Report each; every device holds the value whole.
};

/// What to do with an op that has no sharding rule.
enum class OnNoRule {
  error,    ///< Report each, then fail.
  replicate ///< Report each; every device runs the op whole.
};

/// How collectives write their groups.
enum class GroupForm { dense, meshAxes };

} // namespace spmd
