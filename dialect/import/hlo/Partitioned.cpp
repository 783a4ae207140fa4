#include "spmd/dialect/import/hlo/Partitioned.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"

namespace spmd {

/// Only before partitioning are there constraints, and borders of manual regions.
static bool isBeforePartitioning(const hlo::HloInstructionProto &instruction) {
  llvm::StringRef target = instruction.custom_call_target();
  return target == "Sharding" || target == "SPMDFullToShardShape" ||
         target == "SPMDShardToFullShape" || target.starts_with("xla.sdy.");
}

static bool isCollective(llvm::StringRef opcode) {
  return llvm::StringSwitch<bool>(opcode)
      .Cases({"all-reduce", "all-gather", "all-to-all", "reduce-scatter", "ragged-all-to-all"},
             true)
      .Cases({"collective-permute", "collective-broadcast", "collective-reduce"}, true)
      .Cases({"all-reduce-start", "all-gather-start", "collective-permute-start"}, true)
      .Default(false);
}

/// A collective without a channel is one of replicas.
static bool isOfOnePartition(const hlo::HloInstructionProto &instruction) {
  return instruction.opcode() == "partition-id" ||
         (isCollective(instruction.opcode()) && instruction.channel_id() > 0);
}

bool isPartitioned(const hlo::HloModuleProto &module) {
  if (module.has_spmd_output_sharding() || module.spmd_parameters_shardings_size() > 0)
    return true;
  if (module.text_config().num_partitions() <= 1 &&
      module.device_assignment().computation_count() <= 1)
    return false;
  if (llvm::StringRef(module.entry_computation_name()).ends_with("_spmd"))
    return true;
  bool isLocal = false;
  for (const hlo::HloComputationProto &computation : module.computations())
    for (const hlo::HloInstructionProto &each : computation.instructions()) {
      if (isBeforePartitioning(each))
        return false;
      isLocal |= isOfOnePartition(each);
    }
  return isLocal;
}

} // namespace spmd
