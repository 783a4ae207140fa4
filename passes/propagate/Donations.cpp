#include "spmd/passes/propagate/Donations.h"

#include "spmd/dialect/spmd/Donation.h"

namespace spmd {

void alignDonations(ProgramGraph &program, History *history) {
  for (const ProgramGraph::Instance &instance : program.instances) {
    const ProgramGraph::Body &body = program.bodies[instance.body];
    mlir::func::FuncOp func = body.func;
    for (mlir::BlockArgument argument : func.getArguments()) {
      auto donated =
          func.getArgAttrOfType<mlir::IntegerAttr>(argument.getArgNumber(), donationName);
      bool mayLieOtherwise = func.getArgAttr(argument.getArgNumber(), donorName) != nullptr;
      if (!donated || mayLieOtherwise || donated.getValue().uge(func.getNumResults()))
        continue;
      int32_t from = program.valueOf(instance, argument);
      if (from == ShardGraph::none)
        continue;
      int64_t index = donated.getInt();
      int32_t to = instance.firstValue + body.firstResult + static_cast<int32_t>(index);
      ShardGraph::Value &giver = program.graph.value(from);
      ShardGraph::Value &taker = program.graph.value(to);
      bool isWantedAlike = shardingOfResult(func, index).attr == shardingOf(argument).attr;
      if (giver.sharding == ShardGraph::none || giver.shape != taker.shape ||
          (taker.state == ShardingState::pinned && !isWantedAlike))
        continue;
      if (history && taker.sharding != giver.sharding)
        history->changes.push_back(
            {to, taker.sharding, giver.sharding, from, history->numSteps, Change::Cause::donation});
      taker.sharding = giver.sharding;
      program.graph.copyPriorities(from, to);
      if (taker.state == ShardingState::unspecified)
        taker.state = ShardingState::inferred;
    }
  }
}

} // namespace spmd
