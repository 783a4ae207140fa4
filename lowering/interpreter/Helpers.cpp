#include "spmd/lowering/interpreter/Helpers.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <pthread.h>
#include <utility>

namespace spmd {

/// More threads than this help nobody, and some systems do not start as many.
static constexpr int mostThreads = 256;

struct Helpers::Job {
  std::function<void()> task;
  int numWanted; ///< Threads that have not begun.
  int numRunning = 0;
};

class Helpers::Pool {
public:
  void begin(std::shared_ptr<Job> job) {
    std::lock_guard<std::mutex> lock(mutex);
    numWanted += job->numWanted;
    jobs.push_back(std::move(job));
    while (numThreads - numBusy < numWanted && numThreads < mostThreads && startThread())
      ++numThreads;
    changed.notify_all();
  }

  void end(const std::shared_ptr<Job> &job) {
    std::unique_lock<std::mutex> lock(mutex);
    if (job->numWanted > 0)
      jobs.erase(std::find(jobs.begin(), jobs.end(), job));
    numWanted -= std::exchange(job->numWanted, 0);
    ended.wait(lock, [&] { return job->numRunning == 0; });
  }

private:
  /// Returns whether the system could start one; without helpers the caller does all the work.
  /// std::thread would throw instead, which ends the process.
  bool startThread() {
    pthread_t thread;
    auto run = [](void *pool) -> void * {
      static_cast<Pool *>(pool)->work();
      return nullptr;
    };
    return pthread_create(&thread, nullptr, run, this) == 0 && pthread_detach(thread) == 0;
  }

  void work() {
    std::unique_lock<std::mutex> lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return !jobs.empty(); });
      std::shared_ptr<Job> job = jobs.front();
      --numWanted;
      if (--job->numWanted == 0)
        jobs.pop_front();
      ++job->numRunning;
      ++numBusy;
      lock.unlock();
      job->task();
      lock.lock();
      --numBusy;
      if (--job->numRunning == 0)
        ended.notify_all();
    }
  }

  std::mutex mutex;
  std::condition_variable changed, ended;
  std::deque<std::shared_ptr<Job>> jobs; ///< Those that want threads.
  int numWanted = 0, numThreads = 0, numBusy = 0;
};

Helpers::Pool &Helpers::pool() {
  static auto &pool = *new Pool; // Never freed: its threads sleep in it until the process ends.
  return pool;
}

Helpers::Helpers(int count, std::function<void()> task) {
  if (count <= 0)
    return;
  job = std::make_shared<Job>(Job{std::move(task), count});
  pool().begin(job);
}

Helpers::~Helpers() {
  if (job)
    pool().end(job);
}

} // namespace spmd
