// Attributes with a grammar of their own: text to messages.

#include "spmd/ir/hlo/text/ShapeText.h"
#include "spmd/ir/hlo/text/ShardingText.h"
#include "spmd/ir/hlo/text/SpecialAttributes.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace spmd::hlo {

//===- Windows and padding --------------------------------------------------===//

/// Returns the dimension `i` of a window. New ones do nothing.
static WindowDimension &windowDimension(Window &window, int i) {
  while (window.dimensions_size() <= i) {
    WindowDimension &dim = *window.add_dimensions();
    dim.set_size(1);
    dim.set_stride(1);
    dim.set_window_dilation(1);
    dim.set_base_dilation(1);
  }
  return *window.mutable_dimensions(i);
}

/// Reads `1x2x3`, each by `element`.
template <typename Element> static bool parseTimes(Lexer &lexer, Element element) {
  int i = 0;
  do
    if (!element(i++))
      return false;
  while (lexer.consume('x'));
  return true;
}

static constexpr struct {
  std::string_view name;
  void (WindowDimension::*set)(int64_t);
} windowParts[] = {{"size", &WindowDimension::set_size},
                   {"stride", &WindowDimension::set_stride},
                   {"lhs_dilate", &WindowDimension::set_base_dilation},
                   {"rhs_dilate", &WindowDimension::set_window_dilation}};

static bool parseWindowPart(Lexer &lexer, Window &window) {
  const char *start = lexer.position();
  std::string_view part = lexer.word();
  if (!lexer.expect('='))
    return false;
  for (auto [name, set] : windowParts)
    if (name == part)
      return parseTimes(lexer, [&, set = set](int i) {
        int64_t number;
        if (!lexer.integer(number, "a size"))
          return false;
        (windowDimension(window, i).*set)(number);
        return true;
      });
  if (part == "rhs_reversal")
    return parseTimes(lexer, [&](int i) {
      bool reversed;
      if (!lexer.boolean(reversed))
        return false;
      windowDimension(window, i).set_window_reversal(reversed);
      return true;
    });
  if (part == "pad")
    return parseTimes(lexer, [&](int i) {
      int64_t low, high;
      if (!lexer.integer(low, "a padding") || !lexer.expect('_') ||
          !lexer.integer(high, "a padding"))
        return false;
      windowDimension(window, i).set_padding_low(low);
      windowDimension(window, i).set_padding_high(high);
      return true;
    });
  lexer.moveTo(start);
  return lexer.failExpected(
      "'size', 'stride', 'pad', 'lhs_dilate', 'rhs_dilate' or 'rhs_reversal'");
}

bool readWindow(AttributeReader &reader) {
  Window &window = *reader.instruction.mutable_window();
  if (!reader.lexer.expect('{'))
    return false;
  while (!reader.lexer.consume('}'))
    if (!parseWindowPart(reader.lexer, window))
      return false;
  return true;
}

bool readPadding(AttributeReader &reader) {
  PaddingConfig &padding = *reader.instruction.mutable_padding_config();
  Lexer &lexer = reader.lexer;
  char next = lexer.peek();
  if (next != '-' && !absl::ascii_isdigit(next)) // Of a scalar.
    return true;
  return parseTimes(lexer, [&](int) {
    auto &dim = *padding.add_dimensions();
    int64_t low, high, interior = 0;
    if (!lexer.integer(low, "a padding") || !lexer.expect('_') || !lexer.integer(high, "a padding"))
      return false;
    if (lexer.consume('_') && !lexer.integer(interior, "a padding"))
      return false;
    dim.set_edge_padding_low(low);
    dim.set_edge_padding_high(high);
    dim.set_interior_padding(interior);
    return true;
  });
}

