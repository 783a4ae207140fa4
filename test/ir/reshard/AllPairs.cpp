#include "AllPairs.h"

#include "spmd/ir/sharding/Spec.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace spmd::test {

Mesh meshOf(const char *text) { return *meshFromText(text); }

std::vector<AxisRef> wholeAxes(const Mesh &mesh) {
  std::vector<AxisRef> axes;
  for (size_t i = 0; i < mesh.axes().size(); ++i)
    axes.push_back(wholeAxis(mesh, i));
  return axes;
}

std::vector<Sharding> allShardings(int rank, absl::Span<const AxisRef> parts, bool partial,
                                   ReductionKind kind) {
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

std::string textOf(const Layout &layout) {
  return absl::StrCat(layout.mesh->str(), " ", toSpec(*layout.mesh, layout.sharding).str());
}

void Summary::print(const std::string &name) const {
  std::printf(
      "%-30s %6lld pairs  sent/bound: worst %.2f mean %.2f all %.2f  block/larger side %.2f  "
      "collectives <= %lld  needless %lld\n",
      name.c_str(), static_cast<long long>(pairs), worst, counted ? sumOfRatios / counted : 1,
      bound > 0 ? sent / bound : 1, memory, static_cast<long long>(collectives),
      static_cast<long long>(needless));
  if (!std::getenv("SPMD_SHOW_WORST"))
    return;
  for (const std::string *pair : {&worstPair, &needlessPair, &memoryPair})
    if (!pair->empty())
      std::printf("%s\n", pair->c_str());
}

namespace {

/// Checks one pair with one shape.
class PairCheck {
public:
  PairCheck(const Layout &from, const Layout &to, absl::Span<const int64_t> shape, Summary &summary)
      : from(from), to(to), shape(shape), summary(summary) {}

  /// Returns false, with a failure reported, if the plan does not do what it should.
  bool run() {
    absl::StatusOr<Plan> plan = planReshard(from, to, shape, 1);
    if (!plan.ok()) {
      ADD_FAILURE() << pairText() << ": " << plan.status();
      return false;
    }
    int64_t sent = 0;
    std::vector<Block> result = execute(*plan, blocksOf(from, shape), sent);
    std::vector<int64_t> wanted = localShape(to.sharding, shape);
    std::string wrong = plan->outputShape() == Shape(wanted.begin(), wanted.end())
                            ? compare(from, to, shape, result)
                            : "the block has another shape";
    if (!wrong.empty()) {
      ADD_FAILURE() << pairText() << ": " << wrong << "\n" << plan->str();
      return false;
    }
    ++summary.pairs;
    summary.collectives = std::max(summary.collectives, plan->numCollectives());
    bool bytes = bytesAreRight(*plan, static_cast<double>(sent) / from.mesh->numDevices());
    bool memory = memoryIsRight(*plan);
    return bytes && memory;
  }

private:
  std::string pairText() const {
    return absl::StrCat(textOf(from), " -> ", textOf(to), " of ", absl::StrJoin(shape, "x"));
  }
  std::string text(const Plan &plan) const { return absl::StrCat(pairText(), "\n", plan.str()); }

  bool bytesAreRight(const Plan &plan, double sent) {
    double bound = lowerBoundBytes(from, to, shape, 1);
    summary.sent += sent;
    summary.bound += bound;
    if (bound == 0) {
      if (sent > 0 && summary.needless++ == 0)
        summary.needlessPair = text(plan);
    } else {
      ++summary.counted;
      summary.sumOfRatios += sent / bound;
      if (sent / bound > summary.worst) {
        summary.worst = sent / bound;
        summary.worstPair = text(plan);
      }
    }
    EXPECT_GE(sent, bound - 1e-9) << "the lower bound is none: " << text(plan);
    EXPECT_GE(plan.wireBytes(), sent - 1e-9) << "more is sent than told: " << text(plan);
    return sent >= bound - 1e-9 && plan.wireBytes() >= sent - 1e-9;
  }

  bool memoryIsRight(const Plan &plan) {
    int64_t larger = std::max(numElements(plan.inputShape()), numElements(plan.outputShape()));
    int64_t largest = 0;
    for (const Step &step : plan.steps())
      largest = std::max(largest, numElements(step.outputShape));
    double ratio = larger ? static_cast<double>(largest) / larger : 0;
    if (ratio > summary.memory) {
      summary.memory = ratio;
      summary.memoryPair = text(plan);
    }
    // Even: the larger side, and the result of one step, which is not larger. Uneven: a window too.
    bool even = dividesEvenly(from.sharding, shape) && dividesEvenly(to.sharding, shape);
    int64_t allowed = even ? 2 * larger : 3 * std::max(larger, largest);
    EXPECT_LE(plan.peakBytes(), allowed) << text(plan);
    return plan.peakBytes() <= allowed;
  }

  const Layout &from, &to;
  absl::Span<const int64_t> shape;
  Summary &summary;
};

} // namespace

Summary checkAll(const std::string &name, const Mesh &from, const std::vector<Sharding> &sources,
                 const Mesh &to, const std::vector<Sharding> &targets,
                 const std::vector<std::vector<int64_t>> &shapes) {
  Summary summary;
  int failures = 0;
  for (const Sharding &source : sources)
    for (const Sharding &target : targets)
      for (const std::vector<int64_t> &shape : shapes)
        if (failures < 5) {
          Layout here{&from, source}, there{&to, target};
          failures += PairCheck(here, there, shape, summary).run() ? 0 : 1;
        }
  summary.print(name);
  return summary;
}

} // namespace spmd::test
