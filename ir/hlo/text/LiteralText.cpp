// Literals: `{ { 1, 2 }, { 3, 4 } }`, `(1, -2)`, `nan(0x1)`, `{...}`.

#include "spmd/ir/hlo/LiteralData.h"
#include "spmd/ir/hlo/PrimitiveTypes.h"
#include "spmd/ir/hlo/text/ShapeText.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace spmd::hlo {

//===- Numbers --------------------------------------------------------------===//

/// Sets the payload of a NaN from `nan(0x1f)`.
template <typename Float, typename Bits>
static bool parseNan(std::string_view token, Float &result) {
  size_t open = token.find('(');
  if (open == std::string_view::npos)
    return true;
  if (token.substr(open, 3) != "(0x" || token.back() != ')')
    return false;
  Bits payload = 0, bits;
  const char *start = token.data() + open + 3, *end = token.data() + token.size() - 1;
  auto [rest, error] = std::from_chars(start, end, payload, 16);
  constexpr Bits mantissa = (Bits(1) << (std::numeric_limits<Float>::digits - 1)) - 1;
  if (error != std::errc() || rest != end || payload == 0 || payload > mantissa)
    return false;
  std::memcpy(&bits, &result, sizeof(bits));
  bits = (bits & ~mantissa) | payload;
  std::memcpy(&result, &bits, sizeof(bits));
  return true;
}

template <typename Float, typename Bits> static bool parseFloat(Lexer &lexer, Float &result) {
  const char *start = lexer.position();
  std::string_view token = lexer.number();
  if (token.empty()) {
    lexer.moveTo(start);
    return lexer.failExpected("a number");
  }
  std::string_view digits = token.front() == '+' ? token.substr(1) : token;
  bool negative = token.front() == '-';
  std::string_view magnitude = negative ? token.substr(1) : digits;
  if (magnitude.substr(0, 3) == "nan") {
    result =
        std::copysign(std::numeric_limits<Float>::quiet_NaN(), negative ? Float(-1) : Float(1));
    return parseNan<Float, Bits>(token, result) ||
           lexer.failAt(start,
                        "the payload of a NaN is not a number such as 0x1 that fits its mantissa");
  }
  auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result);
  if (error == std::errc::result_out_of_range) {
    // What is too small rounds to zero; what is too large is no number of the type.
    double wide = std::strtod(std::string(digits).c_str(), nullptr);
    result = static_cast<Float>(wide);
    return std::fabs(wide) < 1 || lexer.failAt(start, "the number is too large for its type");
  }
  if (error != std::errc() || rest != digits.data() + digits.size()) {
    lexer.moveTo(start);
    return lexer.failExpected("a number");
  }
  return true;
}

template <typename Float, typename Bits>
static void printRoundTrip(Float value, std::string &text) {
  if (std::isnan(value)) {
    Bits bits;
    std::memcpy(&bits, &value, sizeof(bits));
    constexpr Bits mantissa = (Bits(1) << (std::numeric_limits<Float>::digits - 1)) - 1;
    constexpr Bits quiet = (mantissa >> 1) + 1;
    text += std::signbit(value) ? "-nan" : "nan";
    if ((bits & mantissa) != quiet)
      absl::StrAppendFormat(&text, "(0x%x)", bits & mantissa);
    return;
  }
  if (std::isinf(value)) {
    text += value < 0 ? "-inf" : "inf";
    return;
  }
  // The customary form: as many digits as always survive, more only where they are needed.
  char buffer[40];
  int length = std::snprintf(buffer, sizeof(buffer), "%.*g", std::numeric_limits<Float>::digits10,
                             static_cast<double>(value));
  Float again = 0;
  std::from_chars(buffer, buffer + length, again);
  if (again != value)
    length = std::snprintf(buffer, sizeof(buffer), "%.*g", std::numeric_limits<Float>::max_digits10,
                           static_cast<double>(value));
  text.append(buffer, length);
}

void printFloat(float value, std::string &text) { printRoundTrip<float, uint32_t>(value, text); }
void printFloat(double value, std::string &text) { printRoundTrip<double, uint64_t>(value, text); }

