// From what the user calls a value to the value.
#pragma once

#include "spmd/passes/explain/Places.h"

#include "llvm/ADT/StringSet.h"

namespace spmd {

/// The values of the graph that a name stands for, or why there are none.
struct FoundValues {
  std::vector<int32_t> values;
  /// What was asked for, of each: one value of the graph stands for what a loop hands on, its
  /// body's argument and its result alike. Null for a result of the function.
  std::vector<mlir::Value> asked;
  std::string error; ///< With what comes near, if anything does. Empty if values were found.
};

/// Finds values by name. `name` is
///
///     %3  %3#1  %3:2    as the text of the program calls a value; %3 of several results all, and
///                       %3:2, as it stands before them
///     2  arg:2          an argument, by number
///     result:0          a result of the function
///     file:12:8  12:8   a location, with its file or without, with a column or (file:12) without
///     jit(f)/add        a name in a location: of HLO instructions, of a framework
///     params['w']       any other name that a plan takes (passes/plan/Names.h)
///     *['w']            all that a pattern of names stands for, as in a plan
///
/// each with `@f:` or `@"f":` before it, or of @main, or of the only function that has it. All
/// values at a location are found, and a value of each region where they share a name.
class Finder {
public:
  /// `written` is what the file calls its values; it outlives the finder.
  Finder(Places &places, const llvm::StringSet<> &written);

  FoundValues find(llvm::StringRef name) const;

private:
  /// A value of the program and what it may be called.
  struct Candidate {
    mlir::Value value; ///< Null for a result of the function.
    int32_t body;
    int32_t tensor; ///< Of the body; ShardGraph::none for what has no sharding.
    std::vector<std::string> names;
    std::vector<std::string> aliases = {}; ///< Other names, which are not proposed.
  };

  void addFunction(int32_t body);
  void addValue(int32_t body, mlir::Value value);
  bool isWritten(llvm::StringRef function, llvm::StringRef name) const;
  bool isGone(llvm::StringRef name, int32_t body) const;
  std::vector<const Candidate *> matches(llvm::StringRef name, int32_t body) const;
  FoundValues findIn(llvm::StringRef name, int32_t body) const;
  FoundValues valuesOf(llvm::ArrayRef<const Candidate *> chosen, llvm::StringRef name) const;
  FoundValues unknown(llvm::StringRef name, int32_t body) const;
  /// Says that a function has not so many arguments or results.
  FoundValues beyond(llvm::StringRef number, bool isResult, int32_t body) const;

  Places &places;
  const llvm::StringSet<> &written;
  std::vector<Candidate> candidates; ///< In program order.
};

/// Returns what the text calls each value, with its function: `f:%3`. What a pass takes away is
/// known by it afterwards.
llvm::StringSet<> writtenNamesIn(mlir::ModuleOp module);

/// Returns for a value of the graph where its function is called; empty if nowhere.
std::string callOf(Places &places, int32_t value);

} // namespace spmd
