//===- AttributeTable.h - the attributes of instructions --------*- C++ -*-===//
//
// One table, for the parser and the printer: an attribute's name, and either the field it stands
// for or the functions that read and write it.
//
//===----------------------------------------------------------------------===//

#ifndef SPMD_IR_HLO_TEXT_ATTRIBUTETABLE_H
#define SPMD_IR_HLO_TEXT_ATTRIBUTETABLE_H

#include "spmd/ir/hlo/Hlo.h"
#include "spmd/ir/hlo/text/FieldText.h"
#include "spmd/ir/hlo/text/Lexer.h"

#include "absl/container/flat_hash_map.h"

#include <vector>

namespace spmd::hlo {

/// A name that was read and will be looked up when all names are known.
struct Reference {
  std::string_view name;
  int slot; ///< Where it belongs among the computations that the instruction calls.
};

/// What the reader of an attribute works on.
struct AttributeReader {
  Lexer &lexer;
  HloInstructionProto &instruction;
  std::vector<Reference> called;
  std::vector<Reference> predecessors;
};

/// What instructions and computations are called, by their ids.
struct ModuleNames {
  absl::flat_hash_map<int64_t, const HloInstructionProto *> instructions;
  absl::flat_hash_map<int64_t, const HloComputationProto *> computations;
};

/// What the printer of an attribute works on.
struct AttributePrinter {
  const PrintOptions &options;
  const ModuleNames &names;
  std::string &text;

  /// Appends `, name=`.
  void key(std::string_view name);
  void computation(int64_t id);
  void instruction(int64_t id);
};

struct Attribute {
  std::string_view name;
  /// The field, as a path of names: `dot_dimension_numbers.lhs_batch_dimensions`. Empty: see below.
  std::string_view field;
  /// The opcodes that have the attribute even if the field is at its default, with spaces between.
  std::string_view always = {};
  Spelling spelling = Spelling::Plain;
  /// The opcodes that have the attribute in this place at all, with spaces between; empty for every
  /// one.
  std::string_view only = {};
  /// A value that is not written, besides the field's default.
  int64_t unsaid = 0;
  bool (*read)(AttributeReader &reader) = nullptr;
  /// Appends the attribute if the instruction has it.
  void (*print)(const HloInstructionProto &instruction, AttributePrinter &printer) = nullptr;
};

/// Reads the attribute `name` behind its `=`. NotFound is a failure of the lexer too.
bool readAttribute(std::string_view name, const char *place, AttributeReader &reader);

/// Sets the fields that have another default in text than on the wire.
void setTextDefaults(HloInstructionProto &instruction);

/// Appends every attribute of an instruction.
void printAttributes(const HloInstructionProto &instruction, AttributePrinter &printer);

/// Reads and appends `{name="value",name={..}}`.
bool parseFrontendAttributes(Lexer &lexer, FrontendAttributes &attributes);
void printFrontendAttributes(const FrontendAttributes &attributes, std::string &text);

} // namespace spmd::hlo

#endif
