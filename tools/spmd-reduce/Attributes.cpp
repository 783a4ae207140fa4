// Discardable attributes: of ops, and of the arguments and results of functions.

#include "spmd/tools/spmd-reduce/Reduce.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace spmd {

namespace {

/// One attribute of an op, or of an argument or a result of a function.
struct Note {
  enum class Where { op, argument, result };
  Operation *op;
  StringAttr name;
  Where where = Where::op;
  unsigned index = 0;

  void drop() const {
    if (where == Where::op)
      op->removeDiscardableAttr(name);
    else if (where == Where::argument)
      cast<FunctionOpInterface>(op).removeArgAttr(index, name);
    else
      cast<FunctionOpInterface>(op).removeResultAttr(index, name);
  }
};

class DropAttributes : public Shrinker {
public:
  llvm::StringRef name() const override { return "attributes"; }
  size_t count(ModuleOp module) override { return candidates(module).size(); }

  void remove(ModuleOp module, size_t begin, size_t end) override {
    auto notes = candidates(module);
    for (const Note &note : ArrayRef(notes).slice(begin, end - begin))
      note.drop();
  }

private:
  static SmallVector<Note> candidates(ModuleOp module) {
    SmallVector<Note> notes;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (NamedAttribute attribute : op->getDiscardableAttrs())
        notes.push_back({op, attribute.getName()});
      auto function = dyn_cast<FunctionOpInterface>(op);
      if (!function)
        return;
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        for (NamedAttribute attribute : function.getArgAttrs(i))
          notes.push_back({op, attribute.getName(), Note::Where::argument, i});
      for (unsigned i = 0; i < function.getNumResults(); ++i)
        for (NamedAttribute attribute : function.getResultAttrs(i))
          notes.push_back({op, attribute.getName(), Note::Where::result, i});
    });
    return notes;
  }
};

} // namespace

std::unique_ptr<Shrinker> dropAttributes() { return std::make_unique<DropAttributes>(); }

} // namespace spmd
