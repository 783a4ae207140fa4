// Threads that are kept from run to run.
#pragma once

#include <functional>
#include <memory>

namespace spmd {

/// Other threads that run a task while this object lives.
///
/// The threads sleep between runs and belong to the process: to start one takes longer than many a
/// program, and on a busy machine it may not run before others have paused.
class Helpers {
public:
  /// Wakes `count` threads, which call `task` once each, at the same time. It must return soon
  /// after the work is done, and the work must not rely on any of them: all may be busy elsewhere.
  Helpers(int count, std::function<void()> task);
  /// Waits for those that are in the task; the rest will not begin it.
  ~Helpers();
  Helpers(const Helpers &) = delete;
  Helpers &operator=(const Helpers &) = delete;

private:
  struct Job;
  class Pool;
  static Pool &pool();

  std::shared_ptr<Job> job; ///< Null if there are no others.
};

} // namespace spmd