/// Appends a number of a type with fewer than 32 bits.
static void printSmallFloat(const FloatFormat &format, uint32_t bits, std::string &text) {
  double value = decodeFloat(format, bits);
  if (std::isnan(value)) {
    text += std::signbit(value) ? "-nan" : "nan";
    uint32_t payload = bits & ((1u << format.mantissaBits) - 1);
    uint32_t quiet = format.mantissaBits ? 1u << (format.mantissaBits - 1) : 0;
    if (format.special == FloatFormat::Ieee && payload != quiet)
      absl::StrAppendFormat(&text, "(0x%x)", payload);
    return;
  }
  // Enough digits for the mantissa with its hidden bit.
  int digits = static_cast<int>(std::ceil(1 + (format.mantissaBits + 1) * 0.30103));
  absl::StrAppendFormat(&text, "%.*g", digits, value);
}

//===- Parsing --------------------------------------------------------------===//

namespace {
/// Reads one element after the other into the field of its type.
class LiteralParser {
public:
  LiteralParser(Lexer &lexer, const ShapeProto &shape, LiteralProto &literal)
      : lexer(lexer), shape(shape), info(*findPrimitiveType(shape.element_type())),
        literal(literal) {
    const ByteField *field = findByteField(info.type);
    bytes = field ? (literal.*field->mutableData)() : nullptr;
    bytesPerElement = field ? field->bytes : 0;
  }

  bool parse() {
    if (!bytes && info.bits < 8)
      return lexer.fail(absl::StrCat("constants of type ",
                                     absl::string_view(info.name.data(), info.name.size()),
                                     " are not supported"));
    elided = lexer.consume(std::string_view("{...}"));
    bool read = elided || parseDim(0);
    if (read && elided)
      clear();
    return read;
  }

private:
  bool parseDim(int dim) {
    if (dim == shape.dimensions_size())
      return parseElement();
    Lexer::Nesting nesting(lexer);
    if (!nesting.check() || !lexer.expect('{'))
      return false;
    if (lexer.consume(std::string_view("..."))) {
      elided = true;
      return lexer.expect('}');
    }
    int64_t count = 0;
    for (; lexer.peek() != '}'; ++count) {
      if (count && !lexer.expect(','))
        return false;
      if (count == shape.dimensions(dim))
        break;
      if (!parseDim(dim + 1))
        return false;
    }
    if (lexer.peek() == '}' && count == shape.dimensions(dim))
      return lexer.expect('}');
    return lexer.fail(absl::StrCat("the literal has ", lexer.peek() == '}' ? "fewer" : "more",
                                   " than ", shape.dimensions(dim), " elements in dim ", dim));
  }

  void push(uint64_t bits) {
    for (int i = 0; i < bytesPerElement; ++i)
      bytes->push_back(static_cast<char>(bits >> (8 * i)));
  }

  bool parseElement() {
    switch (info.kind) {
    case ElementKind::Bool: {
      bool value = false;
      bool read = lexer.boolean(value);
      literal.add_preds(value);
      return read;
    }
    case ElementKind::Signed:
    case ElementKind::Unsigned:
      return parseInteger();
    case ElementKind::Float:
      return info.bits >= 32 ? parseWideFloat() : parseSmallFloat();
    case ElementKind::Complex:
      return parseComplex();
    case ElementKind::None:
      break;
    }
    return lexer.fail("constants of this type are not supported");
  }

  bool parseInteger() {
    // JAX and XLA write integers of one bit, and the like, also as booleans.
    const char *start = lexer.position();
    std::string_view token = lexer.number();
    if (token.empty()) {
      bool value = false;
      if (!lexer.boolean(value))
        return false;
      token = value ? "1" : "0";
    }
    bool isSigned = info.kind == ElementKind::Signed;
    int64_t number = 0;
    uint64_t natural = 0;
    const char *end = token.end();
    auto [rest, error] = isSigned ? std::from_chars(token.begin(), end, number)
                                  : std::from_chars(token.begin(), end, natural);
    if (isSigned)
      natural = static_cast<uint64_t>(number);
    if (error == std::errc::invalid_argument || rest != end) {
      lexer.moveTo(start);
      return lexer.failExpected("an integer");
    }
    int spare = 64 - info.bits;
    bool fits = isSigned ? static_cast<int64_t>(natural << spare) >> spare == number
                         : (natural << spare) >> spare == natural;
    if (error != std::errc() || !fits)
      return lexer.failAt(start, absl::StrCat("the integer does not fit ", info.bits, " bits"));
    store(natural);
    return true;
  }

  void store(uint64_t value) {
    switch (info.type) {
    case S32:
      return literal.add_s32s(static_cast<int32_t>(value));
    case S64:
      return literal.add_s64s(static_cast<int64_t>(value));
    case U32:
      return literal.add_u32s(static_cast<uint32_t>(value));
    case U64:
      return literal.add_u64s(value);
    default:
      return push(value);
    }
  }

