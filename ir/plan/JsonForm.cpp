// Plans as JSON, read into the message field by field.
//
// Protobuf's own reader of JSON says no lines. This one knows what a plan is made of: messages,
// strings, integers, booleans, and lists of these. Where a list is expected, one value will do.

#include "spmd/ir/plan/Forms.h"
#include "spmd/ir/plan/JsonLexer.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace spmd {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

namespace {

class JsonReader {
public:
  JsonReader(std::string_view text, PlanPlaces &places, std::vector<PlanFinding> &findings)
      : lexer(text), places(places), findings(findings) {
    advance();
  }

  bool read(Message &message) {
    return readMessage(message) &&
           (token.kind == JsonToken::Kind::end || expected("the end of the file"));
  }

private:
  void advance() { token = lexer.next(); }

  bool fail(PlanPlace place, std::string message) {
    findings.push_back({place, std::move(message)});
    return false;
  }

  /// Reports the word at hand, which is not `what`.
  bool expected(std::string_view what) {
    if (token.kind == JsonToken::Kind::wrong)
      return fail(token.place, token.text);
    const char *quote = token.kind == JsonToken::Kind::end ? "" : "'";
    return fail(token.place, absl::StrCat("expected ", absl::string_view(what.data(), what.size()),
                                          ", not ", quote, token.text, quote));
  }

  bool consume(char punctuation) {
    bool found = token.is(punctuation);
    if (found)
      advance();
    return found;
  }
  bool expect(char punctuation) {
    return consume(punctuation) || expected(absl::StrCat("'", std::string(1, punctuation), "'"));
  }

  bool readMessage(Message &message) {
    if (!expect('{'))
      return false;
    if (consume('}'))
      return true;
    do {
      if (!readField(message))
        return false;
    } while (consume(','));
    return consume('}') || expected("',' or '}'");
  }

  bool readField(Message &message) {
    if (token.kind != JsonToken::Kind::string)
      return expected("the name of a field, in quotes");
    JsonToken name = token;
    const FieldDescriptor *field = fieldNamed(*message.GetDescriptor(), name.text);
    if (!field)
      return fail(name.place, unknownField(*message.GetDescriptor(), name.text));
    if (!isNew(message, *field, name))
      return false;
    advance();
    if (!expect(':'))
      return false;
    if (!field->is_repeated() || !token.is('['))
      return readValue(message, *field);
    advance();
    if (consume(']'))
      return true;
    do {
      if (!readValue(message, *field))
        return false;
    } while (consume(','));
    return consume(']') || expected("',' or ']'");
  }

  /// By the name of the proto, or as JSON spells it (`onMissing`).
  static const FieldDescriptor *fieldNamed(const Descriptor &descriptor, const std::string &name) {
    const FieldDescriptor *field = descriptor.FindFieldByName(name);
    return field ? field : descriptor.FindFieldByCamelcaseName(name);
  }

  /// Reports a field given twice, or beside one that excludes it.
  bool isNew(const Message &message, const FieldDescriptor &field, const JsonToken &name) {
    const Reflection &reflection = *message.GetReflection();
    bool isGiven = field.is_repeated() ? reflection.FieldSize(message, &field) > 0
                                       : places.of(message, field.number()).line > 0;
    if (isGiven)
      return fail(name.place, absl::StrCat("field '", name.text, "' is given twice"));
    const auto *group = field.real_containing_oneof();
    if (group && reflection.HasOneof(message, group))
      return fail(name.place,
                  absl::StrCat("field '", name.text, "' stands beside '",
                               reflection.GetOneofFieldDescriptor(message, group)->name(),
                               "'; one of them is allowed"));
    return true;
  }

  bool readValue(Message &message, const FieldDescriptor &field) {
    const Reflection &reflection = *message.GetReflection();
    PlanPlace place = token.place;
    places.set(message, field.number(),
               field.is_repeated() ? reflection.FieldSize(message, &field) : 0, place);
    switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return readMessage(field.is_repeated() ? *reflection.AddMessage(&message, &field)
                                             : *reflection.MutableMessage(&message, &field));
    case FieldDescriptor::CPPTYPE_STRING:
      return readString(message, field);
    case FieldDescriptor::CPPTYPE_INT64:
      return readInteger(message, field);
    default:
      return readBool(message, field);
    }
  }

  /// Numbers may stand for their digits, so that arguments can be given by number.
  bool readString(Message &message, const FieldDescriptor &field) {
    if (token.kind != JsonToken::Kind::string && token.kind != JsonToken::Kind::number)
      return expected("a string");
    if (field.is_repeated())
      message.GetReflection()->AddString(&message, &field, token.text);
    else
      message.GetReflection()->SetString(&message, &field, token.text);
    advance();
    return true;
  }

  /// In quotes, too: so Protobuf writes integers of 64 bits.
  bool readInteger(Message &message, const FieldDescriptor &field) {
    int64_t value;
    if ((token.kind != JsonToken::Kind::number && token.kind != JsonToken::Kind::string) ||
        !absl::SimpleAtoi(token.text, &value))
      return expected("an integer");
    if (field.is_repeated())
      message.GetReflection()->AddInt64(&message, &field, value);
    else
      message.GetReflection()->SetInt64(&message, &field, value);
    advance();
    return true;
  }

  bool readBool(Message &message, const FieldDescriptor &field) {
    bool isTrue = token.kind == JsonToken::Kind::word && token.text == "true";
    if (!isTrue && (token.kind != JsonToken::Kind::word || token.text != "false"))
      return expected("true or false");
    message.GetReflection()->SetBool(&message, &field, isTrue);
    advance();
    return true;
  }

  JsonLexer lexer;
  JsonToken token;
  PlanPlaces &places;
  std::vector<PlanFinding> &findings;
};

} // namespace

bool readJsonForm(std::string_view text, PlanProto &proto, PlanPlaces &places,
                  std::vector<PlanFinding> &findings) {
  return JsonReader(text, places, findings).read(proto);
}

} // namespace spmd
