#include "spmd/ir/textproto/TextProto.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/text_format.h"

namespace spmd {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::TextFormat;

namespace {

/// Returns `message` as a clause of ours: without a capital at the start or a period at the end.
std::string asClause(std::string message) {
  while (!message.empty() && message.back() == '.')
    message.pop_back();
  if (message.size() > 1 && absl::ascii_isupper(message[0]) && !absl::ascii_isupper(message[1]))
    message[0] = absl::ascii_tolower(message[0]);
  return message;
}

/// Keeps what the parser reports.
class Errors : public google::protobuf::io::ErrorCollector {
public:
  Errors(std::string_view text, const Descriptor &root, std::vector<FileFinding> &findings)
      : root(root), lines(absl::StrSplit(absl::string_view(text.data(), text.size()), '\n')),
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
    const Descriptor *descriptor = root.file()->pool()->FindMessageTypeByName(parts[1]);
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

  const Descriptor &root;
  std::vector<absl::string_view> lines;
  std::vector<FileFinding> &findings;
};

} // namespace

/// Copies the places of `message` and all in it, as deep as the messages are declared.
static void copyPlaces(const Message &message, const TextFormat::ParseInfoTree &tree,
                       FieldPlaces &places) {
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

bool readTextProto(std::string_view text, Message &message, FieldPlaces &places,
                   std::vector<FileFinding> &findings) {
  constexpr int deepestNesting = 16; // Of the files that are read here; a plan nests three deep.
  Errors errors(text, *message.GetDescriptor(), findings);
  TextFormat::ParseInfoTree tree;
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  parser.WriteLocationsTo(&tree);
  parser.SetRecursionLimit(deepestNesting);
  if (!parser.ParseFromString(std::string(text), &message))
    return false;
  copyPlaces(message, tree, places);
  return true;
}

std::string unknownField(const Descriptor &descriptor, std::string_view name) {
  std::vector<std::string> names;
  for (int i = 0; i < descriptor.field_count(); ++i)
    names.push_back(descriptor.field(i)->name());
  return absl::StrCat("unknown field '", absl::string_view(name.data(), name.size()),
                      "'; expected ", absl::StrJoin(names, ", "));
}

} // namespace spmd