  bool parseWideFloat() {
    if (info.type == F64) {
      double value = 0;
      bool read = parseFloat<double, uint64_t>(lexer, value);
      literal.add_f64s(value);
      return read;
    }
    float value = 0;
    bool read = parseFloat<float, uint32_t>(lexer, value);
    literal.add_f32s(value);
    return read;
  }

  bool parseSmallFloat() {
    const char *start = lexer.position();
    std::string_view token = lexer.number();
    size_t payloadAt = token.find("(0x");
    if (payloadAt != std::string_view::npos && info.format.special == FloatFormat::Ieee)
      return parseSmallNan(start, token, payloadAt);
    lexer.moveTo(start);
    double value = 0;
    if (!parseFloat<double, uint64_t>(lexer, value))
      return false;
    push(encodeFloat(info.format, value));
    return true;
  }

  bool parseSmallNan(const char *start, std::string_view token, size_t payloadAt) {
    uint32_t payload = 0, most = (1u << info.format.mantissaBits) - 1;
    std::from_chars(token.data() + payloadAt + 3, token.data() + token.size(), payload, 16);
    if (payload == 0 || payload > most)
      return lexer.failAt(
          start, "the payload of a NaN is not a number such as 0x1 that fits its mantissa");
    uint32_t bits = encodeFloat(info.format, token.front() == '-' ? -NAN : NAN);
    push((bits & ~most) | payload);
    return true;
  }

  bool parseComplex() {
    if (!lexer.expect('('))
      return false;
    for (char after : {',', ')'}) {
      if (info.type == C128) {
        double part = 0;
        if (!parseFloat<double, uint64_t>(lexer, part))
          return false;
        literal.add_c128s(part);
      } else {
        float part = 0;
        if (!parseFloat<float, uint32_t>(lexer, part))
          return false;
        literal.add_c64s(part);
      }
      if (!lexer.expect(after))
        return false;
    }
    return true;
  }

  void clear() {
    ShapeProto kept = literal.shape();
    literal.Clear();
    *literal.mutable_shape() = std::move(kept);
  }

  Lexer &lexer;
  const ShapeProto &shape;
  const PrimitiveTypeInfo &info;
  LiteralProto &literal;
  std::string *bytes;
  int bytesPerElement;
  bool elided = false;
};
} // namespace

static bool parseTupleLiteral(Lexer &lexer, const ShapeProto &shape, LiteralProto &literal) {
  Lexer::Nesting nesting(lexer);
  if (!nesting.check() || !lexer.expect('('))
    return false;
  for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
    if (i && !lexer.expect(','))
      return false;
    if (!parseLiteral(lexer, shape.tuple_shapes(i), *literal.add_tuple_literals()))
      return false;
  }
  return lexer.expect(')');
}

bool parseLiteral(Lexer &lexer, const ShapeProto &shape, LiteralProto &literal) {
  // Old releases repeat the shape before the elements.
  const char *start = lexer.position();
  std::string_view word = lexer.word();
  bool hasShape = !word.empty() && lexer.peek() == '[' && findPrimitiveType(word);
  lexer.moveTo(start);
  if (ShapeProto ignored; hasShape && !parseShape(lexer, ignored))
    return false;

  *literal.mutable_shape() = shape;
  if (shape.element_type() == TUPLE)
    return parseTupleLiteral(lexer, shape, literal);
  if (shape.element_type() == TOKEN || shape.element_type() == OPAQUE_TYPE)
    return true;
  // The elements are kept in the order in which they are written.
  if (shape.has_layout() && !shape.dimensions().empty()) {
    auto &layout = *literal.mutable_shape()->mutable_layout();
    layout.clear_minor_to_major();
    for (int dim = shape.dimensions_size() - 1; dim >= 0; --dim)
      layout.add_minor_to_major(dim);
  }
  const PrimitiveTypeInfo *info = findPrimitiveType(shape.element_type());
  if (!info)
    return lexer.fail("the literal has no element type");
  return LiteralParser(lexer, shape, literal).parse();
}

//===- Printing -------------------------------------------------------------===//

namespace {
class LiteralPrinter {
public:
  LiteralPrinter(const LiteralProto &literal, std::string &text)
      : literal(literal), info(*findPrimitiveType(literal.shape().element_type())),
        field(findByteField(info.type)), order(rowMajorOrder(literal.shape())), text(text) {}

