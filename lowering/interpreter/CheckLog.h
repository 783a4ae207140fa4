// What the checks of a program that judges itself have found.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace spmd {

/// Collects failures of all devices; what several devices report alike counts once.
class CheckLog {
public:
  void noteRun() {
    std::lock_guard<std::mutex> lock(mutex);
    hasRun_ = true;
  }
  void noteFailure(std::string message) {
    std::lock_guard<std::mutex> lock(mutex);
    failures_.insert(std::move(message));
  }

  /// Whether there was any check at all.
  bool hasRun() const { return hasRun_; }
  /// In an order that does not depend on threads.
  std::vector<std::string> failures() const { return {failures_.begin(), failures_.end()}; }

private:
  std::mutex mutex;
  bool hasRun_ = false;
  std::set<std::string> failures_;
};

} // namespace spmd
