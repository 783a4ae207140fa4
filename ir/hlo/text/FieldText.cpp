// Fields of messages, by their descriptors.

#include "spmd/ir/hlo/text/FieldText.h"

#include "spmd/ir/hlo/text/ShapeText.h"

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

#include <charconv>
#include <limits>

namespace spmd::hlo {

using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

void printInteger(int64_t value, std::string &text) {
  char buffer[24];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  text.append(buffer, end - buffer);
}

void printQuoted(std::string_view value, std::string &text) {
  absl::StrAppend(&text, "\"", absl::CEscape(absl::string_view(value.data(), value.size())), "\"");
}

//===- Parsing --------------------------------------------------------------===//

static bool parseEnum(Lexer &lexer, const FieldDescriptor *field, Spelling spelling, int &number) {
  // A field that only old releases wrote has its numbers.
  if (absl::ascii_isdigit(lexer.peek())) {
    int64_t value;
    if (!lexer.integer(value, "a number"))
      return false;
    number = static_cast<int>(value);
    return true;
  }
  const char *start = lexer.position();
  std::string_view word = lexer.word();
  std::string name(word);
  if (spelling == Spelling::Lower)
    absl::AsciiStrToUpper(&name);
  const EnumValueDescriptor *value = field->enum_type()->FindValueByName(name);
  if (!value) {
    lexer.moveTo(start);
    return lexer.failExpected(absl::StrCat("a value of ", field->name()).c_str());
  }
  number = value->number();
  return true;
}

static bool parseNumber(Lexer &lexer, double &number) {
  const char *start = lexer.position();
  std::string_view token = lexer.number();
  auto [rest, error] = std::from_chars(token.data(), token.data() + token.size(), number);
  if (!token.empty() && error == std::errc() && rest == token.data() + token.size())
    return true;
  lexer.moveTo(start);
  return lexer.failExpected("a number");
}

/// Reads one value; sets it, or adds it to a list.
static bool parseScalar(Lexer &lexer, Message &message, const FieldDescriptor *field,
                        Spelling spelling) {
  const Reflection &fields = *message.GetReflection();
  bool list = field->is_repeated();
  switch (field->cpp_type()) {
  case FieldDescriptor::CPPTYPE_INT64: {
    int64_t value;
    if (!lexer.integer(value, "an integer"))
      return false;
    list ? fields.AddInt64(&message, field, value) : fields.SetInt64(&message, field, value);
    return true;
  }
  case FieldDescriptor::CPPTYPE_INT32: {
    int64_t value;
    if (!lexer.integer(value, "an integer"))
      return false;
    if (value != static_cast<int32_t>(value))
      return lexer.fail(absl::StrCat(value, " does not fit 32 bits"));
    list ? fields.AddInt32(&message, field, value) : fields.SetInt32(&message, field, value);
    return true;
  }
  case FieldDescriptor::CPPTYPE_BOOL: {
    bool value;
    if (!lexer.boolean(value))
      return false;
    list ? fields.AddBool(&message, field, value) : fields.SetBool(&message, field, value);
    return true;
  }
  case FieldDescriptor::CPPTYPE_FLOAT:
  case FieldDescriptor::CPPTYPE_DOUBLE: {
    double value;
    if (!parseNumber(lexer, value))
      return false;
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE)
      fields.SetDouble(&message, field, value);
    else
      fields.SetFloat(&message, field, static_cast<float>(value));
    return true;
  }
  case FieldDescriptor::CPPTYPE_ENUM: {
    int value;
    if (!parseEnum(lexer, field, spelling, value))
      return false;
    list ? fields.AddEnumValue(&message, field, value)
         : fields.SetEnumValue(&message, field, value);
    return true;
  }
  case FieldDescriptor::CPPTYPE_STRING: {
    std::string value;
    bool isBytes = field->type() == FieldDescriptor::TYPE_BYTES;
    if (spelling == Spelling::Word ? (value = lexer.word()).empty() : !lexer.quoted(value, isBytes))
      return lexer.failExpected("a word");
    list ? fields.AddString(&message, field, value) : fields.SetString(&message, field, value);
    return true;
  }
  default:
    return lexer.fail(absl::StrCat("the value of '", field->name(), "' cannot be read"));
  }
}

