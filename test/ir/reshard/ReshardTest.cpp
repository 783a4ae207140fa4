// Every pair of shardings of small cases, planned, run on the host and compared element by element;
// with the bytes sent against the least that any plan must send.
#include "PlanExecutor.h"

#include "spmd/ir/sharding/Spec.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cstdio>

namespace spmd::test {
namespace {

Mesh meshOf(const char *text) { return *meshFromText(text); }

Sharding shardingOf(const Mesh &mesh, const char *text) {
  return *resolve(mesh, *shardingFromText(text));
}

std::string textOf(const Layout &layout) {
  return absl::StrCat(layout.mesh->str(), " ", toSpec(*layout.mesh, layout.sharding).str());
}

/// Returns all shardings of rank `rank` over `parts`: each in any dim, at any place, unused, or, if
/// `partial`, unreduced.
std::vector<Sharding> allShardings(int rank, absl::Span<const AxisRef> parts, bool partial = false,
                                   ReductionKind kind = ReductionKind::sum) {
  Sharding start = Sharding::replicatedOf(rank);
  start.kind = kind;
  std::vector<Sharding> result{start};
  for (const AxisRef &part : parts) {
    std::vector<Sharding> longer = result;
    for (const Sharding &sharding : result) {
      for (int d = 0; d < rank; ++d)
        for (size_t place = 0; place <= sharding.dims[d].axes.size(); ++place) {
          Sharding next = sharding;
          AxisList &axes = next.dims[d].axes;
          axes.insert(axes.begin() + place, part);
          longer.push_back(next);
        }
      if (partial) {
        Sharding next = sharding;
        next.unreduced.push_back(part);
        longer.push_back(next);
      }
    }
    result = std::move(longer);
  }
  for (Sharding &sharding : result)
    sharding = sharding.layout();
  return result;
}

/// What was seen over all pairs of a family.
struct Summary {
  int64_t pairs = 0;
  double worst = 0, sum = 0, sent = 0, bound = 0;
  int64_t counted = 0;
  std::string worstPair;
  int64_t needless = 0;
  std::string needlessPair;
  double worstMemory = 0;
  std::string worstMemoryPair;
  int mostCollectives = 0;

