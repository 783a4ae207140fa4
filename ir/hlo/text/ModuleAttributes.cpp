// What stands before the computations: the attributes of the module, and the tables of source
// locations.

#include "spmd/ir/hlo/text/AttributeTable.h"
#include "spmd/ir/hlo/text/ModuleParser.h"
#include "spmd/ir/hlo/text/ShapeText.h"

#include "absl/strings/str_cat.h"

#include <algorithm>

namespace spmd::hlo {

//===- Single attributes ----------------------------------------------------===//

static bool readAlias(Lexer &lexer, HloModuleProto &module) {
  return parseList(lexer, '{', '}', [&] {
    auto &entry = *module.mutable_input_output_alias()->add_entries();
    int64_t parameter;
    if (!parseIntegers(lexer, '{', '}', *entry.mutable_output_shape_index(),
                       "an index of the result") ||
        !lexer.expect(':') || !lexer.expect('(') || !lexer.integer(parameter, "a parameter"))
      return false;
    entry.set_parameter_number(parameter);
    entry.set_kind(MAY_ALIAS);
    if (lexer.consume(',') &&
        !parseIntegers(lexer, '{', '}', *entry.mutable_parameter_shape_index(),
                       "an index of the parameter"))
      return false;
    if (lexer.consume(',')) {
      if (lexer.consumeWord("must-alias"))
        entry.set_kind(MUST_ALIAS);
      else if (!lexer.consumeWord("may-alias"))
        return lexer.failExpected("'may-alias' or 'must-alias'");
    }
    return lexer.expect(')');
  });
}

static bool readDonors(Lexer &lexer, HloModuleProto &module) {
  return parseList(lexer, '{', '}', [&] {
    auto &entry = *module.mutable_buffer_donor()->add_entries();
    int64_t parameter;
    if (!lexer.expect('(') || !lexer.integer(parameter, "a parameter") || !lexer.expect(','))
      return false;
    entry.set_parameter_number(parameter);
    return parseIntegers(lexer, '{', '}', *entry.mutable_parameter_shape_index(),
                         "an index of the parameter") &&
           lexer.expect(')');
  });
}

static bool readEntryLayout(Lexer &lexer, HloModuleProto &module) {
  ProgramShapeProto &shape = *module.mutable_host_program_shape();
  if (!lexer.expect('{') ||
      !parseList(lexer, '(', ')', [&] { return parseShape(lexer, *shape.add_parameters()); }))
    return false;
  if (!lexer.consume(std::string_view("->")))
    return lexer.failExpected("'->'");
  return parseShape(lexer, *shape.mutable_result()) && lexer.expect('}');
}

/// Reads `true` or `{true,false}`.
template <typename List> static bool readFlags(Lexer &lexer, List &flags) {
  auto read = [&] {
    bool flag;
    if (!lexer.boolean(flag))
      return false;
    flags.Add(flag);
    return true;
  };
  return lexer.peek() == '{' ? parseList(lexer, '{', '}', read) : read();
}

static bool readNumber(Lexer &lexer, TextConfigProto &config,
                       void (TextConfigProto::*set)(int64_t)) {
  int64_t number;
  if (!lexer.integer(number, "a number"))
    return false;
  if (number < 1)
    return lexer.fail("the number is not positive");
  (config.*set)(number);
  return true;
}

static bool readFlag(Lexer &lexer, HloModuleProto &module, void (HloModuleProto::*set)(bool)) {
  bool flag;
  if (!lexer.boolean(flag))
    return false;
  (module.*set)(flag);
  return true;
}

//===- The table ------------------------------------------------------------===//

static constexpr struct {
  std::string_view name;
  bool (*read)(Lexer &lexer, HloModuleProto &module);
} attributes[] = {
    {"input_output_alias", readAlias},
    {"buffer_donor", readDonors},
    {"entry_computation_layout", readEntryLayout},
    {"alias_passthrough_params",
     [](Lexer &lexer, HloModuleProto &module) {
       bool flag = false;
       bool read = lexer.boolean(flag);
       module.mutable_text_config()->set_alias_passthrough_params(flag);
       return read;
     }},
    {"allow_spmd_sharding_propagation_to_parameters",
     [](Lexer &lexer, HloModuleProto &module) {
       return readFlags(
           lexer,
           *module.mutable_text_config()->mutable_allow_spmd_sharding_propagation_to_parameters());
     }},
    {"allow_spmd_sharding_propagation_to_output",
     [](Lexer &lexer, HloModuleProto &module) {
       return readFlags(
           lexer,
           *module.mutable_text_config()->mutable_allow_spmd_sharding_propagation_to_output());
     }},
    {"replica_count",
     [](Lexer &lexer, HloModuleProto &module) {
       return readNumber(lexer, *module.mutable_text_config(), &TextConfigProto::set_replica_count);
     }},
    {"num_partitions",
     [](Lexer &lexer, HloModuleProto &module) {
       return readNumber(lexer, *module.mutable_text_config(),
                         &TextConfigProto::set_num_partitions);
     }},
    {"is_dynamic",
     [](Lexer &lexer, HloModuleProto &module) {
       return readFlag(lexer, module, &HloModuleProto::set_is_dynamic);
     }},
    {"use_auto_spmd_partitioning",
     [](Lexer &lexer, HloModuleProto &module) {
       return readFlag(lexer, module, &HloModuleProto::set_use_auto_spmd_partitioning);
     }},
    {"frontend_attributes",
     [](Lexer &lexer, HloModuleProto &module) {
       return parseFrontendAttributes(lexer, *module.mutable_frontend_attributes());
     }},
};

/// Attributes that say nothing about what a program computes: carried as they were written.
static constexpr std::string_view carried[] = {"origin_recovery_table", "debug_attributes",
                                               "debug_info", "fingerprint"};

static bool readModuleAttribute(Lexer &lexer, HloModuleProto &module, bool &isScheduled) {
  const char *start = lexer.position();
  std::string_view name = lexer.word();
  if (name.empty())
    return lexer.failExpected("the name of an attribute");
  if (!lexer.expect('='))
    return false;
  if (name == "is_scheduled")
    return lexer.boolean(isScheduled);
  for (const auto &attribute : attributes)
    if (attribute.name == name)
      return attribute.read(lexer, module);
  if (std::find(std::begin(carried), std::end(carried), name) == std::end(carried))
    return lexer.failAt(start, absl::StrCat("a module has no attribute '",
                                            absl::string_view(name.data(), name.size()), "'"));
  std::string_view value;
  if (!lexer.value(value))
    return false;
  TextAttribute &kept = *module.mutable_text_config()->add_attributes();
  kept.set_name(std::string(name));
  kept.set_value(std::string(value));
  return true;
}

bool parseModuleAttributes(Lexer &lexer, HloModuleProto &module, bool &isScheduled) {
  while (lexer.consume(','))
    if (!readModuleAttribute(lexer, module, isScheduled))
      return false;
  return true;
}

//===- Printing -------------------------------------------------------------===//

static void printAlias(const HloInputOutputAliasProto &alias, std::string &text) {
  const char *separator = ", input_output_alias={ ";
  for (const auto &entry : alias.entries()) {
    text += separator;
    printIntegers(entry.output_shape_index(), text);
    absl::StrAppend(&text, ": (", entry.parameter_number(), ", ");
    printIntegers(entry.parameter_shape_index(), text);
    text += entry.kind() == MUST_ALIAS ? ", must-alias)" : ", may-alias)";
    separator = ", ";
  }
  text += alias.entries().empty() ? "" : " }";
}

static void printDonors(const HloBufferDonorProto &donors, std::string &text) {
  const char *separator = ", buffer_donor={ ";
  for (const auto &entry : donors.entries()) {
    absl::StrAppend(&text, separator, "(", entry.parameter_number(), ", ");
    printIntegers(entry.parameter_shape_index(), text);
    text += ')';
    separator = ", ";
  }
  text += donors.entries().empty() ? "" : " }";
}

static void printEntryLayout(const ProgramShapeProto &shape, std::string &text) {
  text += ", entry_computation_layout={";
  ShapeProto parameters;
  parameters.set_element_type(TUPLE);
  *parameters.mutable_tuple_shapes() = shape.parameters();
  printShape(parameters, text);
  text += "->";
  printShape(shape.result(), text);
  text += '}';
}

template <typename List>
static void printFlags(const char *name, const List &flags, std::string &text) {
  if (flags.empty())
    return;
  absl::StrAppend(&text, ", ", name, "={");
  for (int i = 0; i < flags.size(); ++i)
    absl::StrAppend(&text, i ? "," : "", flags[i] ? "true" : "false");
  text += '}';
}

void printModuleAttributes(const HloModuleProto &module, std::string &text) {
  const TextConfigProto &config = module.text_config();
  text += module.has_schedule() ? ", is_scheduled=true" : "";
  printAlias(module.input_output_alias(), text);
  printDonors(module.buffer_donor(), text);
  text += config.alias_passthrough_params() ? ", alias_passthrough_params=true" : "";
  if (module.has_host_program_shape())
    printEntryLayout(module.host_program_shape(), text);
  printFlags("allow_spmd_sharding_propagation_to_parameters",
             config.allow_spmd_sharding_propagation_to_parameters(), text);
  printFlags("allow_spmd_sharding_propagation_to_output",
             config.allow_spmd_sharding_propagation_to_output(), text);
  if (config.replica_count())
    absl::StrAppend(&text, ", replica_count=", config.replica_count());
  if (config.num_partitions())
    absl::StrAppend(&text, ", num_partitions=", config.num_partitions());
  text += module.is_dynamic() ? ", is_dynamic=true" : "";
  text += module.use_auto_spmd_partitioning() ? ", use_auto_spmd_partitioning=true" : "";
  if (!module.frontend_attributes().map().empty()) {
    text += ", frontend_attributes=";
    printFrontendAttributes(module.frontend_attributes(), text);
  }
  for (const TextAttribute &kept : config.attributes())
    absl::StrAppend(&text, ", ", kept.name(), "=", kept.value());
}

//===- Source locations -----------------------------------------------------===//

/// Reads lines `1 ..`, numbered from 1, up to one that does not begin with a number.
template <typename Line> static bool parseTable(Lexer &lexer, Line line) {
  for (int64_t expected = 1; lexer.peek() >= '0' && lexer.peek() <= '9'; ++expected) {
    int64_t number;
    if (!lexer.integer(number, "the number of a line"))
      return false;
    if (number != expected)
      return lexer.fail(absl::StrCat("expected line ", expected, " of the table, got ", number));
    if (!line())
      return false;
  }
  return true;
}

bool parseStackFrames(Lexer &lexer, StackFrameIndexProto &frames) {
  if (lexer.consumeWord("FileNames") &&
      !parseTable(lexer, [&] { return lexer.quoted(*frames.add_file_names()); }))
    return false;
  if (lexer.consumeWord("FunctionNames") &&
      !parseTable(lexer, [&] { return lexer.quoted(*frames.add_function_names()); }))
    return false;
  if (lexer.consumeWord("FileLocations") &&
      !parseTable(lexer, [&] { return parseFields(lexer, *frames.add_file_locations()); }))
    return false;
  return !lexer.consumeWord("StackFrames") ||
         parseTable(lexer, [&] { return parseFields(lexer, *frames.add_stack_frames()); });
}

template <typename List, typename Print>
static void printTable(const char *title, const List &lines, Print print, std::string &text) {
  if (lines.empty())
    return;
  absl::StrAppend(&text, title, "\n");
  for (int i = 0; i < lines.size(); ++i) {
    absl::StrAppend(&text, i + 1, " ");
    print(lines[i]);
    text += '\n';
  }
  text += '\n';
}

void printStackFrames(const StackFrameIndexProto &frames, std::string &text) {
  auto name = [&](const std::string &value) { printQuoted(value, text); };
  auto fields = [&](const google::protobuf::Message &line) { printFields(line, text); };
  printTable("FileNames", frames.file_names(), name, text);
  printTable("FunctionNames", frames.function_names(), name, text);
  printTable("FileLocations", frames.file_locations(), fields, text);
  printTable("StackFrames", frames.stack_frames(), fields, text);
}

} // namespace spmd::hlo