bool readSlice(AttributeReader &reader) {
  Lexer &lexer = reader.lexer;
  return parseList(lexer, '{', '}', [&] {
    int64_t start, limit, stride = 1;
    if (!lexer.expect('[') || !lexer.integer(start, "where the slice starts") ||
        !lexer.expect(':') || !lexer.integer(limit, "where the slice ends"))
      return false;
    if (lexer.consume(':') && !lexer.integer(stride, "the stride of the slice"))
      return false;
    auto &slice = *reader.instruction.add_slice_dimensions();
    slice.set_start(start);
    slice.set_limit(limit);
    slice.set_stride(stride);
    return lexer.expect(']');
  });
}

//===- Convolutions and dots ------------------------------------------------===//

namespace {
/// The dims of one operand or the result of a convolution: two with a letter, the spatial ones by
/// number.
struct DimLabels {
  int64_t first = 0, second = 0;
  std::vector<int64_t> spatial;
};
} // namespace

/// Splits `b01f` into the dims of `first`, `second` and 0, 1, ..; `?` is a dim without a role.
static bool splitLabels(std::string_view labels, char first, char second, DimLabels &dims) {
  bool seenFirst = false, seenSecond = false;
  dims.spatial.assign(labels.size(), -1);
  for (size_t dim = 0; dim < labels.size(); ++dim) {
    char label = labels[dim];
    if (label == first && !seenFirst) {
      seenFirst = true;
      dims.first = static_cast<int64_t>(dim);
    } else if (label == second && !seenSecond) {
      seenSecond = true;
      dims.second = static_cast<int64_t>(dim);
    } else if (absl::ascii_isdigit(label)) {
      size_t index = label - '0';
      if (index >= dims.spatial.size() || dims.spatial[index] >= 0)
        return false;
      dims.spatial[index] = static_cast<int64_t>(dim);
    } else if (label != '?') {
      return false;
    }
  }
  while (!dims.spatial.empty() && dims.spatial.back() < 0)
    dims.spatial.pop_back();
  bool dense = std::find(dims.spatial.begin(), dims.spatial.end(), -1) == dims.spatial.end();
  return seenFirst && seenSecond && dense;
}

bool readDimLabels(AttributeReader &reader) {
  const char *start = reader.lexer.position();
  std::string_view value;
  if (!reader.lexer.value(value))
    return false;
  size_t underscore = value.find('_'), arrow = value.find("->");
  DimLabels input, kernel, output;
  bool good = underscore != std::string_view::npos && arrow != std::string_view::npos &&
              underscore < arrow && splitLabels(value.substr(0, underscore), 'b', 'f', input) &&
              splitLabels(value.substr(underscore + 1, arrow - underscore - 1), 'i', 'o', kernel) &&
              splitLabels(value.substr(arrow + 2), 'b', 'f', output) &&
              input.spatial.size() == kernel.spatial.size() &&
              input.spatial.size() == output.spatial.size();
  if (!good)
    return reader.lexer.failAt(start,
                               "expected the dims of a convolution, such as b01f_01io->b01f");
  ConvolutionDimensionNumbers &numbers =
      *reader.instruction.mutable_convolution_dimension_numbers();
  numbers.set_input_batch_dimension(input.first);
  numbers.set_input_feature_dimension(input.second);
  numbers.set_kernel_input_feature_dimension(kernel.first);
  numbers.set_kernel_output_feature_dimension(kernel.second);
  numbers.set_output_batch_dimension(output.first);
  numbers.set_output_feature_dimension(output.second);
  for (size_t i = 0; i < input.spatial.size(); ++i) {
    numbers.add_input_spatial_dimensions(input.spatial[i]);
    numbers.add_kernel_spatial_dimensions(kernel.spatial[i]);
    numbers.add_output_spatial_dimensions(output.spatial[i]);
  }
  return true;
}

bool readPrecision(AttributeReader &reader) {
  PrecisionConfig &config = *reader.instruction.mutable_precision_config();
  return parseField(reader.lexer, config,
                    config.GetDescriptor()->FindFieldByName("operand_precision"), Spelling::Lower);
}

