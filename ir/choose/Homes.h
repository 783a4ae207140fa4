// Rows of the batch at a product, and the weight that wants their axis.
//
// Under FSDP rows and weights are split along one axis, and one of them has to move. The program
// says that its computation lies by rows (`SteadyAxes`), and a weight may be on its way before
// anything waits for it; rows that go to the weight, and sums that come back, are waited for:
//
//     x [{"d"}, {}] . W [{}, {"d"}] -> y [{"d"}, {}]     x and y are at home; W is gathered
#pragma once

#include "spmd/ir/choose/Choose.h"

namespace spmd {

/// How many times a move of rows, or of sums of theirs, counts where a weight could come to them:
/// it decides where one is about as dear as the other, as at a small head with one row a device.
/// (With half as much again, steps of which each layer has one row a device gather four times the
/// bytes.)
inline constexpr double rowsTimes = 1.25;

/// What of a product lies along an axis of the batch that something unhurried wants elsewhere.
class Homes {
public:
  /// None where `isProduct` is not so. The situations are those of the product's tensors.
  Homes(bool isProduct, const OpRule &rule, int32_t mesh,
        absl::Span<const TensorSituation> operands, absl::Span<const TensorSituation> results,
        const ReshardCosts &costs);

  /// Returns how many times a move of tensor `t`, operands first, counts between `place` and where
  /// it lies or, of a result, should lie.
  double timesFor(size_t t, const MeshSharding &place) const;

private:
  class Finder;

  /// A dim of a tensor that is split along an axis of the batch.
  struct Split {
    size_t tensor, dim;
    AxisRef axis;
  };

  absl::InlinedVector<Split, 3> split;
};

} // namespace spmd
