// The table of attributes, in the order in which they are written, and how its rows are used.

#include "spmd/ir/hlo/text/AttributeTable.h"

#include "spmd/ir/hlo/text/SpecialAttributes.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

#include <algorithm>

namespace spmd::hlo {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

using S = Spelling;

/// Opcodes whose dims are written even if there are none.
static constexpr std::string_view withDimensions =
    "broadcast concatenate reverse transpose reduce map sort get-dimension-size set-dimension-size "
    "all-gather all-gather-start";

static constexpr Attribute special(std::string_view name, bool (*read)(AttributeReader &),
                                   void (*print)(const HloInstructionProto &,
                                                 AttributePrinter &) = nullptr,
                                   std::string_view only = {}) {
  return {name, "", "", S::Plain, only, 0, read, print};
}

// What XLA writes of one opcode stands here in XLA's order.
static const Attribute attributes[] = {
    {"parameter_replication", "parameter_replication.replicated_at_leaf_buffers"},
    {"index", "tuple_index", "get-tuple-element"},
    {"epsilon", "epsilon", "batch-norm-training batch-norm-inference batch-norm-grad"},
    {"feature_index", "feature_index", "batch-norm-training batch-norm-inference batch-norm-grad"},
    {"fft_type", "fft_type", "fft"},
    {"fft_length", "fft_length", "fft"},
    {"direction", "comparison_direction", "", S::Word},
    special("type", readComparisonType, printComparisonType, "compare"),
    special("order", readComparisonOrder, printComparisonOrder, "compare"),
    {"left_side", "triangular_solve_options.left_side"},
    {"lower", "triangular_solve_options.lower", "", S::Plain, "triangular-solve"},
    {"lower", "cholesky_options.lower", "", S::Plain, "cholesky"},
    {"unit_diagonal", "triangular_solve_options.unit_diagonal"},
    {"transpose_a", "triangular_solve_options.transpose_a", "triangular-solve"},
    {"channel_id", "channel_id"},
    special("replica_groups", readGroups, printGroups),
    special("source_target_pairs", readSourceTargetPairs, printSourceTargetPairs),
    {"is_host_transfer", "is_host_transfer"},
    {"constrain_layout", "constrain_layout", "", S::Plain,
     "all-gather all-gather-start all-reduce all-reduce-start all-to-all reduce-scatter"},
    {"iota_dimension", "dimensions", "iota", S::First, "iota"},
    {"dimensions", "", "", S::Plain, "iota"}, // None: the row below is not for it.
    {"use_global_device_ids", "use_global_device_ids", "", S::Plain, "reduce-scatter"},
    {"dimensions", "dimensions", withDimensions},
    {"use_global_device_ids", "use_global_device_ids"},
    {"has_dynamic_root", "has_dynamic_root", "", S::Plain,
     "collective-broadcast collective-reduce"},
    {"is_stable", "is_stable"},
    {"kind", "fusion_kind", "", S::Word},
    {"distribution", "distribution", "rng", S::Lower},
    {"algorithm", "rng_algorithm", "rng-bit-generator", S::Lower, "rng-bit-generator"},
    {"delta", "delta", "rng-get-and-update-state"},
    {"infeed_config", "infeed_config"},
    special("outfeed_shape", readOutfeedShape, printOutfeedShape),
    {"outfeed_config", "outfeed_config"},
    special("window", readWindow, printWindow),
    special("dim_labels", readDimLabels, printDimLabels),
    {"feature_group_count", "feature_group_count", "", S::Plain, "", 1},
    {"batch_group_count", "batch_group_count", "", S::Plain, "", 1},
    special("padding", readPadding, printPadding, "pad pad-start"),
    special("slice", readSlice, printSlice, "slice slice-start"),
    {"dynamic_slice_sizes", "dynamic_slice_sizes", "dynamic-slice"},
    {"exponent_bits", "exponent_bits", "reduce-precision"},
    {"mantissa_bits", "mantissa_bits", "reduce-precision"},
    {"lhs_batch_dims", "ragged_dot_dimension_numbers.dot_dimension_numbers.lhs_batch_dimensions",
     "", S::Plain, "ragged-dot"},
    {"lhs_contracting_dims",
     "ragged_dot_dimension_numbers.dot_dimension_numbers.lhs_contracting_dimensions", "ragged-dot",
     S::Plain, "ragged-dot"},
    {"rhs_batch_dims", "ragged_dot_dimension_numbers.dot_dimension_numbers.rhs_batch_dimensions",
     "", S::Plain, "ragged-dot"},
    {"rhs_contracting_dims",
     "ragged_dot_dimension_numbers.dot_dimension_numbers.rhs_contracting_dimensions", "ragged-dot",
     S::Plain, "ragged-dot"},
    {"lhs_ragged_dims", "ragged_dot_dimension_numbers.lhs_ragged_dimensions", "ragged-dot"},
    {"rhs_group_dims", "ragged_dot_dimension_numbers.rhs_group_dimensions", "ragged-dot"},
    {"lhs_batch_dims", "dot_dimension_numbers.lhs_batch_dimensions"},
    {"lhs_contracting_dims", "dot_dimension_numbers.lhs_contracting_dimensions", "dot"},
    {"rhs_batch_dims", "dot_dimension_numbers.rhs_batch_dimensions"},
    {"rhs_contracting_dims", "dot_dimension_numbers.rhs_contracting_dimensions", "dot"},
    special("operand_precision", readPrecision, printPrecision),
    special("algorithm", readAlgorithm, printAlgorithm),
    special("sparsity", readSparsity, printSparsity),
    {"offset_dims", "gather_dimension_numbers.offset_dims", "gather"},
    {"collapsed_slice_dims", "gather_dimension_numbers.collapsed_slice_dims", "gather"},
    {"start_index_map", "gather_dimension_numbers.start_index_map", "gather"},
    {"operand_batching_dims", "gather_dimension_numbers.operand_batching_dims"},
    {"start_indices_batching_dims", "gather_dimension_numbers.start_indices_batching_dims"},
    {"index_vector_dim", "gather_dimension_numbers.index_vector_dim", "gather", S::Plain, "gather"},
    {"slice_sizes", "gather_slice_sizes", "gather"},
    {"update_window_dims", "scatter_dimension_numbers.update_window_dims", "scatter"},
    {"inserted_window_dims", "scatter_dimension_numbers.inserted_window_dims", "scatter"},
    {"scatter_dims_to_operand_dims", "scatter_dimension_numbers.scatter_dims_to_operand_dims",
     "scatter"},
    {"input_batching_dims", "scatter_dimension_numbers.input_batching_dims"},
    {"scatter_indices_batching_dims", "scatter_dimension_numbers.scatter_indices_batching_dims"},
    {"index_vector_dim", "scatter_dimension_numbers.index_vector_dim", "scatter", S::Plain,
     "scatter"},
    {"indices_are_sorted", "indices_are_sorted"},
    {"unique_indices", "unique_indices"},
    {"k", "k", "topk"},
    {"largest", "largest", "topk"},
    {"is_reverse", "is_reverse"},
    {"num_carries", "num_carries"},
    {"is_associative", "is_associative"},
    special("domain", readDomain, printDomain, "domain"),
    {"custom_call_target", "custom_call_target", "custom-call"},
    special("operand_layout_constraints", readOperandLayouts, printOperandLayouts,
            "custom-call custom-call-start"),
    {"custom_call_has_side_effect", "custom_call_has_side_effect"},
    special("output_to_operand_aliasing", readAliasing, printAliasing),
    {"padding_type", "padding_type"},
    {"schedule", "custom_call_schedule"},
    {"api_version", "custom_call_api_version", "", S::Plain, "", API_VERSION_ORIGINAL},
    {"cross_program_prefetch_index", "cross_program_prefetch_index"},
    {"is_cross_program_prefetch", "is_cross_program_prefetch"},
    special("result_accuracy", readAccuracy, printAccuracy),
    {"async_execution_thread", "async_execution_thread"},
    special("to_apply", readCalled<0>, printCalled),
    special("calls", readCalled<0>),
    special("body", readCalled<0>),
    special("condition", readCalled<1>),
    special("select", readCalled<0>),
    special("scatter", readCalled<1>),
    special("true_computation", readCalled<0>),
    special("false_computation", readCalled<1>),
    special("branch_computations", readCalledList),
    special("called_computations", readCalledList),
    {"is_composite", "is_composite"},
    special("sharding", readShardingAttribute, printShardingAttribute),
    special("frontend_attributes", readFrontendAttributes, printFrontendAttributes),
    special("control-predecessors", readControlPredecessors, printControlPredecessors),
    special("metadata", readMetadata, printMetadata),
    special("backend_config", readBackendConfig, printBackendConfig),
};

/// Attributes that say nothing about what a program computes: carried as they were written.
static constexpr std::string_view carried[] = {"origin", "statistics", "original_value",
                                               "frontend_metadata"};

//===- Rows and opcodes -----------------------------------------------------===//

namespace {
/// A row with the descriptors of its path.
struct Row {
  const Attribute *attribute;
  std::vector<const FieldDescriptor *> path; ///< Empty for special ones.
  bool always;                               ///< For the opcode that the row was made for.
};
using Rows = std::vector<Row>;
} // namespace

static bool contains(std::string_view list, std::string_view opcode) {
  if (opcode.empty())
    return false;
  for (size_t at = list.find(opcode); at != std::string_view::npos;
       at = list.find(opcode, at + 1)) {
    size_t end = at + opcode.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' '))
      return true;
  }
  return false;
}