bool readAlgorithm(AttributeReader &reader) {
  const char *start = reader.lexer.position();
  std::string name = absl::StrCat("ALG_", absl::AsciiStrToUpper(std::string(reader.lexer.word())));
  PrecisionConfig::Algorithm algorithm;
  if (!PrecisionConfig::Algorithm_Parse(name, &algorithm)) {
    reader.lexer.moveTo(start);
    return reader.lexer.failExpected("an algorithm, such as dot_bf16_bf16_f32");
  }
  reader.instruction.mutable_precision_config()->set_algorithm(algorithm);
  return true;
}

/// Reads `L.1@2:4`: dim 1 of the left operand holds at most 2 of every 4 elements.
bool readSparsity(AttributeReader &reader) {
  Lexer &lexer = reader.lexer;
  do {
    SparsityDescriptor &descriptor = *reader.instruction.add_dot_sparsity();
    bool right = lexer.consume('R');
    if (!right && !lexer.expect('L'))
      return false;
    int64_t dim, n, m;
    if (!lexer.expect('.') || !lexer.integer(dim, "a dim") || !lexer.expect('@') ||
        !lexer.integer(n, "a number of elements") || !lexer.expect(':') ||
        !lexer.integer(m, "a number of elements"))
      return false;
    descriptor.set_type(SPARSITY_STRUCTURED_N_M);
    descriptor.set_index(right);
    descriptor.set_dimension(static_cast<int32_t>(dim));
    descriptor.set_n(static_cast<int32_t>(n));
    descriptor.set_m(static_cast<int32_t>(m));
  } while (lexer.consume('_'));
  return true;
}

bool readAccuracy(AttributeReader &reader) {
  Lexer &lexer = reader.lexer;
  ResultAccuracy &accuracy = *reader.instruction.mutable_result_accuracy();
  if (!lexer.expect('{'))
    return false;
  if (lexer.consumeWord("tolerance"))
    return lexer.expect('=') && parseFields(lexer, *accuracy.mutable_tolerance()) &&
           lexer.expect('}');
  if (!lexer.consumeWord("mode"))
    return lexer.failExpected("'mode' or 'tolerance'");
  return lexer.expect('=') &&
         parseField(lexer, accuracy, accuracy.GetDescriptor()->FindFieldByName("mode"),
                    Spelling::Lower) &&
         lexer.expect('}');
}

/// Types say the order, too: XLA writes one or the other.
static bool isOnlyComparison(AttributeReader &reader, const char *start) {
  const HloInstructionProto &instruction = reader.instruction;
  return instruction.comparison_type().empty() || instruction.comparison_order().empty() ||
         reader.lexer.failAt(start, "'compare' has both a 'type' and an 'order'; write one");
}

bool readComparisonType(AttributeReader &reader) {
  const char *start = reader.lexer.position();
  reader.instruction.set_comparison_type(std::string(reader.lexer.word()));
  return isOnlyComparison(reader, start);
}

bool readComparisonOrder(AttributeReader &reader) {
  const char *start = reader.lexer.position();
  std::string_view order = reader.lexer.word();
  if (order != "PARTIAL" && order != "TOTAL")
    return reader.lexer.failAt(start, "expected 'PARTIAL' or 'TOTAL'");
  reader.instruction.set_comparison_order(std::string(order));
  return isOnlyComparison(reader, start);
}

//===- Collectives and shardings --------------------------------------------===//

bool readSourceTargetPairs(AttributeReader &reader) {
  Lexer &lexer = reader.lexer;
  return parseList(lexer, '{', '}', [&] {
    int64_t source, target;
    if (!lexer.expect('{') || !lexer.integer(source, "a device") || !lexer.expect(',') ||
        !lexer.integer(target, "a device") || !lexer.expect('}'))
      return false;
    SourceTarget &pair = *reader.instruction.add_source_target_pairs();
    pair.set_source(source);
    pair.set_target(target);
    return true;
  });
}

bool readGroups(AttributeReader &reader) {
  return parseReplicaGroups(reader.lexer, reader.instruction);
}

