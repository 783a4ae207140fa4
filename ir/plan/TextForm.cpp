// Plans in Protobuf's text format, which its own parser reads.

#include "spmd/ir/plan/Forms.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/text_format.h"

namespace spmd {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::TextFormat;

namespace {

/// Keeps what the parser reports.
class Errors : public google::protobuf::io::ErrorCollector {
public:
  Errors(std::string_view text, std::vector<PlanFinding> &findings)
      : lines(absl::StrSplit(absl::string_view(text.data(), text.size()), '\n')),
        findings(findings) {}

  void AddError(int line, int column, const std::string &message) override {
    if (addUnknownField(line, column, message))
      return;
    std::string clause = asClause(message);
    if (absl::EndsWith(clause, "got: "))
      clause += "the end of the file";
    findings.push_back({{line + 1, column + 1}, std::move(clause)});
  }

private:
  /// The parser reports a field that it does not know where the next word stands, and not which
  /// there are.
  bool addUnknownField(int line, int column, const std::string &message) {
    std::vector<std::string> parts = absl::StrSplit(message, '"');
    if (parts.size() != 5 || parts[2] != " has no field named ")
      return false;
    const google::protobuf::Descriptor *descriptor =
        PlanProto::descriptor()->file()->pool()->FindMessageTypeByName(parts[1]);
    if (!descriptor)
      return false;
    for (int at = line; at >= 0 && at < static_cast<int>(lines.size()); --at) {
      absl::string_view before = lines[at];
      if (at == line)
        before = before.substr(0, column);
      if (size_t found = before.rfind(parts[3]); found != absl::string_view::npos) {
        findings.push_back(
            {{at + 1, static_cast<int>(found) + 1}, unknownField(*descriptor, parts[3])});
        return true;
      }
    }
    return false;
  }

  std::vector<absl::string_view> lines;
  std::vector<PlanFinding> &findings;
};

} // namespace

std::string asClause(std::string message) {
  while (!message.empty() && message.back() == '.')
    message.pop_back();
  if (message.size() > 1 && absl::ascii_isupper(message[0]) && !absl::ascii_isupper(message[1]))
    message[0] = absl::ascii_tolower(message[0]);
  return message;
}

/// Copies the places of `message` and all in it. Plans nest as deep as their messages are declared.
static void copyPlaces(const Message &message, const TextFormat::ParseInfoTree &tree,
                       PlanPlaces &places) {
  std::vector<const FieldDescriptor *> fields;
  message.GetReflection()->ListFields(message, &fields);
  for (const FieldDescriptor *field : fields) {
    int count = field->is_repeated() ? message.GetReflection()->FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      int index = field->is_repeated() ? i : -1;
      TextFormat::ParseLocation at = tree.GetLocation(field, index);
      places.set(message, field->number(), i, {at.line + 1, at.column + 1});
      const TextFormat::ParseInfoTree *inner = tree.GetTreeForNested(field, index);
      if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE || !inner)
        continue;
      const Message &nested = field->is_repeated()
                                  ? message.GetReflection()->GetRepeatedMessage(message, field, i)
                                  : message.GetReflection()->GetMessage(message, field);
      copyPlaces(nested, *inner, places);
    }
  }
}

bool readTextForm(std::string_view text, PlanProto &proto, PlanPlaces &places,
                  std::vector<PlanFinding> &findings) {
  Errors errors(text, findings);
  TextFormat::ParseInfoTree tree;
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  parser.WriteLocationsTo(&tree);
  parser.SetRecursionLimit(16); // A plan nests three deep.
  if (!parser.ParseFromString(std::string(text), &proto))
    return false;
  copyPlaces(proto, tree, places);
  return true;
}

} // namespace spmd
