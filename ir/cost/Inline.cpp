#include "spmd/ir/cost/CostProgram.h"

#include <cstddef>

namespace spmd {

std::vector<int32_t> inlineBlock(const CostBlock &callee, const std::vector<int32_t> &operands,
                                 CostBlock &caller) {
  std::vector<int32_t> renamed(callee.valueBytes.size(), -1);
  for (size_t i = 0; i < callee.arguments.size(); ++i)
    renamed[callee.arguments[i]] = operands[i];
  auto rename = [&](int32_t value) {
    if (renamed[value] < 0)
      renamed[value] = caller.addValue(callee.valueBytes[value]);
    return renamed[value];
  };
  for (const CostOp &op : callee.ops) {
    CostOp &copy = caller.ops.emplace_back(op);
    for (CostRead &read : copy.reads)
      read.value = rename(read.value);
    for (int32_t &result : copy.results)
      result = rename(result);
  }
  std::vector<int32_t> results;
  for (int32_t result : callee.results)
    results.push_back(rename(result));
  return results;
}

} // namespace spmd