  void print() { printDim(0); }

private:
  void printDim(int dim) {
    const ShapeProto &shape = literal.shape();
    if (dim == shape.dimensions_size())
      return printElement(order.empty() ? next++ : order[next++]);
    // The innermost list of several hugs its braces less than a lone one.
    bool spaces = shape.dimensions_size() > 1 && shape.dimensions(dim) > 0;
    text += spaces ? "{ " : "{";
    for (int64_t i = 0; i < shape.dimensions(dim); ++i) {
      text += i ? ", " : "";
      printDim(dim + 1);
    }
    text += spaces ? " }" : "}";
  }

  void printElement(int64_t index) {
    switch (info.type) {
    case PRED:
      text += literal.preds(index) ? (literal.shape().dimensions().empty() ? "true" : "1")
                                   : (literal.shape().dimensions().empty() ? "false" : "0");
      return;
    case S32:
      return absl::StrAppend(&text, literal.s32s(index));
    case S64:
      return absl::StrAppend(&text, literal.s64s(index));
    case U32:
      return absl::StrAppend(&text, literal.u32s(index));
    case U64:
      return absl::StrAppend(&text, literal.u64s(index));
    case F32:
      return printFloat(literal.f32s(index), text);
    case F64:
      return printFloat(literal.f64s(index), text);
    case C64:
      return printComplex(literal.c64s(2 * index), literal.c64s(2 * index + 1));
    case C128:
      return printComplex(literal.c128s(2 * index), literal.c128s(2 * index + 1));
    default:
      return printBytes(index);
    }
  }

  template <typename Float> void printComplex(Float real, Float imaginary) {
    text += '(';
    printFloat(real, text);
    text += ", ";
    printFloat(imaginary, text);
    text += ')';
  }

  void printBytes(int64_t index) {
    const std::string &data = (literal.*field->data)();
    uint32_t bits = static_cast<uint8_t>(data[index * field->bytes]);
    if (field->bytes == 2)
      bits |= static_cast<uint32_t>(static_cast<uint8_t>(data[index * 2 + 1])) << 8;
    int spare = 32 - info.bits;
    if (info.kind == ElementKind::Float)
      printSmallFloat(info.format, bits, text);
    else if (info.kind == ElementKind::Signed)
      absl::StrAppend(&text, static_cast<int32_t>(bits << spare) >> spare);
    else
      absl::StrAppend(&text, (bits << spare) >> spare);
  }

  const LiteralProto &literal;
  const PrimitiveTypeInfo &info;
  const ByteField *field;
  std::vector<int64_t> order;
  int64_t next = 0;
  std::string &text;
};
} // namespace

/// Returns whether the layout of an array is a permutation of its dims, or absent.
static bool hasUsableLayout(const ShapeProto &shape) {
  const auto &minorToMajor = shape.layout().minor_to_major();
  std::vector<bool> seen(shape.dimensions_size());
  if (minorToMajor.size() != shape.dimensions_size())
    return true; // It is then ignored.
  for (int64_t dim : minorToMajor) {
    if (dim < 0 || dim >= shape.dimensions_size() || seen[dim])
      return false;
    seen[dim] = true;
  }
  return true;
}

/// How many braces an array without elements is worth.
static constexpr int64_t mostEmptyRows = 100000;

/// Returns how many empty rows an array without elements is written with, 0 for one with elements.
static int64_t countRows(const ShapeProto &shape) {
  int64_t rows = 1;
  for (int64_t dim : shape.dimensions()) {
    if (dim == 0)
      return rows;
    rows = std::min(rows, mostEmptyRows + 1) * std::min(dim, mostEmptyRows + 1);
  }
  return 0;
}

void printLiteral(const LiteralProto &literal, int64_t mostElements, std::string &text) {
  const ShapeProto &shape = literal.shape();
  if (shape.element_type() == TUPLE) {
    text += '(';
    for (int i = 0; i < literal.tuple_literals_size(); ++i) {
      text += i ? ", " : "";
      printLiteral(literal.tuple_literals(i), mostElements, text);
    }
    text += ')';
    return;
  }
  const PrimitiveTypeInfo *info = findPrimitiveType(shape.element_type());
  int64_t count = countElements(shape);
  bool complete = info && info->kind != ElementKind::None && count >= 0 &&
                  count == countStored(literal) && hasUsableLayout(shape);
  if (!complete || (mostElements >= 0 && count > mostElements) ||
      countRows(shape) > mostEmptyRows) {
    text += "{...}";
    return;
  }
  LiteralPrinter(literal, text).print();
}

} // namespace spmd::hlo
