#include "spmd/dialect/spmd/SourceNames.h"

#include "spmd/dialect/spmd/WrittenNames.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringExtras.h"

namespace spmd {

/// Cuts a name off the front of `text`: that of a value, with or without its `%`.
static llvm::StringRef takeName(llvm::StringRef &text) {
  size_t length = text.starts_with("%") ? 1 : 0;
  while (length < text.size() &&
         (llvm::isAlnum(text[length]) || llvm::StringRef("_.$-").contains(text[length])))
    ++length;
  llvm::StringRef name = text.take_front(length);
  text = text.drop_front(length);
  return name;
}

/// Returns the name of `result` in `before`, what stands before its op in the line: `%3 = `, or
/// `%3:2 = `.
static std::string nameBefore(llvm::StringRef before, mlir::OpResult result) {
  before = before.ltrim();
  llvm::StringRef name = takeName(before);
  unsigned count = 1;
  if (before.consume_front(":") && before.consumeInteger(10, count))
    return "";
  if (!name.starts_with("%") || before.trim() != "=" || count != result.getOwner()->getNumResults())
    return "";
  return count == 1 ? name.str() : (name + "#" + llvm::utostr(result.getResultNumber())).str();
}

/// Returns the name that is defined at the front of `text`: `%a: ` of an argument, or `%a.3 = ` or
/// `a.3 = ` of an instruction of HLO.
static std::string nameDefinedAt(llvm::StringRef text) {
  llvm::StringRef name = takeName(text);
  bool isDefined = (name.starts_with("%") && text.starts_with(":")) || text.starts_with(" = ");
  if (!isDefined || name.empty())
    return "";
  return name.starts_with("%") ? name.str() : ("%" + name).str();
}

/// Whether `text` begins with an op called `name`, in any form.
static bool isOpAt(llvm::StringRef text, llvm::StringRef name) {
  text.consume_front("\"");
  return text.starts_with(name) || text.starts_with(name.substr(name.find('.') + 1));
}

/// Whether the ops behind that of `value` have its location: an instruction that became several
/// is the last.
static bool isLastOfPlace(mlir::Value value) {
  mlir::Operation *op = value.getDefiningOp();
  mlir::Operation *next = op ? op->getNextNode() : nullptr;
  return !next || next->getLoc() != op->getLoc();
}

std::optional<std::pair<llvm::StringRef, llvm::StringRef>>
SourceNames::cutLine(mlir::FileLineColLoc place) {
  std::optional<llvm::StringRef> found =
      place && place.getLine() > 0 && place.getColumn() > 0
          ? files.lineAt(place.getFilename().getValue(), place.getLine())
          : std::nullopt;
  if (!found)
    return std::nullopt;
  size_t column = std::min<size_t>(place.getColumn() - 1, found->size());
  return std::pair(found->take_front(column), found->drop_front(column));
}

std::string SourceNames::ofOperand(mlir::Operation *op) {
  if (std::string written = writtenName(op->getOperand(0)); !written.empty())
    return written;
  auto line = cutLine(op->getLoc()->findInstanceOf<mlir::FileLineColLoc>());
  if (!line || !isOpAt(line->second, op->getName().getStringRef()))
    return "";
  llvm::StringRef rest = line->second.substr(line->second.find('%'));
  std::string name = takeName(rest).str();
  unsigned result = 0;
  return rest.consume_front("#") && !rest.consumeInteger(10, result)
             ? name + "#" + llvm::utostr(result)
             : name;
}

std::string SourceNames::of(mlir::Value value) {
  if (std::string written = writtenName(value); !written.empty())
    return written;
  auto place = value.getLoc()->findInstanceOf<mlir::FileLineColLoc>();
  if (!place || place.getLine() == 0 || place.getColumn() == 0)
    return "";
  auto line = cutLine(place);
  if (!line) {
    llvm::StringRef file = place.getFilename().getValue();
    // Of bytes, the location has the name itself.
    bool isNamed = file.consume_back(")") && file.contains('(') && isLastOfPlace(value);
    return isNamed ? "%" + file.rsplit('(').second.str() : "";
  }
  auto [before, rest] = *line;
  auto result = llvm::dyn_cast<mlir::OpResult>(value);
  if (result && isOpAt(rest, result.getOwner()->getName().getStringRef()))
    if (std::string name = nameBefore(before, result); !name.empty())
      return name;
  bool isOne = !result || (result.getOwner()->getNumResults() == 1 && isLastOfPlace(value));
  return isOne ? nameDefinedAt(rest) : "";
}

} // namespace spmd
