//===- ShapeText.h - shapes and literals in HLO text ------------*- C++ -*-===//

#ifndef SPMD_IR_HLO_TEXT_SHAPETEXT_H
#define SPMD_IR_HLO_TEXT_SHAPETEXT_H

#include "spmd/ir/hlo/text/Lexer.h"
#include "spmd/ir/hlo/xla_data.pb.h"

#include <string>

namespace spmd::hlo {

/// Reads a shape: `f32[2,<=4]{1,0:T(8,128)}`, `(f32[], s32[2])`, `token[]`.
bool parseShape(Lexer &lexer, ShapeProto &shape);

/// Appends a shape, with its layout unless `layouts` is false.
void printShape(const ShapeProto &shape, std::string &text, bool layouts = true);

/// Reads the elements of a literal of `shape`: `1`, `{1, 2}`, `{...}`, with or without the shape
/// before them. The literal's layout is the row-major one. `{...}` leaves the literal without
/// elements.
bool parseLiteral(Lexer &lexer, const ShapeProto &shape, LiteralProto &literal);

/// Appends the elements of a literal; `{...}` if it has not got them or has more than
/// `mostElements`.
void printLiteral(const LiteralProto &literal, int64_t mostElements, std::string &text);

/// Appends the shortest of two customary forms of a number that is read back as it was.
void printFloat(float value, std::string &text);
void printFloat(double value, std::string &text);

} // namespace spmd::hlo

#endif
