// Puts what the history says about a value into words.
#pragma once

#include "spmd/ir/explain/Stops.h"
#include "spmd/ir/explain/Trace.h"
#include "spmd/passes/explain/Advice.h"
#include "spmd/passes/explain/Explanation.h"
#include "spmd/passes/explain/Places.h"
#include "spmd/passes/propagate/Engine.h"
#include "spmd/passes/propagate/Flags.h"
#include "spmd/passes/propagate/Missing.h"

namespace spmd {

/// Tells about values of a program that propagation is through with.
class Teller {
public:
  /// All must outlive this.
  Teller(Places &places, const Past &past, const std::vector<bool> &isFree,
         const std::vector<Knowledge> &knowledge)
      : places(places), past(past), graph(past.graph), isFree(isFree), knowledge(knowledge),
        reported(reportedMissing(places.program, knowledge)),
        alike(places.program.codec, shardingsIn(places.program)), tracer(past, isFree) {}

  /// Linear in the graph.
  Explanation tell(int32_t value);

  /// Returns how each axis came that splits a dim of `value`; names are those of its function.
  std::vector<ToldAxis> chainsOf(ValueDim place);

private:
  ToldDim tellDim(ValueDim place);
  ToldAxis tellAxis(ValueDim place, const AxisRef &axis);
  static void addAxis(ToldAxis axis, std::vector<ToldAxis> &axes);
  ToldLink tellLink(const Link &link);
  ToldRival tellRival(const Link &link, const Rival &rival);
  std::string annotationText(const Link &link) const;
  std::string decisionText(const Link &link) const;
  void tellStops(ValueDim place, ToldDim &told);
  /// Tells of a dim that is split which other axes do not come to it from the ops of its value.
  void tellKeptOut(ValueDim place, ToldDim &told);
  void tellAdvice(const Advice &advice, ToldDim &told);
  /// Returns the axes of the first of `stops`, behind those of others that stand before them where
  /// both are annotated: along these alone the dim would not stay split.
  AxisList axesToSuggest(llvm::ArrayRef<DimStop> stops);
  ToldStop tellStop(ValueDim place, const DimStop &stop);
  std::string userText(const DimStop &stop, const std::string &axes) const;
  std::string whyStopped(const DimStop &stop) const;
  /// Returns the pinned member of a sharding group, or the constraint, as which `value` lies; none
  /// if there is none.
  int32_t pinnedAtOrigin(int32_t value) const;
  /// Returns the axes of a dim that were taken from it because its shards would not be even.
  AxisList axesLostAtBoundary(ValueDim place) const;
  std::string whyClosed(int32_t value) const;
  ToldStop endOf(const char *kind, const std::string &text) const;
  void tellDeadEnds(const StopSearch &found, ToldDim &told);
  std::string dimText(ValueDim place) const;
  std::string fullName(int32_t value) const;
  std::string remarkOn(int32_t value) const;

  Places &places;
  const Past &past;
  const ShardGraph &graph;
  const std::vector<bool> &isFree;
  const std::vector<Knowledge> &knowledge;
  std::vector<bool> reported; ///< Values that are flagged.
  SplitAlike alike;
  Tracer tracer;
  mlir::func::FuncOp home; ///< The function of the value that is told about.
};

} // namespace spmd
