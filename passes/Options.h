// Options that several passes share.
#pragma once

#include <string>

namespace spmd {

/// What to do with a value that has no sharding.
enum class OnMissing {
  error,    ///< Report each, then fail.
  warn,     ///< Report each; the value stays as it is.
  replicate ///< Report each; every device holds the value whole.
};

} // namespace spmd
