#include "spmd/dialect/import/UnknownOps.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"

namespace spmd {

static bool isWordChar(char c) { return llvm::isAlnum(c) || c == '_' || c == '-'; }

namespace {

/// A name with a dot in it: `dialect.op`, from `start` to before `end` of a text.
struct DottedName {
  llvm::StringRef text;
  size_t start, end;

  bool isQuoted() const { return start > 0 && text[start - 1] == '"'; }
  llvm::StringRef before() const {
    return text.take_front(isQuoted() ? start - 1 : start).rtrim(" \t");
  }
  llvm::StringRef behind() const { return text.drop_front(end); }

  /// Behind `=`, at the start of a line or of a region. The name of an attribute may stand there,
  /// too: `sdy.sharding = ..`, `{sdy.sharding}`.
  bool standsWhereOpDoes() const {
    if (!before().empty() && !llvm::StringRef("\n={").contains(before().back()))
      return false;
    llvm::StringRef next = behind().ltrim(" \t\"");
    return next.empty() || !llvm::StringRef("=:,}").contains(next.front());
  }

  /// So does the text of an attribute. Of a dialect that is not known, only what can be nothing
  /// but an op counts: `"tf.Foo"(`, `%0 = cf.br %1`.
  bool isSurelyOp() const {
    if (isQuoted())
      return behind().consume_front("\"(");
    llvm::StringRef left = before();
    if (!left.consume_back("="))
      return false;
    size_t stop = left.find_last_of("\n{}()<>=\"");
    return left.drop_front(stop + 1).ltrim().starts_with("%");
  }
};

} // namespace

std::vector<UnknownOp> findUnknownOps(llvm::StringRef text, mlir::MLIRContext &context) {
  std::vector<UnknownOp> unknown;
  llvm::StringSet<> seen;
  bool inComment = false;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\n')
      inComment = false;
    else if (text[at] == '/' && at + 1 < text.size() && text[at + 1] == '/')
      inComment = true;
    if (text[at] != '.' || inComment)
      continue;
    DottedName word{text, at, at + 1};
    while (word.start > 0 && isWordChar(text[word.start - 1]))
      --word.start;
    while (word.end < text.size() && (isWordChar(text[word.end]) || text[word.end] == '.'))
      ++word.end;
    llvm::StringRef dialect = text.slice(word.start, at), name = text.slice(word.start, word.end);
    bool isName = !dialect.empty() && llvm::isAlpha(dialect.front()) && word.end > at + 1 &&
                  word.standsWhereOpDoes();
    at = word.end - 1;
    if (!isName)
      continue;
    bool isKnownDialect = context.getOrLoadDialect(dialect); // Its ops are known from then on.
    if (mlir::RegisteredOperationName::lookup(name, &context) ||
        !(isKnownDialect || word.isSurelyOp()))
      continue;
    if (seen.insert(name).second)
      unknown.push_back({name.str(), word.start});
  }
  return unknown;
}

/// Whether `type` is of a dialect that is not known, or a tensor or the like of one.
static bool isForeign(mlir::Type type) {
  bool found = false;
  type.walk([&](mlir::OpaqueType) { found = true; });
  return found;
}

mlir::LogicalResult checkKnown(mlir::Operation *root) {
  llvm::DenseSet<mlir::OperationName> unknown;
  llvm::DenseMap<mlir::Type, bool> foreign;
  bool ok = true;
  auto checkType = [&](mlir::Value value) {
    auto [entry, isNew] = foreign.try_emplace(value.getType(), false);
    if (isNew && isForeign(value.getType())) {
      mlir::emitError(value.getLoc())
          << "type " << value.getType() << " is of a dialect that is not known";
      ok = false;
    }
  };
  root->walk([&](mlir::Operation *op) {
    if (!op->isRegistered() && unknown.insert(op->getName()).second) {
      mlir::emitError(op->getLoc()) << "op '" << op->getName() << "' is not known";
      ok = false;
    }
    llvm::for_each(op->getResults(), checkType);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        llvm::for_each(block.getArguments(), checkType);
  });
  return mlir::success(ok);
}

bool reportUnknownOps(const llvm::SourceMgr &sourceMgr, unsigned buffer, mlir::MLIRContext &context,
                      llvm::raw_ostream &errors) {
  llvm::StringRef text = sourceMgr.getMemoryBuffer(buffer)->getBuffer();
  std::vector<UnknownOp> unknown = findUnknownOps(text, context);
  for (const UnknownOp &op : unknown)
    sourceMgr.PrintMessage(errors, llvm::SMLoc::getFromPointer(text.data() + op.offset),
                           llvm::SourceMgr::DK_Error, "op '" + op.name + "' is not known");
  return !unknown.empty();
}

} // namespace spmd
