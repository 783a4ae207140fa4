#include "spmd/lowering/program/Releases.h"

#include <algorithm>

namespace spmd {

void planReleases(Function &function, absl::Span<const ValueId> released) {
  constexpr int32_t never = -1;
  std::vector<int32_t> lastUse(function.values.size(), never);
  for (size_t pc = 0; pc < function.instructions.size(); ++pc) {
    Instruction &instruction = function.instructions[pc];
    instruction.releases.clear();
    for (const auto *ids : {&instruction.operands, &instruction.results})
      for (ValueId id : *ids)
        lastUse[id] = pc;
  }
  for (ValueId id = 0; id < function.numArguments; ++id)
    if (std::find(released.begin(), released.end(), id) == released.end())
      lastUse[id] = never;
  for (ValueId id : function.results)
    lastUse[id] = never;
  for (ValueId id = 0; id < static_cast<ValueId>(lastUse.size()); ++id)
    if (lastUse[id] != never)
      function.instructions[lastUse[id]].releases.push_back(id);
}

void planReleases(DeviceProgram &program) {
  for (size_t i = 0; i < program.functions.size(); ++i) {
    Function &function = program.functions[i];
    bool isEntry = static_cast<int32_t>(i) == program.entry;
    std::vector<ValueId> released;
    for (ValueId id = 0; id < function.numArguments; ++id)
      if (!isEntry || (id < static_cast<ValueId>(program.arguments.size()) &&
                       program.arguments[id].aliases >= 0))
        released.push_back(id);
    planReleases(function, released);
  }
}

} // namespace spmd
