//===- FieldText.h - fields of messages as HLO text -------------*- C++ -*-===//
//
// Most attributes are one field of a message, and the field's type says how it is written: `7`,
// `true`,
// `{1,2}`, `"text"`, `FFT`. Here that is said once, over Protobuf's descriptors.
//
//===----------------------------------------------------------------------===//

#ifndef SPMD_IR_HLO_TEXT_FIELDTEXT_H
#define SPMD_IR_HLO_TEXT_FIELDTEXT_H

#include "spmd/ir/hlo/text/Lexer.h"

#include <google/protobuf/message.h>

namespace spmd::hlo {

enum class Spelling {
  Plain,
  Word,  ///< A string without quotes.
  Lower, ///< An enum in lower case.
  First, ///< A list that holds one number, without braces.
};

/// Reads the value of `field` into `message`. A list is read over what was there.
bool parseField(Lexer &lexer, google::protobuf::Message &message,
                const google::protobuf::FieldDescriptor *field, Spelling spelling);

/// Appends the value of `field`.
void printField(const google::protobuf::Message &message,
                const google::protobuf::FieldDescriptor *field, Spelling spelling,
                std::string &text);

/// Reads `{name=value name=value}`, with or without commas, by the names of the message's fields.
bool parseFields(Lexer &lexer, google::protobuf::Message &message);

/// Appends what parseFields reads: the fields that are not at their defaults, in the order of their
/// declaration.
void printFields(const google::protobuf::Message &message, std::string &text);

/// Appends a string in quotes, escaped.
void printQuoted(std::string_view value, std::string &text);

/// Appends a number of 64 bits.
void printInteger(int64_t value, std::string &text);

/// Appends `{1,2}`.
template <typename List> void printIntegers(const List &list, std::string &text) {
  text += '{';
  for (int i = 0; i < list.size(); ++i) {
    if (i)
      text += ',';
    printInteger(list[i], text);
  }
  text += '}';
}

} // namespace spmd::hlo

#endif
