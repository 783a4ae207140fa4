#include "spmd/passes/propagate/KnownRules.h"

#include "spmd/ir/rules/Parts.h"

#include "llvm/ADT/STLExtras.h"

namespace spmd {

const KnownRules::Entry &KnownRules::of(const OpRule &rule) {
  std::unique_ptr<Entry> &entry = known[&rule];
  if (entry)
    return *entry;
  entry = std::make_unique<Entry>();
  forEachPart(rule, [&](const RulePart &part) {
    entry->parts.push_back({graph.internRule(part.rule), static_cast<int32_t>(part.operands.size()),
                            static_cast<int32_t>(part.results.size())});
    llvm::append_range(entry->tensors, part.operands);
    llvm::append_range(entry->tensors, part.results);
  });
  if (entry->parts.size() == 1) {
    entry->index = entry->parts.front().rule;
    entry->parts.clear();
    entry->tensors = {};
  }
  return *entry;
}

} // namespace spmd