bool parseField(Lexer &lexer, Message &message, const FieldDescriptor *field, Spelling spelling) {
  if (!field->is_repeated())
    return parseScalar(lexer, message, field, spelling);
  message.GetReflection()->ClearField(&message, field);
  if (spelling == Spelling::First)
    return parseScalar(lexer, message, field, spelling);
  return parseList(lexer, '{', '}', [&] { return parseScalar(lexer, message, field, spelling); });
}

bool parseFields(Lexer &lexer, Message &message) {
  if (!lexer.expect('{'))
    return false;
  while (!lexer.consume('}')) {
    const char *start = lexer.position();
    std::string_view name = lexer.word();
    const FieldDescriptor *field = message.GetDescriptor()->FindFieldByName(std::string(name));
    if (!field) {
      lexer.moveTo(start);
      return lexer.failExpected(absl::StrCat("a field of ", message.GetDescriptor()->name()));
    }
    if (!lexer.expect('=') || !parseField(lexer, message, field, Spelling::Plain))
      return false;
    lexer.consume(',');
  }
  return true;
}

//===- Printing -------------------------------------------------------------===//

static void printEnum(const FieldDescriptor *field, int number, Spelling spelling,
                      std::string &text) {
  const EnumValueDescriptor *value = field->enum_type()->FindValueByNumber(number);
  if (!value || spelling == Spelling::Number)
    return printInteger(number, text);
  text += spelling == Spelling::Lower ? absl::AsciiStrToLower(value->name()) : value->name();
}

/// Appends a value, or the one of a list with `index`.
static void printScalar(const Message &message, const FieldDescriptor *field, Spelling spelling,
                        int index, std::string &text) {
  const Reflection &fields = *message.GetReflection();
  bool list = field->is_repeated();
  switch (field->cpp_type()) {
  case FieldDescriptor::CPPTYPE_INT64:
    return printInteger(list ? fields.GetRepeatedInt64(message, field, index)
                             : fields.GetInt64(message, field),
                        text);
  case FieldDescriptor::CPPTYPE_INT32:
    return printInteger(list ? fields.GetRepeatedInt32(message, field, index)
                             : fields.GetInt32(message, field),
                        text);
  case FieldDescriptor::CPPTYPE_BOOL:
    text += (list ? fields.GetRepeatedBool(message, field, index) : fields.GetBool(message, field))
                ? "true"
                : "false";
    return;
  case FieldDescriptor::CPPTYPE_FLOAT:
    return printFloat(fields.GetFloat(message, field), text);
  case FieldDescriptor::CPPTYPE_DOUBLE:
    return printFloat(fields.GetDouble(message, field), text);
  case FieldDescriptor::CPPTYPE_ENUM:
    return printEnum(field,
                     list ? fields.GetRepeatedEnumValue(message, field, index)
                          : fields.GetEnumValue(message, field),
                     spelling, text);
  case FieldDescriptor::CPPTYPE_STRING: {
    std::string value =
        list ? fields.GetRepeatedString(message, field, index) : fields.GetString(message, field);
    if (spelling == Spelling::Word)
      text += value;
    else
      printQuoted(value, text);
    return;
  }
  default:
    return;
  }
}

void printField(const Message &message, const FieldDescriptor *field, Spelling spelling,
                std::string &text) {
  if (!field->is_repeated())
    return printScalar(message, field, spelling, 0, text);
  int size = message.GetReflection()->FieldSize(message, field);
  if (spelling == Spelling::First)
    return size ? printScalar(message, field, spelling, 0, text) : printInteger(0, text);
  text += '{';
  for (int i = 0; i < size; ++i) {
    text += i ? "," : "";
    printScalar(message, field, spelling, i, text);
  }
  text += '}';
}

void printFields(const Message &message, std::string &text) {
  const char *separator = "{";
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor *field = message.GetDescriptor()->field(i);
    const Reflection &fields = *message.GetReflection();
    bool present = field->is_repeated() ? fields.FieldSize(message, field) > 0
                                        : fields.HasField(message, field);
    if (!present || field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
      continue;
    absl::StrAppend(&text, separator, field->name(), "=");
    printField(message, field, Spelling::Number, text);
    separator = " ";
  }
  text += *separator == '{' ? "{}" : "}";
}

} // namespace spmd::hlo
