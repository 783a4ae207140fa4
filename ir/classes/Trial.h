// What the plan would cost if a conflict group lay otherwise, candidate by candidate.
//
// A group may hold most of a program, so it is looked at once: ops around it that are alike become
// one class with a weight, and so do values that are alike and wanted by ops of the same classes. A
// candidate is then judged in the time that the classes take, which are few, and nothing is
// changed.
#pragma once

#include "spmd/ir/classes/Candidates.h"

namespace spmd {

class Trial {
public:
  /// All of these must outlive this.
  Trial(const ShardGraph &graph, const std::vector<bool> &isFree, const ValueUses &uses,
        PlanCost &cost);

  /// Turns to the group that `targets` started with. Linear in the ops around its members.
  void start(const ConflictGroups &groups, const ConflictGroup &group, const Targets &targets);

  /// Returns how many seconds of the cost model the plan would take more if the members lay as
  /// `targets` says.
  double change(const Targets &targets);

private:
  /// Ops of one rule whose tensors are alike: in the kind of value and in their place.
  struct OpClass {
    int32_t example;
    int32_t firstPlace; ///< Of its tensors, in `places`.
    int32_t firstWish;  ///< Of its sources (`PlanCost::sourcesOf`), in `wanted`.
    int32_t numSources;
    double weight;  ///< How often all of them run.
    double costNow; ///< Of one that runs once.
  };

  /// Values alike that are wanted by the same operands of op classes, and besides in the same
  /// layouts by ops that stay as they are.
  struct ValueClass {
    int32_t example;
    int32_t place;
    int32_t firstWish, numWishes; ///< In `wishes`.
    int32_t firstOther, numOthers;
    int32_t count;
    double costNow;
  };

  void clear();
  /// Returns the number of a value.
  int32_t enlist(int32_t value) {
    int32_t &number = numberOf[value];
    if (number == ShardGraph::none) {
      number = static_cast<int32_t>(values.size());
      values.push_back(value);
    }
    return number;
  }
  int32_t placeOf(int32_t value) const;
  void visit(int32_t op);
  void addOpClass(int32_t op);
  template <typename Visit> void forEachSource(Visit visit) const;
  void sortSources();
  void classify(int32_t number);
  void listOthers(int32_t value, absl::Span<const int32_t> sourcesOfValue);
  double movesOf(const ValueClass &alike, int32_t layout, absl::Span<const int32_t> wantedThen);

  const ShardGraph &graph;
  const std::vector<bool> &isFree;
  PlanCost &cost;

  std::vector<OpClass> opClasses;
  std::vector<ValueClass> valueClasses;
  std::vector<int32_t> places;            ///< The layout of a value, or -1 - profile of a member.
  std::vector<int32_t> wanted, wantedNow; ///< By operand of an op class, a layout.
  std::vector<float> turnsOfWish;         ///< By operand of an op class.
  std::vector<int32_t> wishes;            ///< Operands of op classes.
  std::vector<PlanCost::Wanted> others;

  std::vector<int32_t> values;         ///< Members, then other operands of the ops around them.
  std::vector<int32_t> profiles;       ///< Of members.
  std::vector<int32_t> numberOf;       ///< By value of the graph: where it is in `values`, or none.
  std::vector<bool> isSeen;            ///< By op.
  std::vector<int32_t> classesOfOps;   ///< Of those around the group.
  std::vector<int32_t> operandNumbers; ///< Of these ops: in `values`, or none if free.
  /// Operands of op classes that a value is, at sourceOffsets[number] and behind.
  std::vector<int32_t> sources, sourceOffsets;
  std::vector<int32_t> lastSeenBy; ///< By operand of an op class, the number of a value.
  std::vector<PlanCost::Wanted> moves;
  KeyNumbers opNumbers, valueNumbers;
  std::vector<int32_t> key, layouts;
};

} // namespace spmd