bool readShardingAttribute(AttributeReader &reader) {
  return parseSharding(reader.lexer, *reader.instruction.mutable_sharding());
}

bool readDomain(AttributeReader &reader) {
  Lexer &lexer = reader.lexer;
  std::string kind;
  if (!lexer.expect('{') || !lexer.consumeWord("kind") || !lexer.expect('=') ||
      !lexer.quoted(kind) || !lexer.expect(',') || !lexer.consumeWord("entry") ||
      !lexer.expect('=') ||
      !parseSharding(lexer, *reader.instruction.mutable_domain_entry_sharding()) ||
      !lexer.expect(',') || !lexer.consumeWord("exit") || !lexer.expect('=') ||
      !parseSharding(lexer, *reader.instruction.mutable_domain_exit_sharding()) ||
      !lexer.expect('}'))
    return lexer.failExpected("{kind=\"sharding\", entry={..}, exit={..}}");
  return true;
}

//===- Calls ----------------------------------------------------------------===//

bool readOperandLayouts(AttributeReader &reader) {
  reader.instruction.set_constrain_layout(true);
  return parseList(reader.lexer, '{', '}', [&] {
    return parseShape(reader.lexer, *reader.instruction.add_operand_shapes_with_layout());
  });
}

bool readAliasing(AttributeReader &reader) {
  Lexer &lexer = reader.lexer;
  return parseList(lexer, '{', '}', [&] {
    OutputOperandAliasing &alias = *reader.instruction.add_output_operand_aliasing();
    int64_t operand;
    if (!parseIntegers(lexer, '{', '}', *alias.mutable_output_shape_index(),
                       "an index of the result") ||
        !lexer.expect(':') || !lexer.expect('(') || !lexer.integer(operand, "an operand") ||
        !lexer.expect(','))
      return false;
    alias.set_operand_index(operand);
    return parseIntegers(lexer, '{', '}', *alias.mutable_operand_shape_index(),
                         "an index of the operand") &&
           lexer.expect(')');
  });
}

bool readOutfeedShape(AttributeReader &reader) {
  return parseShape(reader.lexer, *reader.instruction.mutable_outfeed_shape());
}

bool readCalledList(AttributeReader &reader) {
  int slot = 0;
  return parseList(reader.lexer, '{', '}', [&] {
    return readComputation(reader.lexer, reader.called.emplace_back(Reference{{}, slot++}).name);
  });
}

bool readControlPredecessors(AttributeReader &reader) {
  int slot = 0;
  return parseList(reader.lexer, '{', '}', [&] {
    return reader.lexer.name(reader.predecessors.emplace_back(Reference{{}, slot++}).name,
                             "an instruction");
  });
}

//===- Notes ----------------------------------------------------------------===//

bool readMetadata(AttributeReader &reader) {
  return parseFields(reader.lexer, *reader.instruction.mutable_metadata());
}

bool parseFrontendAttributes(Lexer &lexer, FrontendAttributes &attributes) {
  return parseList(lexer, '{', '}', [&] {
    std::string name(lexer.word());
    if (name.empty())
      return lexer.failExpected("the name of an attribute");
    std::string &value = (*attributes.mutable_map())[name];
    if (!lexer.expect('='))
      return false;
    if (lexer.peek() != '{')
      return lexer.quoted(value);
    std::string_view text;
    bool read = lexer.braced(text);
    value = text;
    return read;
  });
}

bool readFrontendAttributes(AttributeReader &reader) {
  return parseFrontendAttributes(reader.lexer, *reader.instruction.mutable_frontend_attributes());
}

bool readBackendConfig(AttributeReader &reader) {
  if (reader.lexer.peek() != '{')
    return reader.lexer.quoted(*reader.instruction.mutable_backend_config(), /*isBytes=*/true);
  std::string_view text;
  bool read = reader.lexer.braced(text);
  reader.instruction.set_backend_config(std::string(text));
  return read;
}

} // namespace spmd::hlo