static Row makeRow(const Attribute &attribute, std::string_view opcode) {
  Row row{&attribute, {}, contains(attribute.always, opcode)};
  if (attribute.field.empty())
    return row;
  const google::protobuf::Descriptor *message = HloInstructionProto::descriptor();
  for (absl::string_view name :
       absl::StrSplit(absl::string_view(attribute.field.data(), attribute.field.size()), '.')) {
    row.path.push_back(message->FindFieldByName(std::string(name)));
    message = row.path.back()->message_type();
  }
  return row;
}

static const Row *findRow(const Rows &rows, std::string_view name) {
  for (const Row &row : rows)
    if (row.attribute->name == name)
      return &row;
  return nullptr;
}

/// Returns the message that the field at the end of `path` is in.
static Message *messageOf(const std::vector<const FieldDescriptor *> &path, Message *message) {
  for (size_t i = 0; i + 1 < path.size(); ++i)
    message = message->GetReflection()->MutableMessage(message, path[i]);
  return message;
}

/// Clears the messages on the way to the field at the end of `path` that say nothing: text does not
/// tell an empty message from none.
static void clearIfEmpty(const std::vector<const FieldDescriptor *> &path, Message *message) {
  if (path.size() < 2)
    return;
  const google::protobuf::Reflection *reflection = message->GetReflection();
  Message *inner = reflection->MutableMessage(message, path.front());
  clearIfEmpty({path.begin() + 1, path.end()}, inner);
  if (inner->ByteSizeLong() == 0)
    reflection->ClearField(message, path.front());
}

