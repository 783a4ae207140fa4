#include "spmd/tools/spmd-reduce/Reduce.h"

#include "spmd/tools/spmd-reduce/Minimize.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace spmd {

std::string printed(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module << "\n";
  return text;
}

void Eraser::orphan(Value value) {
  if (Operation *op = value.getDefiningOp())
    orphans.insert(op);
}

void Eraser::erase(Operation *op) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      orphan(operand);
  });
  op->walk([&](Operation *inner) { orphans.remove(inner); });
  op->erase();
}

Eraser::~Eraser() {
  while (!orphans.empty()) {
    Operation *op = orphans.pop_back_val();
    if (isOpTriviallyDead(op))
      erase(op);
  }
}

/// Returns whether the verifier accepts `module`; what it says of it is nobody's concern.
static bool isValid(ModuleOp module) {
  ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &) { return success(); });
  return succeeded(verify(module));
}

static size_t numOps(ModuleOp module) {
  size_t count = 0;
  module.walk([&](Operation *) { ++count; });
  return count - 1; // The module itself.
}

/// The order matters for speed, not for the end: what removes most per run comes first.
static std::vector<std::unique_ptr<Shrinker>> allShrinkers() {
  std::vector<std::unique_ptr<Shrinker>> shrinkers;
  shrinkers.push_back(dropSymbols());
  shrinkers.push_back(dropResults());
  shrinkers.push_back(dropOps(Replacement::argument));
  shrinkers.push_back(dropOps(Replacement::operand));
  shrinkers.push_back(dropOps(Replacement::constant));
  shrinkers.push_back(inlineRegions());
  shrinkers.push_back(dropSymbols());
  shrinkers.push_back(dropArguments());
  shrinkers.push_back(mergeArguments());
  shrinkers.push_back(dropAttributes());
  shrinkers.push_back(shrinkMeshes());
  shrinkers.push_back(zeroConstants());
  shrinkers.push_back(splatConstants());
  shrinkers.push_back(shrinkDims());
  return shrinkers;
}

/// Lets `shrinker` remove what it can. Returns whether anything went.
static bool run(Shrinker &shrinker, OwningOpRef<ModuleOp> &module, std::string &text,
                Interest &interest) {
  auto tryWithout = [&](size_t begin, size_t end) -> std::optional<size_t> {
    if (interest.isOver())
      return std::nullopt;
    OwningOpRef<ModuleOp> candidate = cast<ModuleOp>((*module)->clone());
    shrinker.remove(*candidate, begin, end);
    if (!isValid(*candidate))
      return std::nullopt;
    std::string candidateText = printed(*candidate);
    if (!interest.isInteresting(candidateText))
      return std::nullopt;
    module = std::move(candidate);
    text = std::move(candidateText);
    return shrinker.count(*module);
  };
  size_t count = shrinker.count(*module);
  return minimize(count, shrinker.isOneByOne() ? 1 : count, tryWithout);
}

void reduceProgram(OwningOpRef<ModuleOp> &module, std::string &text, Interest &interest,
                   llvm::raw_ostream &progress) {
  bool changed = true;
  while (changed && !interest.isOver()) {
    changed = false;
    for (const std::unique_ptr<Shrinker> &shrinker : allShrinkers()) {
      if (!run(*shrinker, module, text, interest))
        continue;
      changed = true;
      progress << "spmd-reduce: " << shrinker->name() << ": " << numOps(*module) << " ops, "
               << text.size() << " bytes left after " << interest.numRuns() << " runs\n";
    }
  }
}

void reduceLines(std::string &text, Interest &interest, llvm::raw_ostream &progress) {
  SmallVector<std::string> lines;
  for (llvm::StringRef line : llvm::split(llvm::StringRef(text), '\n'))
    lines.push_back(line.str());
  auto tryWithout = [&](size_t begin, size_t end) -> std::optional<size_t> {
    SmallVector<std::string> rest(lines.begin(), lines.begin() + begin);
    rest.append(lines.begin() + end, lines.end());
    std::string candidate = llvm::join(rest, "\n");
    if (!interest.isInteresting(candidate))
      return std::nullopt;
    lines = std::move(rest);
    text = std::move(candidate);
    return lines.size();
  };
  while (!interest.isOver() && minimize(lines.size(), lines.size(), tryWithout))
    progress << "spmd-reduce: lines: " << lines.size() << " lines, " << text.size()
             << " bytes left after " << interest.numRuns() << " runs\n";
}

} // namespace spmd
