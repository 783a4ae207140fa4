// How much work a run may be.
#pragma once

#include "absl/status/status.h"

#include <atomic>
#include <cstdint>

namespace spmd {

/// The operations on elements that a run, or several, may take; all devices and threads share it.
class WorkBudget {
public:
  explicit WorkBudget(int64_t operations) : given(operations), left(operations) {}

  /// ResourceExhausted if less than `work` is left.
  absl::Status spend(int64_t work);
  int64_t spent() const { return given - left.load(std::memory_order_relaxed); }

private:
  const int64_t given;
  std::atomic<int64_t> left;
};

/// While it lives, programs that the thread runs spend from `budget`. Null is no limit.
class WorkScope {
public:
  explicit WorkScope(WorkBudget *budget);
  ~WorkScope();
  WorkScope(const WorkScope &) = delete;
  WorkScope &operator=(const WorkScope &) = delete;

  /// Returns the budget of this thread, or null.
  static WorkBudget *current();

private:
  WorkBudget *before;
};

} // namespace spmd
