// Cuts a tensor as an embedding project would: a mesh and a sharding from text, the shard of a
// device.

#include "spmd/ir/sharding/Layout.h"
#include "spmd/ir/sharding/Spec.h"

#include <cstdio>
#include <vector>

static int fail(const absl::Status &status) {
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  return 1;
}

int main() {
  absl::StatusOr<spmd::Mesh> mesh = spmd::meshFromText("<[\"x\"=2, \"y\"=4]>");
  if (!mesh.ok())
    return fail(mesh.status());
  absl::StatusOr<spmd::ShardingSpec> spec = spmd::shardingFromText("[{\"y\"}, {\"x\"}]");
  if (!spec.ok())
    return fail(spec.status());
  absl::StatusOr<spmd::Sharding> sharding = spmd::resolve(*mesh, *spec);
  if (!sharding.ok())
    return fail(sharding.status());

  std::vector<int64_t> shape = {10, 6};
  if (absl::Status status = spmd::verify(*mesh, *sharding, shape); !status.ok())
    return fail(status);
  // Position 7 is x=1, y=3: the last of 3, 3, 3, 1 rows, and the second half of the columns.
  spmd::Shard shard = spmd::shardAt(*mesh, *sharding, shape, 7);
  bool right = mesh->numDevices() == 8 && shard.offsets == std::vector<int64_t>{9, 3} &&
               shard.sizes == std::vector<int64_t>{1, 3};
  std::printf("%s\n", right ? "ok" : "the shard of device 7 is not what it should be");
  return right ? 0 : 1;
}
