// The library that large products call: it is loaded for the kernels alone.
#include "Programs.h"

#include "spmd/lowering/interpreter/kernels/OpenBlas.h"

#include <dirent.h>
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace spmd::test {
namespace {

/// A product that is too large for the kernels' own loops.
absl::StatusOr<std::vector<Tensor>> largeProduct() {
  int64_t n = 96;
  Tensor ones = Tensor::of<float>(ElementType::f32, {n, n}, std::vector<float>(n * n, 1));
  return runOp("dot_general", {ones, ones}, {f32({n, n})},
               {{"lhs_contracting_dimensions", Ints{1}},
                {"rhs_contracting_dimensions", Ints{0}},
                {"lhs_batching_dimensions", Ints{}},
                {"rhs_batching_dimensions", Ints{}}});
}

int numThreads() {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  while (dirent *task = readdir(tasks))
    count += task->d_name[0] != '.';
  closedir(tasks);
  return count;
}

TEST(OpenBlas, LeavesTheHostsThreadsAlone) {
  void *host = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  ASSERT_TRUE(host) << dlerror();
  auto get = reinterpret_cast<int (*)()>(dlsym(host, "openblas_get_num_threads"));
  auto set = reinterpret_cast<void (*)(int)>(dlsym(host, "openblas_set_num_threads"));
  set(2);
  int before = get(), threads = numThreads();
  auto result = largeProduct();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(elementsOf<float>((*result)[0])[0], 96);
  EXPECT_EQ(get(), before);
  EXPECT_EQ(numThreads(), threads);
}

TEST(OpenBlas, ProcessesThatAreForkedEnd) {
  ASSERT_TRUE(largeProduct().ok());
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    exit(largeProduct().ok() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

} // namespace
} // namespace spmd::test
