// Attributes with a grammar of their own: messages to text.

#include "spmd/ir/hlo/PrimitiveTypes.h"
#include "spmd/ir/hlo/text/ShapeText.h"
#include "spmd/ir/hlo/text/ShardingText.h"
#include "spmd/ir/hlo/text/SpecialAttributes.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

#include <algorithm>

namespace spmd::hlo {

using I = HloInstructionProto;
using P = AttributePrinter;

//===- Windows and padding --------------------------------------------------===//

/// Appends ` name=1x2x3` if a dim has another value than `usual`.
template <typename Value>
static void printWindowPart(const Window &window, const char *name, Value value, int64_t usual,
                            std::string &text) {
  auto isUsual = [&](const WindowDimension &dim) { return value(dim) == usual; };
  if (std::all_of(window.dimensions().begin(), window.dimensions().end(), isUsual))
    return;
  absl::StrAppend(&text, " ", name, "=");
  for (int i = 0; i < window.dimensions_size(); ++i)
    absl::StrAppend(&text, i ? "x" : "", value(window.dimensions(i)));
}

void printWindow(const I &instruction, P &printer) {
  const Window &window = instruction.window();
  if (window.dimensions().empty())
    return;
  printer.key("window");
  std::string &text = printer.text;
  text += "{size=";
  for (int i = 0; i < window.dimensions_size(); ++i)
    absl::StrAppend(&text, i ? "x" : "", window.dimensions(i).size());
  using D = const WindowDimension &;
  printWindowPart(window, "stride", [](D dim) { return dim.stride(); }, 1, text);
  bool padded = std::any_of(window.dimensions().begin(), window.dimensions().end(), [](D dim) {
    return dim.padding_low() != 0 || dim.padding_high() != 0;
  });
  for (int i = 0; padded && i < window.dimensions_size(); ++i)
    absl::StrAppend(&text, i ? "x" : " pad=", window.dimensions(i).padding_low(), "_",
                    window.dimensions(i).padding_high());
  printWindowPart(window, "lhs_dilate", [](D dim) { return dim.base_dilation(); }, 1, text);
  printWindowPart(window, "rhs_dilate", [](D dim) { return dim.window_dilation(); }, 1, text);
  printWindowPart(
      window, "rhs_reversal", [](D dim) -> int64_t { return dim.window_reversal(); }, 0, text);
  text += '}';
}

void printPadding(const I &instruction, P &printer) {
  if (instruction.opcode() != "pad" || !instruction.has_padding_config())
    return;
  printer.key("padding");
  const auto &dims = instruction.padding_config().dimensions();
  bool interior =
      std::any_of(dims.begin(), dims.end(), [](auto &dim) { return dim.interior_padding() != 0; });
  for (int i = 0; i < dims.size(); ++i) {
    absl::StrAppend(&printer.text, i ? "x" : "", dims[i].edge_padding_low(), "_",
                    dims[i].edge_padding_high());
    if (interior)
      absl::StrAppend(&printer.text, "_", dims[i].interior_padding());
  }
}

void printSlice(const I &instruction, P &printer) {
  if (instruction.opcode() != "slice")
    return;
  printer.key("slice");
  printer.text += '{';
  const auto &dims = instruction.slice_dimensions();
  bool strided =
      std::any_of(dims.begin(), dims.end(), [](auto &slice) { return slice.stride() != 1; });
  for (int i = 0; i < instruction.slice_dimensions_size(); ++i) {
    const auto &slice = instruction.slice_dimensions(i);
    absl::StrAppend(&printer.text, i ? ", [" : "[", slice.start(), ":", slice.limit());
    if (strided)
      absl::StrAppend(&printer.text, ":", slice.stride());
    printer.text += ']';
  }
  printer.text += '}';
}

//===- Convolutions and dots ------------------------------------------------===//

/// Appends `b01f`: the letter or number of each dim, `?` for a dim without a role.
template <typename Spatial>
static void printLabels(char firstLabel, int64_t first, char secondLabel, int64_t second,
                        const Spatial &spatial, std::string &text) {
  int64_t last = std::max(first, second);
  for (int64_t dim : spatial)
    last = std::max(last, dim);
  // No array has more dims; a broken message may say so.
  std::string labels(std::clamp<int64_t>(last, -1, 99) + 1, '?');
  auto set = [&](int64_t dim, char label) {
    if (dim >= 0 && dim < static_cast<int64_t>(labels.size()))
      labels[dim] = label;
  };
  for (int i = 0; i < std::min(spatial.size(), 10); ++i)
    set(spatial[i], static_cast<char>('0' + i));
  set(first, firstLabel);
  set(second, secondLabel);
  text += labels;
}

void printDimLabels(const I &instruction, P &printer) {
  if (!instruction.has_convolution_dimension_numbers())
    return;
  const ConvolutionDimensionNumbers &dims = instruction.convolution_dimension_numbers();
  printer.key("dim_labels");
  printLabels('b', dims.input_batch_dimension(), 'f', dims.input_feature_dimension(),
              dims.input_spatial_dimensions(), printer.text);
  printer.text += '_';
  printLabels('i', dims.kernel_input_feature_dimension(), 'o',
              dims.kernel_output_feature_dimension(), dims.kernel_spatial_dimensions(),
              printer.text);
  printer.text += "->";
  printLabels('b', dims.output_batch_dimension(), 'f', dims.output_feature_dimension(),
              dims.output_spatial_dimensions(), printer.text);
}

void printPrecision(const I &instruction, P &printer) {
  const PrecisionConfig &config = instruction.precision_config();
  if (std::all_of(config.operand_precision().begin(), config.operand_precision().end(),
                  [](int precision) { return precision == PrecisionConfig::DEFAULT; }))
    return;
  printer.key("operand_precision");
  printField(config, config.GetDescriptor()->FindFieldByName("operand_precision"), Spelling::Lower,
             printer.text);
}

void printAlgorithm(const I &instruction, P &printer) {
  PrecisionConfig::Algorithm algorithm = instruction.precision_config().algorithm();
  if (algorithm == PrecisionConfig::ALG_UNSET || !PrecisionConfig::Algorithm_IsValid(algorithm))
    return;
  printer.key("algorithm");
  std::string name = PrecisionConfig::Algorithm_Name(algorithm);
  printer.text += absl::AsciiStrToLower(name.substr(name.find('_') + 1));
}

void printSparsity(const I &instruction, P &printer) {
  for (int i = 0; i < instruction.dot_sparsity_size(); ++i) {
    const SparsityDescriptor &descriptor = instruction.dot_sparsity(i);
    if (i == 0)
      printer.key("sparsity");
    absl::StrAppend(&printer.text, i ? "_" : "", descriptor.index() ? "R." : "L.",
                    descriptor.dimension(), "@", descriptor.n(), ":", descriptor.m());
  }
}

void printAccuracy(const I &instruction, P &printer) {
  const ResultAccuracy &accuracy = instruction.result_accuracy();
  if (accuracy.has_tolerance()) {
    printer.key("result_accuracy");
    const ResultAccuracy::Tolerance &tolerance = accuracy.tolerance();
    printer.text += "{tolerance={atol=";
    printFloat(tolerance.atol(), printer.text);
    printer.text += ",rtol=";
    printFloat(tolerance.rtol(), printer.text);
    absl::StrAppend(&printer.text, ",ulps=", tolerance.ulps(), "}}");
  } else if (accuracy.mode() != ResultAccuracy::DEFAULT) {
    printer.key("result_accuracy");
    printer.text += "{mode=highest}";
  }
}

/// Returns the comparison that is meant where none is said.
static std::string_view usualComparison(const I &instruction, const P &printer) {
  if (instruction.operand_ids().empty())
    return "";
  auto operand = printer.names.instructions.find(instruction.operand_ids(0));
  if (operand == printer.names.instructions.end())
    return "";
  const PrimitiveTypeInfo *info = findPrimitiveType(operand->second->shape().element_type());
  switch (info ? info->kind : ElementKind::None) {
  case ElementKind::Signed:
    return "SIGNED";
  case ElementKind::Bool:
  case ElementKind::Unsigned:
    return "UNSIGNED";
  case ElementKind::Float:
  case ElementKind::Complex:
    return "FLOAT";
  case ElementKind::None:
    break;
  }
  return "";
}

void printComparisonType(const I &instruction, P &printer) {
  if (instruction.comparison_type().empty() ||
      instruction.comparison_type() == usualComparison(instruction, printer))
    return;
  printer.key("type");
  printer.text += instruction.comparison_type();
}

void printComparisonOrder(const I &instruction, P &printer) {
  bool isFloat = usualComparison(instruction, printer) == "FLOAT";
  if (instruction.comparison_order().empty() ||
      instruction.comparison_order() == (isFloat ? "PARTIAL" : "TOTAL"))
    return;
  printer.key("order");
  printer.text += instruction.comparison_order();
}

//===- Collectives and shardings --------------------------------------------===//

void printSourceTargetPairs(const I &instruction, P &printer) {
  bool isPermute = instruction.opcode() == "collective-permute" ||
                   instruction.opcode() == "collective-permute-start";
  if (!isPermute && instruction.source_target_pairs().empty())
    return;
  printer.key("source_target_pairs");
  printer.text += '{';
  for (int i = 0; i < instruction.source_target_pairs_size(); ++i) {
    const SourceTarget &pair = instruction.source_target_pairs(i);
    absl::StrAppend(&printer.text, i ? ",{" : "{", pair.source(), ",", pair.target(), "}");
  }
  printer.text += '}';
}

void printGroups(const I &instruction, P &printer) {
  if (!hasReplicaGroups(instruction))
    return;
  printer.key("replica_groups");
  printReplicaGroups(instruction, printer.text);
}

void printShardingAttribute(const I &instruction, P &printer) {
  if (!instruction.has_sharding())
    return;
  printer.key("sharding");
  printSharding(instruction.sharding(), printer.options.metadata, printer.text);
}

void printDomain(const I &instruction, P &printer) {
  if (instruction.opcode() != "domain")
    return;
  printer.key("domain");
  printer.text += "{kind=\"sharding\", entry=";
  printSharding(instruction.domain_entry_sharding(), printer.options.metadata, printer.text);
  printer.text += ", exit=";
  printSharding(instruction.domain_exit_sharding(), printer.options.metadata, printer.text);
  printer.text += '}';
}

//===- Calls ----------------------------------------------------------------===//

void printOperandLayouts(const I &instruction, P &printer) {
  if (instruction.opcode() != "custom-call" || !instruction.constrain_layout())
    return;
  printer.key("operand_layout_constraints");
  printer.text += '{';
  for (int i = 0; i < instruction.operand_shapes_with_layout_size(); ++i) {
    printer.text += i ? ", " : "";
    printShape(instruction.operand_shapes_with_layout(i), printer.text);
  }
  printer.text += '}';
}

void printAliasing(const I &instruction, P &printer) {
  if (instruction.output_operand_aliasing().empty())
    return;
  printer.key("output_to_operand_aliasing");
  const char *separator = "{";
  for (const OutputOperandAliasing &alias : instruction.output_operand_aliasing()) {
    printer.text += separator;
    printIntegers(alias.output_shape_index(), printer.text);
    absl::StrAppend(&printer.text, ": (", alias.operand_index(), ", ");
    printIntegers(alias.operand_shape_index(), printer.text);
    printer.text += ')';
    separator = ", ";
  }
  printer.text += '}';
}

void printOutfeedShape(const I &instruction, P &printer) {
  if (!instruction.has_outfeed_shape() ||
      instruction.outfeed_shape().element_type() == PRIMITIVE_TYPE_INVALID)
    return;
  printer.key("outfeed_shape");
  printShape(instruction.outfeed_shape(), printer.text);
}

/// Returns the names under which an opcode calls one or two computations, in the order of their
/// text.
static std::vector<std::pair<const char *, int>> calledNames(const I &instruction,
                                                             const P &printer) {
  const std::string &opcode = instruction.opcode();
  if (opcode == "while")
    return {{"condition", 1}, {"body", 0}};
  if (opcode == "select-and-scatter")
    return {{"select", 0}, {"scatter", 1}};
  if (opcode == "fusion" || opcode.rfind("async-", 0) == 0)
    return {{"calls", 0}};
  if (opcode == "conditional" && !instruction.operand_ids().empty()) {
    auto operand = printer.names.instructions.find(instruction.operand_ids(0));
    if (operand != printer.names.instructions.end() &&
        operand->second->shape().element_type() == PRED)
      return {{"true_computation", 0}, {"false_computation", 1}};
    return {};
  }
  if (opcode == "conditional" || opcode == "custom-call")
    return {};
  return {{"to_apply", 0}};
}

void printCalled(const I &instruction, P &printer) {
  const auto &ids = instruction.called_computation_ids();
  if (ids.empty())
    return;
  auto names = calledNames(instruction, printer);
  if (names.size() == static_cast<size_t>(ids.size())) {
    for (auto [name, slot] : names) {
      printer.key(name);
      printer.computation(ids[slot]);
    }
    return;
  }
  printer.key(instruction.opcode() == "conditional" ? "branch_computations"
                                                    : "called_computations");
  printer.text += '{';
  for (int i = 0; i < ids.size(); ++i) {
    printer.text += i ? ", " : "";
    printer.computation(ids[i]);
  }
  printer.text += '}';
}

void printControlPredecessors(const I &instruction, P &printer) {
  if (instruction.control_predecessor_ids().empty())
    return;
  printer.key("control-predecessors");
  const char *separator = "{";
  for (int64_t id : instruction.control_predecessor_ids()) {
    printer.text += separator;
    printer.instruction(id);
    separator = ", ";
  }
  printer.text += '}';
}

//===- Notes ----------------------------------------------------------------===//

void printMetadata(const I &instruction, P &printer) {
  if (!printer.options.metadata || !instruction.has_metadata())
    return;
  std::string fields;
  printFields(instruction.metadata(), fields);
  if (fields == "{}")
    return;
  printer.key("metadata");
  printer.text += fields;
}

/// Returns whether a value can stand as it is: one pair of braces and all inside.
static bool isBraced(const std::string &value) {
  if (value.empty() || value.front() != '{')
    return false;
  Lexer lexer(value);
  std::string_view text;
  return lexer.braced(text) && text.size() == value.size();
}

static void printValue(const std::string &value, std::string &text) {
  if (isBraced(value))
    text += value;
  else
    printQuoted(value, text);
}

void printFrontendAttributes(const FrontendAttributes &attributes, std::string &text) {
  std::vector<std::pair<std::string_view, const std::string *>> sorted;
  for (const auto &[name, value] : attributes.map())
    sorted.emplace_back(name, &value);
  std::sort(sorted.begin(), sorted.end());
  text += '{';
  for (size_t i = 0; i < sorted.size(); ++i) {
    text += i ? "," : "";
    text += sorted[i].first;
    text += '=';
    printValue(*sorted[i].second, text);
  }
  text += '}';
}

void printFrontendAttributes(const I &instruction, P &printer) {
  if (instruction.frontend_attributes().map().empty())
    return;
  printer.key("frontend_attributes");
  printFrontendAttributes(instruction.frontend_attributes(), printer.text);
}

void printBackendConfig(const I &instruction, P &printer) {
  if (instruction.backend_config().empty())
    return;
  printer.key("backend_config");
  printValue(instruction.backend_config(), printer.text);
}

} // namespace spmd::hlo
