#include "spmd/dialect/import/NamedParse.h"

#include "spmd/dialect/spmd/WrittenNames.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

namespace spmd {

/// Returns the name that stands at the start of `range`, with its `%`.
static std::string nameAt(llvm::SMRange range) {
  const char *at = range.Start.getPointer();
  if (!at || *at != '%')
    return "";
  const char *end = at + 1;
  while (llvm::isAlnum(*end) || llvm::StringRef("_.$-").contains(*end))
    ++end;
  return std::string(at, end);
}

static void nameResults(const mlir::AsmParserState::OperationDefinition &definition) {
  std::vector<std::string> names(definition.op->getNumResults());
  const auto &groups = definition.resultGroups;
  for (size_t g = 0; g < groups.size(); ++g) {
    size_t first = groups[g].startIndex;
    size_t last = g + 1 < groups.size() ? groups[g + 1].startIndex : names.size();
    std::string name = nameAt(groups[g].definition.loc);
    for (size_t i = first; i < last && !name.empty(); ++i)
      names[i] = last - first == 1 ? name : name + "#" + llvm::utostr(i - first);
  }
  if (!names.empty())
    definition.op->setLoc(withWrittenNames(definition.op->getLoc(), names));
}

static void nameArguments(const mlir::AsmParserState::BlockDefinition &definition) {
  for (auto [argument, written] : llvm::zip(definition.block->getArguments(), definition.arguments))
    if (std::string name = nameAt(written.loc); !name.empty())
      argument.setLoc(withWrittenNames(argument.getLoc(), {name}));
}

mlir::OwningOpRef<mlir::ModuleOp> parseWithNames(llvm::SourceMgr &sourceMgr,
                                                 mlir::MLIRContext &context) {
  const llvm::MemoryBuffer *text = sourceMgr.getMemoryBuffer(sourceMgr.getMainFileID());
  mlir::ParserConfig config(&context);
  mlir::Block block;
  mlir::AsmParserState state;
  if (mlir::failed(mlir::parseAsmSourceFile(sourceMgr, &block, config, &state)))
    return {};
  for (const auto &definition : state.getOpDefs())
    nameResults(definition);
  for (const auto &definition : state.getBlockDefs())
    nameArguments(definition);
  mlir::Location start =
      mlir::FileLineColLoc::get(&context, text->getBufferIdentifier(), /*line=*/0, /*column=*/0);
  return mlir::detail::constructContainerOpForParserIfNecessary<mlir::ModuleOp>(&block, &context,
                                                                                start);
}

} // namespace spmd
