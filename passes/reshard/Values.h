// What the stage knows of values: how they lie, and what moving them means.
#pragma once

#include "spmd/passes/propagate/ValueNumbers.h"
#include "spmd/passes/reshard/Layouts.h"
#include "spmd/passes/reshard/OpKinds.h"

namespace spmd {

/// One word for each value, in an array that lies as the program does. What is not known of a value
/// is found in the IR when it is asked for; whoever changes a sharding says so.
class Values {
public:
  Values(Layouts &layouts, OpKinds &kinds) : layouts(layouts), kinds(kinds) {}

  /// Takes in the results of an op of the program, which is of this kind.
  void add(mlir::Operation *op, const OpKind &kind, llvm::ArrayRef<ValueSharding> shardings);
  /// Takes in the result of an op that was made to move a value, or to make it anew.
  void addMove(mlir::Value value, int32_t layout) { words.set(value, wordOf(layout) | placed); }
  void addClone(mlir::Value value, int32_t layout) { words.set(value, wordOf(layout) | free); }

  /// Returns how `value`, a tensor, lies where it is made; without a sharding it lies whole. -1
  /// after a diagnostic.
  int32_t layoutOf(mlir::Value value) { return layoutIn(value, word(value)); }
  /// What somebody said of it no longer counts.
  void setLayout(mlir::Value value, int32_t layout) {
    words.set(value, wordOf(layout) | (word(value) & allMarks & ~pinned));
  }
  /// Reads how `value` lies in the IR, where that was changed.
  void refresh(mlir::Value value) { words.set(value, word(value) & allMarks); }

  /// Made of nothing but scalars (`Remade.h`), so as well made anew.
  bool isFree(mlir::Value value) { return word(value) & free; }
  void markFree(mlir::Value value) { words.set(value, word(value) | free); }
  void unmarkFree(mlir::Value value) { words.set(value, word(value) & ~free); }
  /// Whether `value` is the result of an op that only says how its operand lies, or moves it.
  bool isPlaced(mlir::Value value) { return word(value) & placed; }
  /// Whether the user gave `value`, a result, a sharding.
  bool isPinned(mlir::Value value) { return word(value) & pinned; }
  /// Whether the op that makes `value` is to be erased.
  bool isDropped(mlir::Value value) { return word(value) & dropped; }
  void drop(mlir::Value value) { words.set(value, word(value) | dropped); }

  /// Whether `value` is the same in all turns of a loop around it, so that it is moved before
  /// these.
  bool isUnchanging(mlir::Value value) { return word(origin(value)) & unchanging; }
  void markUnchanging(mlir::Value value) { words.set(value, word(value) | unchanging); }

  /// Returns the bytes of a device that hold `value` if it lies as `layout`; 0 if its shape is not
  /// known.
  uint64_t bytesOf(mlir::Value value, int32_t layout);
  /// What a choice for an op depends on, as a number: of an operand, and of a result.
  int32_t operandSituation(mlir::Value value);
  int32_t resultSituation(mlir::Value value);
  static int32_t layoutOfSituation(int32_t situation) { return situation / 2; }
  static bool isFreeSituation(int32_t situation) { return situation % 2; } ///< Of an operand.

private:
  /// Marks, and above them the number of the layout plus two; 0 for one not asked for yet.
  enum : int32_t { placed = 1, free = 2, dropped = 4, pinned = 8, unchanging = 16, allMarks = 31 };
  static constexpr int32_t layoutUnit = allMarks + 1;
  static int32_t wordOf(int32_t layout) { return (layout + 2) * layoutUnit; }

  int32_t word(mlir::Value value) {
    int32_t known = words.lookup(value);
    return known >= 0 ? known : find(value);
  }
  int32_t find(mlir::Value value);
  int32_t layoutIn(mlir::Value value, int32_t word) {
    return word >= layoutUnit ? word / layoutUnit - 2 : findLayout(value, word);
  }
  int32_t findLayout(mlir::Value value, int32_t word);
  mlir::Value origin(mlir::Value value) {
    while (isPlaced(value))
      value = value.getDefiningOp()->getOperand(0);
    return value;
  }

  Layouts &layouts;
  OpKinds &kinds;
  ValueNumbers words;
};

} // namespace spmd
