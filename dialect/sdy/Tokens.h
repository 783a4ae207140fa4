// MLIR's lexer as the source of the grammar of meshes, shardings and rules.
#pragma once

#include "spmd/ir/sharding/Spec.h"

#include "mlir/IR/OpImplementation.h"

namespace spmd::sdy {

/// Reads tokens from `parser` and reports to it.
class AsmTokens : public TokenSource {
public:
  explicit AsmTokens(mlir::AsmParser &parser) : parser(parser) {}

  bool consume(char punctuation) override;
  bool expect(char punctuation) override;
  bool expectArrow() override { return mlir::succeeded(parser.parseArrow()); }
  std::optional<std::string> word() override;
  bool consumeWord(std::string_view keyword) override;
  std::optional<std::string> string() override;
  std::optional<int64_t> integer() override;
  bool fail(const std::string &message) override;
  /// What follows an attribute is not the grammar's business.
  bool atEnd() override { return true; }

private:
  mlir::AsmParser &parser;
};

} // namespace spmd::sdy