/// Returns the rows that apply to an opcode. Of two rows with a name the first, the opcode's own,
/// does.
static const Rows &rowsOf(const std::string &opcode) {
  // Opcodes with no row of their own share one list, so what a hostile file makes up takes no
  // memory.
  static const auto table = [] {
    absl::flat_hash_map<std::string, Rows> rows;
    rows[""];
    for (const Attribute &attribute : attributes)
      for (std::string_view list : {attribute.always, attribute.only})
        for (absl::string_view name :
             absl::StrSplit(absl::string_view(list.data(), list.size()), ' '))
          rows[std::string(name)];
    for (auto &[opcode, list] : rows)
      for (const Attribute &attribute : attributes)
        if ((attribute.only.empty() || contains(attribute.only, opcode)) &&
            !findRow(list, attribute.name))
          list.push_back(makeRow(attribute, opcode));
    return new absl::flat_hash_map<std::string, Rows>(std::move(rows));
  }();
  auto found = table->find(opcode);
  return found == table->end() ? table->find("")->second : found->second;
}

//===- Reading --------------------------------------------------------------===//

bool readAttribute(std::string_view name, const char *place, AttributeReader &reader) {
  const Row *row = findRow(rowsOf(reader.instruction.opcode()), name);
  if (!row || (row->path.empty() && !row->attribute->read)) {
    if (std::find(std::begin(carried), std::end(carried), name) == std::end(carried))
      return reader.lexer.failAt(
          place, absl::StrCat("'", reader.instruction.opcode(), "' has no attribute '",
                              absl::string_view(name.data(), name.size()), "'"));
    std::string_view value;
    if (!reader.lexer.value(value))
      return false;
    TextAttribute &kept = *reader.instruction.add_text_attributes();
    kept.set_name(std::string(name));
    kept.set_value(std::string(value));
    return true;
  }
  if (row->attribute->read)
    return row->attribute->read(reader);
  bool ok = parseField(reader.lexer, *messageOf(row->path, &reader.instruction), row->path.back(),
                       row->attribute->spelling);
  clearIfEmpty(row->path, &reader.instruction);
  return ok;
}

