#include "spmd/ir/cost/Fusion.h"

#include <algorithm>

namespace spmd {

namespace {

class ChainFuser {
public:
  explicit ChainFuser(const CostBlock &block)
      : block(block), definedBy(block.valueBytes.size(), -1), isResult(block.valueBytes.size()),
        chainOf(block.ops.size(), -1), isKept(block.ops.size()) {}

  std::vector<FusedOp> run() {
    for (int32_t i = 0; i < numOps(); ++i)
      for (int32_t result : block.ops[i].results)
        definedBy[result] = i;
    for (int32_t result : block.results)
      isResult[result] = true;
    expandReads();
    keepFreeOps();
    assignChains();
    return makeChains();
  }

private:
  int32_t numOps() const { return static_cast<int32_t>(block.ops.size()); }

  static bool accepts(const CostOp &consumer, const CostRead &read) {
    return read.mayFuse && (consumer.role == OpRole::fusible ||
                            consumer.role == OpRole::absorbing || consumer.role == OpRole::free);
  }

  bool isFree(int32_t op) const { return op >= 0 && block.ops[op].role == OpRole::free; }

  /// Whether the op runs by itself or in a chain; a free op may run only inside its consumers.
  bool isRun(int32_t op) const { return !isFree(op) || isKept[op]; }

  /// In the place of what free ops make, their operands are read.
  void expandReads() {
    reads.resize(block.ops.size());
    for (int32_t i = 0; i < numOps(); ++i)
      for (const CostRead &read : block.ops[i].reads) {
        int32_t producer = definedBy[read.value];
        if (!isFree(producer) || !accepts(block.ops[i], read)) {
          reads[i].push_back(read);
          continue;
        }
        for (const CostRead &inner : reads[producer]) {
          CostRead taken = inner;
          taken.mayFuse &= read.mayFuse;
          reads[i].push_back(taken);
        }
      }
  }

  /// Free ops that somebody reads from memory are made there, once.
  void keepFreeOps() {
    for (int32_t i = 0; i < numOps(); ++i)
      for (const CostRead &read : reads[i])
        if (isFree(definedBy[read.value]))
          isKept[definedBy[read.value]] = true;
    for (int32_t result : block.results)
      if (isFree(definedBy[result]))
        isKept[definedBy[result]] = true;
  }

  /// From the last op to the first: consumers have their chains by then.
  void assignChains() {
    constexpr int32_t noConsumer = -1, several = -2;
    std::vector<int32_t> consumers(block.valueBytes.size(), noConsumer); // Chains, by value.
    for (int32_t i = numOps() - 1; i >= 0; --i) {
      if (!isRun(i))
        continue;
      const CostOp &op = block.ops[i];
      chainOf[i] = i;
      if (op.role == OpRole::fusible && op.results.size() == 1 && !isResult[op.results[0]])
        if (int32_t chain = consumers[op.results[0]]; chain >= 0)
          chainOf[i] = chain;
      for (const CostRead &read : reads[i]) {
        int32_t &chain = consumers[read.value];
        if (!accepts(op, read) || (chain != noConsumer && chain != chainOf[i]))
          chain = several;
        else
          chain = chainOf[i];
      }
    }
  }

  std::vector<FusedOp> makeChains() {
    std::vector<FusedOp> chains;
    std::vector<int32_t> numberOf(block.ops.size(), -1);
    for (int32_t i = 0; i < numOps(); ++i)
      if (isRun(i) && chainOf[i] == i) {
        numberOf[i] = static_cast<int32_t>(chains.size());
        chains.emplace_back().role = block.ops[i].role;
        chains.back().last = i;
        chains.back().bytes = block.ops[i].bytesWritten;
      }
    std::vector<std::vector<std::pair<int32_t, int64_t>>> read(chains.size());
    for (int32_t i = 0; i < numOps(); ++i) {
      if (!isRun(i))
        continue;
      int32_t number = numberOf[chainOf[i]];
      FusedOp &chain = chains[number];
      chain.arithmetic += block.ops[i].arithmetic;
      chain.products += block.ops[i].products;
      chain.flops += block.ops[i].flops;
      for (const CostRead &each : reads[i]) {
        int32_t producer = definedBy[each.value];
        if (producer >= 0 && chainOf[producer] == chainOf[i])
          continue;
        read[number].emplace_back(each.value, each.bytes);
        if (producer >= 0)
          chain.producers.push_back(numberOf[chainOf[producer]]);
      }
    }
    for (size_t n = 0; n < chains.size(); ++n) {
      std::vector<int32_t> &producers = chains[n].producers;
      std::sort(producers.begin(), producers.end());
      producers.erase(std::unique(producers.begin(), producers.end()), producers.end());
      chains[n].bytes += bytesRead(read[n]);
    }
    return chains;
  }

  /// Returns the bytes of all reads. Reads of one value count at most its size.
  int64_t bytesRead(std::vector<std::pair<int32_t, int64_t>> &read) const {
    std::sort(read.begin(), read.end());
    int64_t sum = 0;
    for (size_t i = 0; i < read.size();) {
      int32_t value = read[i].first;
      int64_t bytes = 0;
      for (; i < read.size() && read[i].first == value; ++i)
        bytes = std::min(block.valueBytes[value], bytes + read[i].second);
      sum += bytes;
    }
    return sum;
  }

  const CostBlock &block;
  std::vector<int32_t> definedBy; ///< By value: the op, -1 for what comes from outside.
  std::vector<bool> isResult;
  std::vector<std::vector<CostRead>> reads; ///< By op, through free ops.
  std::vector<int32_t> chainOf;             ///< By op: the last op of its chain.
  std::vector<bool> isKept;                 ///< Free ops whose results are in memory.
};

} // namespace

std::vector<FusedOp> fuseChains(const CostBlock &block) { return ChainFuser(block).run(); }

} // namespace spmd
