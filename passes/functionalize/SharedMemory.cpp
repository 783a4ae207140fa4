// Arguments that lie in one memory.

#include "spmd/passes/functionalize/Functionalize.h"

#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/passes/functionalize/Ranges.h"
#include "spmd/passes/functionalize/Views.h"

#include "llvm/ADT/MapVector.h"

namespace spmd {

namespace {

struct Member {
  mlir::BlockArgument argument;
  MemoryPart part;
  bool isWritten;

  mlir::RankedTensorType type() const {
    return llvm::cast<BufferType>(argument.getType()).getTensor();
  }
  bool isWhole() const {
    bool startsAtZero = llvm::all_of(part.starts, [](int64_t start) { return start == 0; });
    bool hasNoGaps = llvm::all_of(llvm::zip(part.strides, part.shape), [](auto dim) {
      return std::get<0>(dim) == 1 || std::get<1>(dim) <= 1;
    });
    return startsAtZero && hasNoGaps && part.limits == part.shape &&
           type().getShape() == part.shape;
  }
};

bool overlap(const MemoryPart &a, const MemoryPart &b) {
  return haveCommonElement({a.starts, a.limits, a.strides}, {b.starts, b.limits, b.strides});
}

/// The arguments of a function that lie in one memory.
class Memory {
public:
  explicit Memory(std::vector<Member> members) : members(std::move(members)) {}

  mlir::LogicalResult check() const {
    bool ok = true;
    for (size_t i = 1; i < members.size(); ++i)
      for (size_t k = 0; k < i; ++k)
        ok &= checkPair(members[k], members[i]);
    return mlir::success(ok);
  }

  /// Makes the arguments views of one buffer.
  void join() {
    auto whole = llvm::find_if(members, [](const Member &each) { return each.isWhole(); });
    const Member &first = members.front();
    mlir::Block *block = first.argument.getOwner();
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(block);
    mlir::Value buffer;
    if (whole != members.end())
      buffer = whole->argument;
    else
      buffer = AllocOp::create(builder, first.argument.getLoc(),
                               BufferType::get(first.type().clone(first.part.shape)));
    for (Member &each : members) {
      if (each.argument == buffer)
        continue;
      mlir::Value view = partOf(builder, each, buffer);
      each.argument.replaceAllUsesWith(view);
      if (whole != members.end())
        continue; // Its memory is the other argument's.
      copy(builder, each, each.argument, view);
      if (each.isWritten) {
        mlir::OpBuilder atEnd(block->getTerminator());
        copy(atEnd, each, view, each.argument);
      }
    }
  }

private:
  static bool checkPair(const Member &a, const Member &b) {
    std::string complaint;
    llvm::raw_string_ostream text(complaint);
    ValueSharding pinA = pinOf(a.argument), pinB = pinOf(b.argument);
    if (a.part.shape != b.part.shape) {
      text << "of shape [";
      llvm::interleaveComma(a.part.shape, text);
      text << "] for one and [";
      llvm::interleaveComma(b.part.shape, text);
      text << "] for the other";
    } else if (a.type().getElementType() != b.type().getElementType()) {
      text << "with elements of '" << a.type().getElementType() << "' and of '"
           << b.type().getElementType() << "'";
    } else if (a.isWritten && b.isWritten && overlap(a.part, b.part)) {
      text << "have elements in common, and both are written; write one, and what the other shows "
              "as a view of it";
    } else if (pinA && pinB && pinA.attr != pinB.attr) {
      text << "and are pinned to " << pinA.attr << " and to " << pinB.attr
           << "; one memory lies in one way";
    }
    if (complaint.empty())
      return true;
    mlir::InFlightDiagnostic diagnostic = mlir::emitError(b.argument.getLoc())
                                          << describeValue(a.argument) << " and "
                                          << describeValue(b.argument) << " lie in memory \""
                                          << b.part.name << "\", " << complaint;
    diagnostic.attachNote(a.argument.getLoc()) << "the other is here";
    return false;
  }

  /// Returns a view of the part of `buffer` that `member` is. Its pin is that of the memory.
  static mlir::Value partOf(mlir::OpBuilder &builder, const Member &member, mlir::Value buffer) {
    const MemoryPart &part = member.part;
    llvm::SmallVector<int64_t> shape;
    for (auto [start, limit, stride] : llvm::zip(part.starts, part.limits, part.strides))
      shape.push_back((limit - start) / stride + ((limit - start) % stride != 0));
    mlir::Location loc = member.argument.getLoc();
    mlir::Value view =
        SliceViewOp::create(builder, loc, BufferType::get(member.type().clone(shape)), buffer,
                            part.starts, part.limits, part.strides);
    if (view.getType() != member.argument.getType())
      view = ReshapeViewOp::create(builder, loc, member.argument.getType(), view);
    if (ValueSharding pin = pinOf(member.argument))
      setShardings(view.getDefiningOp(), {pin});
    return view;
  }

  static void copy(mlir::OpBuilder &builder, const Member &member, mlir::Value from,
                   mlir::Value to) {
    auto load = LoadOp::create(builder, member.argument.getLoc(), from);
    StoreOp::create(builder, member.argument.getLoc(), load, to);
  }

  std::vector<Member> members;
};

/// Returns the memories that arguments of `func` name, and drops the names.
std::vector<Memory> takeMemories(mlir::func::FuncOp func, const BufferEffects &effects) {
  llvm::MapVector<llvm::StringRef, std::vector<Member>> byName;
  for (mlir::BlockArgument argument : func.getArguments()) {
    unsigned index = argument.getArgNumber();
    if (auto part = MemoryPart::read(func.getArgAttr(index, memoryAttrName)))
      byName[part->name].push_back({argument, *part, effects.writes(func, index)});
    func.removeArgAttr(index, memoryAttrName);
  }
  std::vector<Memory> memories;
  for (auto &[name, members] : byName)
    if (members.size() > 1)
      memories.emplace_back(std::move(members));
  return memories;
}

} // namespace

mlir::LogicalResult joinMemory(mlir::ModuleOp module) {
  auto namesMemory = [](mlir::func::FuncOp func) {
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (!func.isExternal() && func.getArgAttr(i, memoryAttrName))
        return true;
    return false;
  };
  std::optional<BufferEffects> effects; // Few programs ask.
  bool ok = true;
  for (auto func : module.getOps<mlir::func::FuncOp>()) {
    if (!namesMemory(func))
      continue;
    if (!effects)
      effects.emplace(module);
    for (Memory &memory : takeMemories(func, *effects)) {
      bool isFine = mlir::succeeded(memory.check());
      ok &= isFine;
      if (isFine)
        memory.join();
    }
  }
  return mlir::success(ok);
}

} // namespace spmd