/// Notes that say nothing are not printed, and so are none: `frontend_attributes={}`.
static void clearEmptyNotes(HloInstructionProto &instruction) {
  if (instruction.has_frontend_attributes() && instruction.frontend_attributes().map().empty())
    instruction.clear_frontend_attributes();
  if (instruction.has_metadata() && instruction.metadata().ByteSizeLong() == 0)
    instruction.clear_metadata();
  if (instruction.has_window() && instruction.window().ByteSizeLong() == 0)
    instruction.clear_window();
  if (instruction.has_padding_config() && instruction.padding_config().ByteSizeLong() == 0)
    instruction.clear_padding_config();
  if (instruction.has_precision_config() && instruction.precision_config().ByteSizeLong() == 0)
    instruction.clear_precision_config();
  if (instruction.has_result_accuracy() && instruction.result_accuracy().ByteSizeLong() == 0)
    instruction.clear_result_accuracy();
}

/// What is always printed is there, even if empty.
static void addMessagesAlwaysPrinted(HloInstructionProto &instruction) {
  static const auto table = [] {
    absl::flat_hash_map<std::string, std::vector<std::vector<const FieldDescriptor *>>> paths;
    for (const Attribute &attribute : attributes)
      for (absl::string_view opcode :
           absl::StrSplit(absl::string_view(attribute.always.data(), attribute.always.size()), ' '))
        if (Row row = makeRow(attribute, std::string(opcode)); row.path.size() > 1 && row.always)
          paths[std::string(opcode)].push_back(row.path);
    return new decltype(paths)(std::move(paths));
  }();
  if (auto found = table->find(instruction.opcode()); found != table->end())
    for (const std::vector<const FieldDescriptor *> &path : found->second)
      messageOf(path, &instruction);
}

void setTextDefaults(HloInstructionProto &instruction) {
  clearEmptyNotes(instruction);
  addMessagesAlwaysPrinted(instruction);
  bool isCustomCall = instruction.opcode() == "custom-call";
  if (isCustomCall && !instruction.custom_call_api_version())
    instruction.set_custom_call_api_version(API_VERSION_ORIGINAL);
  if (!isCustomCall && instruction.opcode() != "convolution")
    return;
  if (!instruction.feature_group_count())
    instruction.set_feature_group_count(1);
  if (!instruction.batch_group_count())
    instruction.set_batch_group_count(1);
}

//===- Printing -------------------------------------------------------------===//

void AttributePrinter::key(std::string_view name) {
  text += ", ";
  text += name;
  text += '=';
}

void AttributePrinter::computation(int64_t id) {
  auto found = names.computations.find(id);
  if (found == names.computations.end())
    absl::StrAppend(&text, "<", id, ">");
  else
    absl::StrAppend(&text, options.percent ? "%" : "", found->second->name());
}

void AttributePrinter::instruction(int64_t id) {
  auto found = names.instructions.find(id);
  if (found == names.instructions.end())
    absl::StrAppend(&text, "<", id, ">");
  else
    absl::StrAppend(&text, options.percent ? "%" : "", found->second->name());
}

static bool isSaid(const Message &message, const FieldDescriptor *field, int64_t unsaid) {
  const google::protobuf::Reflection &fields = *message.GetReflection();
  if (field->is_repeated())
    return fields.FieldSize(message, field) > 0;
  if (!fields.HasField(message, field))
    return false;
  if (unsaid == 0)
    return true;
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_ENUM)
    return fields.GetEnumValue(message, field) != unsaid;
  return fields.GetInt64(message, field) != unsaid;
}

static void printRow(const Row &row, const HloInstructionProto &instruction,
                     AttributePrinter &printer) {
  const Message *message = &instruction;
  for (size_t i = 0; i + 1 < row.path.size(); ++i) {
    if (!row.always && !message->GetReflection()->HasField(*message, row.path[i]))
      return;
    message = &message->GetReflection()->GetMessage(*message, row.path[i]);
  }
  if (!row.always && !isSaid(*message, row.path.back(), row.attribute->unsaid))
    return;
  printer.key(row.attribute->name);
  printField(*message, row.path.back(), row.attribute->spelling, printer.text);
}

void printAttributes(const HloInstructionProto &instruction, AttributePrinter &printer) {
  for (const Row &row : rowsOf(instruction.opcode())) {
    if (row.attribute->print)
      row.attribute->print(instruction, printer);
    else if (!row.path.empty())
      printRow(row, instruction, printer);
  }
  for (const TextAttribute &kept : instruction.text_attributes()) {
    printer.key(kept.name());
    printer.text += kept.value();
  }
}

} // namespace spmd::hlo