  void print(const char *name) const {
    std::printf(
        "%-28s %7lld pairs  sent/bound worst %.2f mean %.3f all %.3f  needless %lld  largest block/larger "
        "side %.2f  collectives <= %d\n",
        name, static_cast<long long>(pairs), worst, counted ? sum / counted : 1.0, bound > 0 ? sent / bound : 1.0,
        static_cast<long long>(needless), worstMemory, mostCollectives);
    std::printf("    worst: %s\n", worstPair.c_str());
    if (needless)
      std::printf("    needless: %s\n", needlessPair.c_str());
    if (worstMemory > 1)
      std::printf("    memory: %s\n", worstMemoryPair.c_str());
  }
};

/// Plans, runs and measures one pair. Returns false, with a failure reported, if the result is
/// wrong.
bool check(const Layout &from, const Layout &to, absl::Span<const int64_t> shape,
           Summary &summary) {
  auto pair = [&] {
    return absl::StrCat(textOf(from), " -> ", textOf(to), " of ", absl::StrJoin(shape, "x"));
  };
  absl::StatusOr<Plan> plan = planReshard(from, to, shape, 1);
  if (!plan.ok()) {
    ADD_FAILURE() << pair() << ": " << plan.status();
    return false;
  }
  int64_t sent = 0;
  std::vector<Block> result = execute(*plan, blocksOf(from, shape), sent);
  std::vector<int64_t> expectedShape = localShape(to.sharding, shape);
  EXPECT_EQ(std::vector<int64_t>(plan->outputShape().begin(), plan->outputShape().end()),
            expectedShape)
      << pair();
  std::string wrong = compare(from, to, shape, result);
  if (!wrong.empty()) {
    ADD_FAILURE() << pair() << ": " << wrong << "\n" << plan->str();
    return false;
  }

  ++summary.pairs;
  summary.mostCollectives = std::max<int>(summary.mostCollectives, plan->numCollectives());
  double average = static_cast<double>(sent) / from.mesh->numDevices();
  double bound = lowerBoundBytes(from, to, shape, 1);
  EXPECT_LE(bound, average + 1e-9) << pair() << "\n" << plan->str();
  summary.sent += average;
  summary.bound += bound;
  if (bound > 0) {
    double ratio = average / bound;
    summary.sum += ratio;
    ++summary.counted;
    if (ratio > summary.worst) {
      summary.worst = ratio;
      summary.worstPair = absl::StrCat(pair(), "\n", plan->str());
    }
  } else if (sent > 0 && summary.needless++ == 0) {
    summary.needlessPair = absl::StrCat(pair(), "\n", plan->str());
  }
  int64_t larger = std::max(numElements(plan->inputShape()), numElements(plan->outputShape()));
  int64_t largest = 0;
  for (const Step &step : plan->steps())
    largest = std::max(largest, numElements(step.outputShape));
  double memory = larger ? static_cast<double>(largest) / larger : 1;
  if (memory > summary.worstMemory) {
    summary.worstMemory = memory;
    summary.worstMemoryPair = absl::StrCat(pair(), "\n", plan->str());
  }
  // The larger side, the result of a step, and where rows move between blocks, a window.
  EXPECT_LE(plan->peakBytes(), 3 * std::max(larger, largest)) << pair() << "\n" << plan->str();
  if (dividesEvenly(from.sharding, shape) && dividesEvenly(to.sharding, shape))
    EXPECT_LE(plan->peakBytes(), 2 * larger) << pair() << "\n" << plan->str();
  return true;
}

/// Checks all pairs of a family. Stops after some failures.
Summary checkAll(const char *name, const Mesh &from, const std::vector<Sharding> &sources,
                 const Mesh &to, const std::vector<Sharding> &targets,
                 const std::vector<std::vector<int64_t>> &shapes) {
  Summary summary;
  int failures = 0;
  for (const Sharding &source : sources)
    for (const Sharding &target : targets)
      for (const std::vector<int64_t> &shape : shapes)
        if (failures < 5 && !check({&from, source}, {&to, target}, shape, summary))
          ++failures;
  summary.print(name);
  return summary;
}

std::vector<AxisRef> wholeAxes(const Mesh &mesh) {
  std::vector<AxisRef> axes;
  for (size_t i = 0; i < mesh.axes().size(); ++i)
    axes.push_back(wholeAxis(mesh, i));
  return axes;
}


TEST(ReshardEven, Rank2On2x4) {
  Mesh mesh = meshOf(R"(<["x"=2, "y"=4]>)");
  std::vector<Sharding> all = allShardings(2, {{0, 1, 2}, {1, 1, 2}, {1, 2, 2}});
  Summary summary = checkAll("rank 2 on 2x4", mesh, all, mesh, all, {{8, 16}});
  EXPECT_LE(summary.worst, 2.0);
  EXPECT_EQ(summary.needless, 0);
  EXPECT_LE(summary.worstMemory, 1.0);
}

TEST(ReshardEven, Rank3On2x2x2) {
  Mesh mesh = meshOf(R"(<["x"=2, "y"=2, "z"=2]>)");
  std::vector<Sharding> all = allShardings(3, wholeAxes(mesh));
  Summary summary = checkAll("rank 3 on 2x2x2", mesh, all, mesh, all, {{8, 8, 16}});
  EXPECT_LE(summary.worst, 2.0);
}

TEST(ReshardEven, Rank1On4x4) {
  Mesh mesh = meshOf(R"(<["x"=4, "y"=4]>)");
  std::vector<Sharding> all = allShardings(2, {{0, 1, 2}, {0, 2, 2}, {1, 1, 4}});
  checkAll("rank 2 on 4x4", mesh, all, mesh, all, {{16, 16}});
}

TEST(ReshardEven, Misaligned) {
  Mesh mesh = meshOf(R"(<["x"=2, "y"=3]>)");
  std::vector<Sharding> all = allShardings(2, wholeAxes(mesh));
  checkAll("rank 2 on 2x3", mesh, all, mesh, all, {{6, 12}});
  Mesh deep = meshOf(R"(<["x"=6, "y"=2]>)");
  std::vector<Sharding> cut = allShardings(2, {{0, 1, 2}, {0, 2, 3}, {1, 1, 2}});
  for (const Sharding &sharding : allShardings(2, {{0, 1, 3}, {0, 3, 2}}))
    cut.push_back(sharding);
  checkAll("rank 2 on 6x2, two cuts", deep, cut, deep, cut, {{12, 24}});
}

TEST(ReshardUneven, Rank2On2x4) {
  Mesh mesh = meshOf(R"(<["x"=2, "y"=4]>)");
  std::vector<Sharding> all = allShardings(2, {{0, 1, 2}, {1, 1, 2}, {1, 2, 2}});
  checkAll("uneven 29x50 on 2x4", mesh, all, mesh, all, {{29, 50}});
  checkAll("uneven 5x7 on 2x4", mesh, all, mesh, all, {{5, 7}});
  checkAll("tiny 1x3 on 2x4", mesh, all, mesh, all, {{1, 3}});
}

TEST(ReshardUneven, Misaligned) {
  Mesh mesh = meshOf(R"(<["x"=2, "y"=3]>)");
  std::vector<Sharding> all = allShardings(2, wholeAxes(mesh));
  checkAll("uneven 29x50 on 2x3", mesh, all, mesh, all, {{29, 50}});
  checkAll("uneven 5x7 on 2x3", mesh, all, mesh, all, {{5, 7}, {1, 3}});
}

TEST(ReshardPartial, SumOn2x4) {
  Mesh mesh = meshOf(R"(<["x"=2, "y"=4]>)");
  std::vector<Sharding> all = allShardings(2, {{0, 1, 2}, {1, 1, 2}, {1, 2, 2}}, true);
  checkAll("partial on 2x4", mesh, all, mesh, all, {{8, 16}});
  checkAll("partial uneven on 2x4", mesh, all, mesh, all, {{5, 7}});
  Mesh mixed = meshOf(R"(<["x"=2, "y"=3]>)");
  all = allShardings(2, wholeAxes(mixed), true);
  checkAll("partial on 2x3", mixed, all, mixed, all, {{6, 12}, {5, 7}});
}

TEST(ReshardPartial, OtherKinds) {
  Mesh mesh = meshOf(R"(<["x"=2, "y"=2, "z"=2]>)");
  for (ReductionKind kind : allReductionKinds) {
    std::vector<Sharding> all = allShardings(1, wholeAxes(mesh), true, kind);
    checkAll(nameOf(kind), mesh, all, mesh, all, {{16}, {5}});
    std::vector<Sharding> sums = allShardings(1, wholeAxes(mesh), true);
    checkAll("to sum", mesh, all, mesh, sums, {{16}});
  }
}

TEST(ReshardMeshes, All) {
  std::vector<Mesh> meshes;
  for (const char *text : {R"(<["x"=2, "y"=4]>)", R"(<["a"=4, "b"=2]>)", R"(<["a"=8]>)",
                           R"(<["a"=2, "b"=2, "c"=2]>)",
                           R"(<["a"=4, "b"=2], device_ids=[0, 4, 1, 5, 2, 6, 3, 7]>)",
                           R"(<["x"=2, "y"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>)",
                           R"(<["x"=2, "y"=4], device_ids=[3, 1, 4, 0, 5, 2, 6, 7]>)"})
    meshes.push_back(meshOf(text));
  for (const Mesh &from : meshes)
    for (const Mesh &to : meshes)
      checkAll((from.str() + to.str()).c_str(), from, allShardings(2, wholeAxes(from), true), to,
               allShardings(2, wholeAxes(to), true), {{8, 16}, {5, 7}});
  Mesh a = meshOf(R"(<["x"=2, "y"=3]>)"), b = meshOf(R"(<["x"=3, "y"=2]>)");
  checkAll("2x3 to 3x2", a, allShardings(2, wholeAxes(a), true), b,
           allShardings(2, wholeAxes(b), true), {{6, 12}, {5, 7}});
}

} // namespace
} // namespace spmd::test
