// A program of one device as the cost model sees it: plain data, without types or names.
//
// A block is a list of ops in program order, over values that are numbered inside the block. Loops,
// branches and calls refer to other blocks. A block comes after all blocks that it refers to.
#pragma once

#include "spmd/ir/cost/CostConstants.h"

#include <vector>

namespace spmd {

/// The role of an op in a chain of fused ops.
enum class OpRole : uint8_t {
  fusible,    ///< Computes each element from few others: it runs inside its only consumer.
  absorbing,  ///< A reduction: producers run inside it, it runs inside nothing.
  free,       ///< Made of little, as a broadcast: made again inside each consumer.
  apart,      ///< A product, a sort: reads and writes memory.
  collective, ///< Runs on the network.
  loop,       ///< Runs all its blocks `runs` times, and nothing beside them.
  branch      ///< Runs that of its blocks which takes longest.
};

/// An operand. `bytes` is what is read of it, less than all for a slice.
struct CostRead {
  int32_t value;
  int64_t bytes;
  bool mayFuse = true; ///< Its producer may run inside the op.
};

struct CostOp {
  OpRole role = OpRole::apart;
  Picoseconds arithmetic = 0; ///< At the peaks of the device.
  Picoseconds products = 0;   ///< The part of `arithmetic` that multiplies matrices.
  double flops = 0;           ///< Of the products.
  int64_t bytesWritten = 0;
  std::vector<CostRead> reads;
  std::vector<int32_t> results;

  int32_t collective = -1;        ///< Whoever builds the program numbers them.
  Picoseconds collectiveTime = 0; ///< Of one run.

  std::vector<int32_t> blocks; ///< Of a loop or a branch.
  int64_t runs = 1;
};

struct CostBlock {
  std::vector<int64_t> valueBytes; ///< By value.
  std::vector<CostOp> ops;
  std::vector<int32_t> arguments, results; ///< Values that come from and go to the outside.

  int32_t addValue(int64_t bytes) {
    valueBytes.push_back(bytes);
    return static_cast<int32_t>(valueBytes.size()) - 1;
  }
};

struct CostProgram {
  std::vector<CostBlock> blocks;
  int32_t entry = -1;
  int32_t numCollectives = 0;
};

/// Adds the ops of `callee` to `caller`, where `operands` are the arguments. Returns the values
/// that are its results. Linear in `callee`.
std::vector<int32_t> inlineBlock(const CostBlock &callee, const std::vector<int32_t> &operands,
                                 CostBlock &caller);

} // namespace spmd
