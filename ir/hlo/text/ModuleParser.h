// HLO text to a module.
//
// The text is read once. Names of operands are looked up as they are met, or at the end of the
// computation if they come later; names of computations at the end of the module.
#pragma once

#include "spmd/ir/hlo/Hlo.h"
#include "spmd/ir/hlo/text/AttributeTable.h"
#include "spmd/ir/hlo/text/Lexer.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace spmd::hlo {

/// Reads `, name=value` behind the name of a module.
bool parseModuleAttributes(Lexer &lexer, HloModuleProto &module, bool &isScheduled);
/// Appends them.
void printModuleAttributes(const HloModuleProto &module, std::string &text);
/// Reads and appends the tables of source locations between the header and the computations.
bool parseStackFrames(Lexer &lexer, StackFrameIndexProto &frames);
void printStackFrames(const StackFrameIndexProto &frames, std::string &text);

class ModuleParser {
public:
  ModuleParser(std::string_view text, HloModuleProto &module, TextPlaces *places)
      : lexer(text), module(module), places(places), begin(text.data()), counted(begin),
        line(begin) {}
  absl::Status parse();

private:
  template <typename Value> using ByName = absl::flat_hash_map<absl::string_view, Value>;

  using ShapesById = absl::flat_hash_map<int64_t, const ShapeProto *>;

  /// An operand or predecessor whose instruction was not yet read.
  struct Forward {
    int instruction;
    int slot;
    bool isOperand;
    absl::string_view name;
  };
  /// An element of a tuple that stands in place of an operand.
  struct Element {
    int instruction;
    const char *start;
  };
  /// The computations that an instruction calls.
  struct Call {
    int computation; ///< Its place in the module, or -1 minus that in `wrapped`.
    int instruction;
    std::vector<Reference> called;
    int depth = 0; ///< How many computations it is written in that stand in place of their names.
  };
  /// What is known of the computation that is being read.
  struct Scope {
    HloComputationProto *computation;
    ByName<int> instructions; ///< By name, their places in the computation.
    std::vector<Forward> forwards;
    int64_t root = 0, last = 0; ///< Ids: of what is marked, of what was read last.
    std::vector<int> unnamed;   ///< Places of what stands in place of operands.
    std::vector<Element> elements;
    int unnamedNumber = 1;
  };

  bool parseModule();
  bool parseHeader();
  bool parseComputation();
  bool parseSignature();
  bool parseBody(Scope &scope);
  bool finishComputation(Scope &scope);
  bool resolveForwards(Scope &scope);
  bool sortInstructions(Scope &scope);
  bool finishModule();
  bool resolveCalls();
  bool sortComputations();
  void renumber();
  void notePlace();
  void addSchedule();

  bool parseInstruction(Scope &scope);
  bool parseArguments(Scope &scope, int place, HloInstructionProto &instruction);
  bool parseOperand(Scope &scope, int place, int slot, HloInstructionProto &instruction);
  bool parseParameter(HloInstructionProto &instruction);
  bool parseAttributes(Scope &scope, int place, HloInstructionProto &instruction);
  void addReference(Scope &scope, int place, int slot, std::string_view name,
                    HloInstructionProto &instruction);
  bool parseResultShape(const char *start, HloInstructionProto &instruction);
  void noteUnshaped(const char *start, const HloInstructionProto &instruction);
  bool parseOpcode(const Scope &scope, HloInstructionProto &instruction, bool &isAsync);

  bool isNested();
  HloInstructionProto &addUnnamed(Scope &scope, ShapeProto shape);
  bool parseNested(Scope &scope, ShapeProto shape, HloInstructionProto &user);
  bool parseElement(Scope &scope, std::string_view name, HloInstructionProto &user);
  bool finishElements(Scope &scope);
  bool inferShapes();
  bool inferShape(const char *start, const ShapesById &shapes, const ShapesById &results,
                  HloInstructionProto &instruction);
  bool parseInlineComputations();
  bool parseInline(size_t call, size_t reference);
  void nameUnnamed(Scope &scope);
  bool wrapAsync(int place, HloInstructionProto &instruction);

  Lexer lexer;
  HloModuleProto &module;
  TextPlaces *places;     ///< May be null.
  const char *begin;      ///< Of the text.
  const char *counted;    ///< Up to where lines were counted.
  const char *line;       ///< The beginning of the last of these.
  TextPlaces::Place here; ///< Of what is numbered from now on.
  bool isScheduled = false;
  bool isReordered = false; ///< Something came later in the text than it comes in the module.
  int64_t nextId = 1;
  int entry = -1;
  ByName<int> computations; ///< By name, their places in the module.
  std::vector<Call> calls;
  std::vector<HloComputationProto> wrapped; ///< The bodies of asynchronous instructions.
  absl::flat_hash_set<std::string> wrappedNames;
  /// Where instructions without a shape stand, by their ids.
  absl::flat_hash_map<int64_t, const char *> unshaped;
  int inlineNumber = 0; ///< Of the last computation that had no name.
};

} // namespace spmd::hlo
