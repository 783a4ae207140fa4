// The ways in which one op can run, with the layouts that each way needs and makes.
//
//     dot ([i, k], [k, j]) -> ([i, j]) over <["x"=2]>
//
//     i on "x"    [{"x"}, {}]  [{}, {}]     ->  [{"x"}, {}]
//     k on "x"    [{}, {"x"}]  [{"x"}, {}]  ->  [{}, {}], unreduced={"x"}
//     j on "x"    [{}, {}]     [{}, {"x"}]  ->  [{}, {"x"}]
//     nothing     [{}, {}]     [{}, {}]     ->  [{}, {}]
#pragma once

#include "spmd/ir/planner/LayoutTable.h"
#include "spmd/ir/rules/Strategy.h"

namespace spmd {

/// The options of all ops of one kind. Tensors are numbered with operands first.
struct OptionSet {
  int32_t numOperands = 0;
  int32_t numTensors = 0;
  std::vector<double> costs; ///< By option: work and exchanges, in bytes on the wire.
  /// By option and tensor.
  std::vector<int32_t> layouts;

  /// The distinct layouts of one tensor, and which of them each option has.
  struct Side {
    std::vector<int32_t> layouts;
    std::vector<int32_t> indexOf; ///< By option.
  };
  std::vector<Side> sides; ///< By tensor.
  /// A dim of a tensor.
  struct Place {
    int32_t tensor, dim;
  };
  /// Dims that an option splits together: those of one factor, where it is the major one.
  std::vector<std::vector<Place>> ties;
  bool isHeavy = false; ///< The op multiplies matrices; it does not just follow others.

  int32_t size() const { return static_cast<int32_t>(costs.size()); }
  int32_t layoutOf(int32_t option, int32_t tensor) const {
    return layouts[option * numTensors + tensor];
  }
  /// Returns the option whose tensors have these layouts, or -1.
  int32_t find(const std::vector<int32_t> &tensorLayouts) const {
    auto found = numbers.find(tensorLayouts);
    return found == numbers.end() ? -1 : found->second;
  }
  /// Prepares `sides` and `find` once all options are there.
  void index();

private:
  absl::flat_hash_map<std::vector<int32_t>, int32_t> numbers; ///< By layouts of all tensors.
};

/// A tensor of an op, as far as the options depend on it.
struct OpTensor {
  int32_t kind; ///< Of the layout table.
  /// Each user makes the value anew, in the layout that it wants.
  bool isFree = false;
  /// A result that its readers compute together with: it is never written to memory.
  bool isFused = false;
};

/// What one op may be split along.
struct OptionRequest {
  const Strategies &strategies;
  std::vector<OpTensor> operands, results;
  /// The axes of the mesh that may split the op.
  std::vector<int32_t> axes;
  /// Layouts that propagation found, by tensor. An axis may split a factor unevenly if it does so
  /// in one of them. Their splits are options too where they are over parts of axes.
  std::vector<int32_t> declared;
  /// Operands may be shares of a sum. Quantized values may not: their zero point is no zero.
  bool mayShare = true;
  /// Among how many devices a product is divided at least.
  double leastDegree = 1;
};

/// Returns all options of an op whose rule is one part: each axis goes to one factor, to none, to
/// the factors of a merged dim together, or to shares of the operands, in every order. There are at
/// most (factors + axes)^axes.
///
/// If these are more than `mostOptions`, axes of one dim keep the order of the mesh; if that is not
/// enough, an axis goes only to factors to which propagation gave it. Nothing if there are still
/// too many.
std::optional<OptionSet> makeOptions(const OptionRequest &request, LayoutTable &table,
                                     const CostModel &model);

/// A value that a loop or branch hands on.
struct HandedOn {
  int32_t kind;     ///< Of the layout table.
  int32_t declared; ///< The layout that propagation found.
  int32_t numReads; ///< At how many places it comes in.
  bool mayShare;    ///< It may be shares of a sum.
  double mostBytes; ///< That a device may hold of it, unless the declared layout needs more.
};

/// Returns the options of a value that is read at several places and made at two, in the same
/// layout at all of them: the declared one, and each way to give `axes` to dims or to shares.
OptionSet anyLayout(const HandedOn &value, absl::Span<const int32_t> axes, LayoutTable &table);

/// Returns the options of a constraint: `pinned`, and each layout that splits it further by `axes`.
OptionSet refinements(int32_t pinned, int32_t kind, absl::Span<const int32_t> axes,
                      LayoutTable &table);

/// Three axes on an op of six factors have about 500 options, four axes about 4,600. The search
/// holds matrices with as many rows and columns.
inline constexpr int32_t mostOptions = 1024;

/// Returns the options of an op that has its tensors in these layouts and in no others.
OptionSet fixedOption(std::vector<int32_t> operands, std::vector<int32_t> results);

} // namespace spmd
