// Shrinking a program while it stays interesting.
//
// The program is searched in steps. A step numbers the things of one kind that a program could do
// without (ops, results, shardings, sizes of dims ..), and can make a program without some of them.
// Each such program that the verifier accepts is printed and judged by the user's command. The
// steps are repeated until none finds anything.
#pragma once

#include "spmd/tools/spmd-reduce/Interest.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/ADT/SetVector.h"

#include <memory>

namespace spmd {

/// One kind of thing that a program could do without.
class Shrinker {
public:
  virtual ~Shrinker() = default;
  /// A word for messages.
  virtual llvm::StringRef name() const = 0;
  /// Returns how many things of the kind `module` has. Linear.
  virtual size_t count(mlir::ModuleOp module) = 0;
  /// Removes things [begin, end) of `module`, in the order of count(). May leave one where it is,
  /// and may leave a program that does not verify. Linear.
  virtual void remove(mlir::ModuleOp module, size_t begin, size_t end) = 0;
  /// Returns whether the things are choices that exclude each other: they are then tried one by
  /// one.
  virtual bool isOneByOne() const { return false; }
};

/// What stands for the results of an op that is removed.
enum class Replacement {
  argument, ///< A new argument of the function, where nothing calls it.
  operand,  ///< An operand of the op, or an argument of its function, of the same type.
  constant, ///< Zeros.
};

std::unique_ptr<Shrinker> dropOps(Replacement replacement);
std::unique_ptr<Shrinker> dropSymbols();    ///< Functions and meshes that nothing names.
std::unique_ptr<Shrinker> dropResults();    ///< Of functions, where no call uses them.
std::unique_ptr<Shrinker> dropArguments();  ///< Of functions, where they are not used.
std::unique_ptr<Shrinker> mergeArguments(); ///< An earlier one of the type takes its place.
std::unique_ptr<Shrinker> inlineRegions();  ///< One run of a region, or of a function, for the op.
std::unique_ptr<Shrinker> dropAttributes(); ///< Discardable ones: shardings and other notes.
std::unique_ptr<Shrinker> shrinkMeshes();   ///< Fewer axes, smaller axes, devices in order.
std::unique_ptr<Shrinker> shrinkDims();     ///< One size for another, wherever it occurs.
std::unique_ptr<Shrinker> splatConstants(); ///< The first element everywhere.
std::unique_ptr<Shrinker> zeroConstants();

/// Erases ops, and in the end what only they used and has no effect. What was without uses before
/// stays: it may be what the program is interesting for.
class Eraser {
public:
  Eraser() = default;
  Eraser(const Eraser &) = delete;
  Eraser &operator=(const Eraser &) = delete;
  ~Eraser();

  /// Erases `op`, which has no uses.
  void erase(mlir::Operation *op);
  /// Tells that a use of `value` went.
  void orphan(mlir::Value value);

private:
  llvm::SetVector<mlir::Operation *> orphans; ///< They lost a use, and are there.
};

/// Shrinks `module`, which `interest` has called interesting in the form `text`, until no step
/// finds anything or `interest` is over. Writes a line of progress per step to `progress`.
void reduceProgram(mlir::OwningOpRef<mlir::ModuleOp> &module, std::string &text, Interest &interest,
                   llvm::raw_ostream &progress);

/// As reduceProgram, for any text, line by line: nothing is parsed.
void reduceLines(std::string &text, Interest &interest, llvm::raw_ostream &progress);

/// Returns the program as it is written to files.
std::string printed(mlir::ModuleOp module);

} // namespace spmd
