//===- SpecialAttributes.h - attributes that are more than a field -*- C++ -*-===//

#ifndef SPMD_IR_HLO_TEXT_SPECIALATTRIBUTES_H
#define SPMD_IR_HLO_TEXT_SPECIALATTRIBUTES_H

#include "spmd/ir/hlo/text/AttributeTable.h"

namespace spmd::hlo {

bool readWindow(AttributeReader &reader);
bool readDimLabels(AttributeReader &reader);
bool readPadding(AttributeReader &reader);
bool readSlice(AttributeReader &reader);
bool readPrecision(AttributeReader &reader);
bool readAlgorithm(AttributeReader &reader);
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
/// Reads one computation into the slot with the number that the template names.
template <int slot> bool readCalled(AttributeReader &reader) {
  return reader.lexer.name(reader.called.emplace_back(Reference{{}, slot}).name, "a computation");
}
bool readCalledList(AttributeReader &reader);

void printWindow(const HloInstructionProto &instruction, AttributePrinter &printer);
void printDimLabels(const HloInstructionProto &instruction, AttributePrinter &printer);
void printPadding(const HloInstructionProto &instruction, AttributePrinter &printer);
void printSlice(const HloInstructionProto &instruction, AttributePrinter &printer);
void printPrecision(const HloInstructionProto &instruction, AttributePrinter &printer);
void printAlgorithm(const HloInstructionProto &instruction, AttributePrinter &printer);
void printComparisonType(const HloInstructionProto &instruction, AttributePrinter &printer);
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

#endif
