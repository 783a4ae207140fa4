// Functions: whole ones, their results and their arguments.

#include "spmd/tools/spmd-reduce/Reduce.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace spmd {

namespace {

/// The functions of a module, and who names each.
class Functions {
public:
  explicit Functions(ModuleOp module) : users(tables, module) {}

  bool isUsed(Operation *symbol) { return !users.useEmpty(symbol); }

  /// Returns the calls of `function`, or nothing if something else names it too, or it has no one
  /// place where it returns.
  std::optional<SmallVector<func::CallOp>> callsOf(func::FuncOp function) {
    if (!llvm::hasSingleElement(function.getBody()))
      return std::nullopt;
    SmallVector<func::CallOp> calls;
    for (Operation *user : users.getUsers(function)) {
      if (!isa<func::CallOp>(user))
        return std::nullopt;
      calls.push_back(cast<func::CallOp>(user));
    }
    return calls;
  }

private:
  SymbolTableCollection tables;
  SymbolUserMap users;
};

class DropSymbols : public Shrinker {
public:
  llvm::StringRef name() const override { return "functions and meshes"; }
  size_t count(ModuleOp module) override { return candidates(module).size(); }

  void remove(ModuleOp module, size_t begin, size_t end) override {
    auto symbols = candidates(module);
    for (Operation *symbol : ArrayRef(symbols).slice(begin, end - begin))
      symbol->erase();
  }

private:
  static SmallVector<Operation *> candidates(ModuleOp module) {
    Functions functions(module);
    SmallVector<Operation *> symbols;
    for (Operation &op : *module.getBody())
      if (isa<SymbolOpInterface>(op) && !functions.isUsed(&op))
        symbols.push_back(&op);
    return symbols;
  }
};

/// An argument or a result of a function.
struct Place {
  func::FuncOp function;
  unsigned index;
  SmallVector<func::CallOp> calls;
};

/// Returns for each function that is named in `places` the numbers of its places.
llvm::MapVector<func::FuncOp, std::pair<BitVector, SmallVector<func::CallOp>>>
byFunction(ArrayRef<Place> places, bool results) {
  llvm::MapVector<func::FuncOp, std::pair<BitVector, SmallVector<func::CallOp>>> grouped;
  for (const Place &place : places) {
    auto &[numbers, calls] = grouped[place.function];
    func::FuncOp function = place.function;
    numbers.resize(results ? function.getNumResults() : function.getNumArguments());
    numbers.set(place.index);
    calls = place.calls;
  }
  return grouped;
}

class DropResults : public Shrinker {
public:
  llvm::StringRef name() const override { return "results"; }
  size_t count(ModuleOp module) override { return candidates(module).size(); }

  void remove(ModuleOp module, size_t begin, size_t end) override {
    SmallVector<Place> places = candidates(module);
    Eraser eraser;
    for (auto &[function, rest] :
         byFunction(ArrayRef(places).slice(begin, end - begin), /*results=*/true))
      removeResults(function, rest.first, rest.second, eraser);
  }

private:
  static SmallVector<Place> candidates(ModuleOp module) {
    Functions functions(module);
    SmallVector<Place> places;
    for (auto function : module.getOps<func::FuncOp>()) {
      std::optional<SmallVector<func::CallOp>> calls = functions.callsOf(function);
      for (unsigned i = 0; calls && i < function.getNumResults(); ++i)
        if (llvm::all_of(*calls, [&](func::CallOp call) { return call.getResult(i).use_empty(); }))
          places.push_back({function, i, *calls});
    }
    return places;
  }

  static void removeResults(func::FuncOp function, const BitVector &which,
                            ArrayRef<func::CallOp> calls, Eraser &eraser) {
    Operation *end = function.getBody().front().getTerminator();
    if (end->getNumOperands() != which.size() || failed(function.eraseResults(which)))
      return;
    for (unsigned index : which.set_bits())
      eraser.orphan(end->getOperand(index));
    end->eraseOperands(which);
    for (func::CallOp call : calls) {
      OpBuilder builder(call);
      auto shorter = func::CallOp::create(builder, call.getLoc(), function, call.getOperands());
      unsigned next = 0;
      for (OpResult result : call.getResults())
        if (!which.test(result.getResultNumber()))
          result.replaceAllUsesWith(shorter.getResult(next++));
      call.erase();
    }
  }
};

void removeArguments(func::FuncOp function, const BitVector &which, ArrayRef<func::CallOp> calls) {
  if (failed(function.eraseArguments(which)))
    return;
  for (func::CallOp call : calls)
    call->eraseOperands(which);
}

class DropArguments : public Shrinker {
public:
  llvm::StringRef name() const override { return "arguments"; }
  size_t count(ModuleOp module) override { return candidates(module).size(); }

  void remove(ModuleOp module, size_t begin, size_t end) override {
    SmallVector<Place> places = candidates(module);
    for (auto &[function, rest] :
         byFunction(ArrayRef(places).slice(begin, end - begin), /*results=*/false))
      removeArguments(function, rest.first, rest.second);
  }

private:
  static SmallVector<Place> candidates(ModuleOp module) {
    Functions functions(module);
    SmallVector<Place> places;
    for (auto function : module.getOps<func::FuncOp>())
      if (std::optional<SmallVector<func::CallOp>> calls = functions.callsOf(function))
        for (BlockArgument argument : function.getArguments())
          if (argument.use_empty())
            places.push_back({function, argument.getArgNumber(), *calls});
    return places;
  }
};

class MergeArguments : public Shrinker {
public:
  llvm::StringRef name() const override { return "arguments to other arguments"; }
  size_t count(ModuleOp module) override { return candidates(module).size(); }
  bool isOneByOne() const override { return true; }

  void remove(ModuleOp module, size_t begin, size_t end) override {
    auto [place, other] = candidates(module)[begin];
    place.function.getArgument(place.index).replaceAllUsesWith(other);
    BitVector which(place.function.getNumArguments());
    which.set(place.index);
    removeArguments(place.function, which, place.calls);
  }

private:
  /// Each argument with the first one of its type.
  static SmallVector<std::pair<Place, Value>> candidates(ModuleOp module) {
    Functions functions(module);
    SmallVector<std::pair<Place, Value>> pairs;
    for (auto function : module.getOps<func::FuncOp>()) {
      std::optional<SmallVector<func::CallOp>> calls = functions.callsOf(function);
      if (!calls)
        continue;
      DenseMap<Type, Value> first;
      for (BlockArgument argument : function.getArguments()) {
        auto [found, isNew] = first.try_emplace(argument.getType(), argument);
        if (!isNew)
          pairs.push_back({Place{function, argument.getArgNumber(), *calls}, found->second});
      }
    }
    return pairs;
  }
};

} // namespace

std::unique_ptr<Shrinker> dropSymbols() { return std::make_unique<DropSymbols>(); }
std::unique_ptr<Shrinker> dropResults() { return std::make_unique<DropResults>(); }
std::unique_ptr<Shrinker> dropArguments() { return std::make_unique<DropArguments>(); }
std::unique_ptr<Shrinker> mergeArguments() { return std::make_unique<MergeArguments>(); }

} // namespace spmd
