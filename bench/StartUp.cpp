// Starting the pass driver, as a process: what every lit test and every script pays.

#include "spmd/bench/Measure.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

namespace spmd::bench {

static void version(benchmark::State &state) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  std::string program = SPMD_OPT, flag = "--version";
  char *arguments[] = {program.data(), flag.data(), nullptr};
  double user = 0, memory = 0;
  for (auto _ : state) {
    pid_t child = 0;
    int exitStatus = 0;
    rusage usage = {};
    if (posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ) != 0 ||
        wait4(child, &exitStatus, 0, &usage) != child || exitStatus != 0) {
      state.SkipWithError("cannot run spmd-opt --version");
      break;
    }
    auto seconds = [](const timeval &time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    user += seconds(usage.ru_utime);
    memory = static_cast<double>(usage.ru_maxrss) * 1024;
    state.SetIterationTime(seconds(usage.ru_utime) + seconds(usage.ru_stime));
  }
  posix_spawn_file_actions_destroy(&actions);
  state.counters["user_ms"] = benchmark::Counter(user * 1e3, benchmark::Counter::kAvgIterations);
  state.counters["peak_MB"] = memory / 1e6;
}
BENCHMARK(version)
    ->Name("startup/version")
    ->UseManualTime()
    ->Iterations(50)
    ->Unit(benchmark::kMillisecond);

} // namespace spmd::bench
