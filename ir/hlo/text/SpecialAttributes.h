// Attributes that are more than a field.
#pragma once

#include "spmd/ir/hlo/text/AttributeTable.h"

namespace spmd::hlo {

bool readWindow(AttributeReader &reader);
bool readDimLabels(AttributeReader &reader);
bool readPadding(AttributeReader &reader);
bool readSlice(AttributeReader &reader);
bool readPrecision(AttributeReader &reader);
bool readAlgorithm(AttributeReader &reader);
bool readComparisonType(AttributeReader &reader);
bool readComparisonOrder(AttributeReader &reader);
bool readSourceTargetPairs(AttributeReader &reader);
bool readGroups(AttributeReader &reader);
bool readShardingAttribute(AttributeReader &reader);
bool readDomain(AttributeReader &reader);
bool readOperandLayouts(AttributeReader &reader);
bool readAliasing(AttributeReader &reader);
bool readOutfeedShape(AttributeReader &reader);
bool readMetadata(AttributeReader &reader);
bool readFrontendAttributes(AttributeReader &reader);
bool readBackendConfig(AttributeReader &reader);
bool readControlPredecessors(AttributeReader &reader);
bool readSparsity(AttributeReader &reader);
bool readAccuracy(AttributeReader &reader);
/// Reads the name of a computation; or its body, which is kept as it is written.
inline bool readComputation(Lexer &lexer, std::string_view &name) {
  return lexer.peek() == '{' ? lexer.braced(name) : lexer.name(name, "a computation");
}
/// Reads one computation into the slot with the number that the template names.
template <int slot> bool readCalled(AttributeReader &reader) {
  return readComputation(reader.lexer, reader.called.emplace_back(Reference{{}, slot}).name);
}
bool readCalledList(AttributeReader &reader);

void printWindow(const HloInstructionProto &instruction, AttributePrinter &printer);
void printDimLabels(const HloInstructionProto &instruction, AttributePrinter &printer);
void printPadding(const HloInstructionProto &instruction, AttributePrinter &printer);
void printSlice(const HloInstructionProto &instruction, AttributePrinter &printer);
void printPrecision(const HloInstructionProto &instruction, AttributePrinter &printer);
void printAlgorithm(const HloInstructionProto &instruction, AttributePrinter &printer);
void printComparisonType(const HloInstructionProto &instruction, AttributePrinter &printer);
void printComparisonOrder(const HloInstructionProto &instruction, AttributePrinter &printer);
void printSourceTargetPairs(const HloInstructionProto &instruction, AttributePrinter &printer);
void printGroups(const HloInstructionProto &instruction, AttributePrinter &printer);
void printShardingAttribute(const HloInstructionProto &instruction, AttributePrinter &printer);
void printDomain(const HloInstructionProto &instruction, AttributePrinter &printer);
void printOperandLayouts(const HloInstructionProto &instruction, AttributePrinter &printer);
void printAliasing(const HloInstructionProto &instruction, AttributePrinter &printer);
void printOutfeedShape(const HloInstructionProto &instruction, AttributePrinter &printer);
void printMetadata(const HloInstructionProto &instruction, AttributePrinter &printer);
void printFrontendAttributes(const HloInstructionProto &instruction, AttributePrinter &printer);
void printBackendConfig(const HloInstructionProto &instruction, AttributePrinter &printer);
void printControlPredecessors(const HloInstructionProto &instruction, AttributePrinter &printer);
void printSparsity(const HloInstructionProto &instruction, AttributePrinter &printer);
void printAccuracy(const HloInstructionProto &instruction, AttributePrinter &printer);
void printCalled(const HloInstructionProto &instruction, AttributePrinter &printer);

} // namespace spmd::hlo
