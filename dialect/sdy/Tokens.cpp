#include "spmd/dialect/sdy/Tokens.h"

namespace spmd::sdy {

bool AsmTokens::consume(char punctuation) {
  switch (punctuation) {
  case '{':
    return mlir::succeeded(parser.parseOptionalLBrace());
  case '}':
    return mlir::succeeded(parser.parseOptionalRBrace());
  case '[':
    return mlir::succeeded(parser.parseOptionalLSquare());
  case ']':
    return mlir::succeeded(parser.parseOptionalRSquare());
  case '<':
    return mlir::succeeded(parser.parseOptionalLess());
  case '>':
    return mlir::succeeded(parser.parseOptionalGreater());
  case '(':
    return mlir::succeeded(parser.parseOptionalLParen());
  case ')':
    return mlir::succeeded(parser.parseOptionalRParen());
  case ',':
    return mlir::succeeded(parser.parseOptionalComma());
  case '=':
    return mlir::succeeded(parser.parseOptionalEqual());
  case ':':
    return mlir::succeeded(parser.parseOptionalColon());
  case '?':
    return mlir::succeeded(parser.parseOptionalQuestion());
  case '*':
    return mlir::succeeded(parser.parseOptionalStar());
  default:
    llvm_unreachable("shardings have no other punctuation");
  }
}

bool AsmTokens::expect(char punctuation) {
  return consume(punctuation) || fail(std::string("expected '") + punctuation + "'");
}

std::optional<std::string> AsmTokens::word() {
  llvm::StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword)))
    return std::nullopt;
  return keyword.str();
}

bool AsmTokens::consumeWord(std::string_view keyword) {
  return mlir::succeeded(
      parser.parseOptionalKeyword(llvm::StringRef(keyword.data(), keyword.size())));
}

std::optional<std::string> AsmTokens::string() {
  std::string text;
  if (failed(parser.parseOptionalString(&text)))
    return std::nullopt;
  return text;
}

std::optional<int64_t> AsmTokens::integer() {
  int64_t value;
  mlir::OptionalParseResult result = parser.parseOptionalInteger(value);
  if (!result.has_value() || failed(*result))
    return std::nullopt;
  return value;
}

bool AsmTokens::fail(const std::string &message) {
  parser.emitError(parser.getCurrentLocation(), message);
  return false;
}

} // namespace spmd::sdy
