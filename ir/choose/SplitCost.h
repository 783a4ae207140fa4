// The cost of running an op by one split, besides the moves of its operands and results.
//
// Work is the arithmetic and memory traffic of one device. Exchanges are what the op's own
// algorithm moves between devices while it runs: a halo, the rows of a distributed sort, blocks
// that go round a ring. All costs are in seconds of the cost model.
#pragma once

#include "spmd/ir/choose/Choose.h"
#include "spmd/ir/choose/Work.h"

#include <map>

namespace spmd {

struct HaloPlan;

class SplitCost {
public:
  /// `rule` is that of `strategy` or of a part of it; `windows` and `flops` are those of the part;
  /// `flops` counts operations of narrow products. All arguments must outlive this.
  SplitCost(const Strategy &strategy, const OpRule &rule, absl::Span<const WindowUse> windows,
            double flops, absl::Span<const TensorSituation> operands,
            absl::Span<const TensorSituation> results, const CostModel &model,
            const WorkWeights &weights);
  ~SplitCost();

  /// Returns the cost of the arithmetic and memory traffic of one device.
  double work(const FactorAxes &split) const;
  /// Returns the cost of the arithmetic of one device.
  double arithmetic(const FactorAxes &split) const;
  /// Returns the cost of the data that the op's algorithm moves between devices.
  double exchanges(const FactorAxes &split);
  /// Returns the bytes of `tensor` that one device has under `split`.
  double localBytes(const FactorAxes &split, const TensorFactors &factors,
                    const TensorSituation &tensor) const;

private:
  /// A product that reads a part of what a device holds needs the part copied: it is read and
  /// written first. Light ops cut the part out as they go. Ops that combine no elements read no
  /// more than they make.
  double bytesRead(const FactorAxes &split, size_t operand, double bytesMade) const;
  /// Each device gets some of the lines along factor `f`, and gives back what it makes of them.
  double exchangeOfLines(const FactorAxes &split, int32_t f) const;
  /// A sort along factor `f`: each operand travels, with what tells padding and equal rows apart.
  double exchangeOfSort(const FactorAxes &split, int32_t f) const;
  /// All devices get the results of all `shards`.
  double gatherOfResults(const FactorAxes &split, double shards) const;
  /// Each device sees all blocks of a tensor, one after the other, or adds its share to them. While
  /// the op works on one block, the next one is on its way.
  double passOfAllBlocks(const FactorAxes &split, const WindowUse &use) const;
  double exchange(const FactorAxes &split, size_t window);

  const OpRule &rule;
  absl::Span<const WindowUse> windows;
  double flops;
  int32_t tieBytes;
  absl::Span<const TensorSituation> operands, results;
  const CostModel &model;
  WorkWeights weights;
  bool isReadApart; ///< See `isProduct`.
  bool combinesNothing;
  std::vector<double> held; ///< By operand: the bytes that a device has before any move.
  std::map<std::pair<size_t, int64_t>, HaloPlan> halos; ///< By window and number of shards.
};

} // namespace spmd
