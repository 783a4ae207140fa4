// Shapes and layouts: `f32[2,<=4]{1,0:T(8,128)S(1)}`.

#include "spmd/ir/hlo/text/ShapeText.h"
#include "spmd/ir/hlo/PrimitiveTypes.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include <limits>

namespace spmd::hlo {

/// The size of a dim without bound, `?`, and of a tile that takes the dim as it is, `*`.
static constexpr int64_t unbounded = std::numeric_limits<int64_t>::min();

//===- Layouts --------------------------------------------------------------===//

static constexpr struct {
  char letter;
  DimLevelType type;
} levelTypes[] = {
    {'D', DIM_DENSE}, {'C', DIM_COMPRESSED}, {'S', DIM_SINGLETON}, {'H', DIM_LOOSE_COMPRESSED}};

static bool parseLevels(Lexer &lexer, LayoutProto &layout) {
  return parseList(lexer, '(', ')', [&] {
    for (auto [letter, type] : levelTypes) {
      if (!lexer.consume(letter))
        continue;
      layout.add_dim_level_types(type);
      layout.add_dim_unique(!lexer.consume('+'));
      layout.add_dim_ordered(!lexer.consume('~'));
      return true;
    }
    return lexer.failExpected("'D', 'C', 'S' or 'H', how a dim is stored");
  });
}

static bool parseTiles(Lexer &lexer, LayoutProto &layout) {
  while (lexer.peek() == '(') {
    TileProto &tile = *layout.add_tiles();
    bool read = parseList(lexer, '(', ')', [&] {
      int64_t size = unbounded;
      if (!lexer.consume('*') && !lexer.integer(size, "the size of a tile"))
        return false;
      tile.add_dimensions(size);
      return true;
    });
    if (!read)
      return false;
  }
  return true;
}

static bool parseSplits(Lexer &lexer, LayoutProto &layout) {
  while (lexer.consume('(')) {
    SplitConfigProto &split = *layout.add_split_configs();
    int64_t number;
    if (!lexer.integer(number, "a dim") || !lexer.expect(':'))
      return false;
    split.set_dimension(number);
    do {
      if (!lexer.integer(number, "where the dim is split"))
        return false;
      split.add_split_indices(number);
    } while (lexer.consume(','));
    if (!lexer.expect(')'))
      return false;
  }
  return true;
}

static bool parseInParentheses(Lexer &lexer, int64_t &number, const char *what) {
  return lexer.expect('(') && lexer.integer(number, what) && lexer.expect(')');
}

static bool parseTypeInParentheses(Lexer &lexer, PrimitiveType &type) {
  if (!lexer.expect('('))
    return false;
  const PrimitiveTypeInfo *info = findPrimitiveType(lexer.word());
  if (!info)
    return lexer.failExpected("an element type");
  type = info->type;
  return lexer.expect(')');
}

/// Reads one item behind the colon of a layout: `T(8,128)`, `S(1)`.
static bool parseLayoutItem(Lexer &lexer, LayoutProto &layout) {
  int64_t number = 0;
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;
  if (lexer.consume("SC"))
    return parseSplits(lexer, layout);
  if (lexer.consume('D'))
    return parseLevels(lexer, layout);
  if (lexer.consume('T'))
    return parseTiles(lexer, layout);
  if (lexer.consume('L')) {
    bool read = parseInParentheses(lexer, number, "the alignment of the tail");
    if (number != 1) // 1 and 0 mean the same.
      layout.set_tail_padding_alignment_in_elements(number);
    return read;
  }
  if (lexer.consume('#')) {
    bool read = parseTypeInParentheses(lexer, type);
    layout.set_index_primitive_type(type);
    return read;
  }
  if (lexer.consume('*')) {
    bool read = parseTypeInParentheses(lexer, type);
    layout.set_pointer_primitive_type(type);
    return read;
  }
  if (lexer.consume('E')) {
    bool read = parseInParentheses(lexer, number, "the bits of an element");
    layout.set_element_size_in_bits(number);
    return read;
  }
  if (lexer.consume('S')) {
    bool read = parseInParentheses(lexer, number, "a memory space");
    layout.set_memory_space(number);
    return read;
  }
  if (lexer.consume('M')) {
    bool read = parseInParentheses(lexer, number, "the bytes of the prefix");
    layout.set_dynamic_shape_metadata_prefix_bytes(number);
    return read;
  }
  if (lexer.consume('P'))
    return lexer.expect('(') && parseShape(lexer, *layout.mutable_physical_shape()) &&
           lexer.expect(')');
  return lexer.failExpected("an item of a layout, such as T(8,128) or S(1)");
}

static bool parseLayout(Lexer &lexer, LayoutProto &layout) {
  if (!lexer.expect('{'))
    return false;
  while (lexer.peek() != ':' && lexer.peek() != '}') {
    int64_t dim;
    if (!lexer.integer(dim, "a dim of the layout"))
      return false;
    layout.add_minor_to_major(dim);
    if (!lexer.consume(','))
      break;
  }
  if (lexer.consume(':'))
    while (lexer.peek() != '}')
      if (!parseLayoutItem(lexer, layout))
        return false;
  return lexer.expect('}');
}

//===- Shapes ---------------------------------------------------------------===//

static bool parseDims(Lexer &lexer, ShapeProto &shape) {
  bool anyDynamic = false;
  bool read = parseList(lexer, '[', ']', [&] {
    bool isDynamic = true;
    int64_t size = unbounded;
    if (!lexer.consume('?')) {
      isDynamic = lexer.consume("<=");
      if (!lexer.integer(size, "the size of a dim"))
        return false;
      if (size < 0)
        return lexer.fail(absl::StrCat("the size of a dim is negative: ", size));
    }
    shape.add_dimensions(size);
    shape.add_is_dynamic_dimension(isDynamic);
    anyDynamic |= isDynamic;
    return true;
  });
  if (!anyDynamic)
    shape.clear_is_dynamic_dimension();
  return read;
}

/// Returns whether a layout follows, and not the body of a computation whose result the shape is.
static bool isLayoutNext(Lexer &lexer) {
  const char *start = lexer.position();
  if (!lexer.consume('{'))
    return false;
  char next = lexer.peek();
  lexer.moveTo(start);
  return next == ':' || next == '}' || (next >= '0' && next <= '9');
}

bool parseShape(Lexer &lexer, ShapeProto &shape) {
  Lexer::Nesting nesting(lexer);
  if (!nesting.check())
    return false;
  if (lexer.peek() == '(') {
    shape.set_element_type(TUPLE);
    return parseList(lexer, '(', ')', [&] { return parseShape(lexer, *shape.add_tuple_shapes()); });
  }
  const char *start = lexer.position();
  const PrimitiveTypeInfo *info = findPrimitiveType(lexer.word());
  if (!info || info->type == TUPLE) {
    lexer.moveTo(start);
    return lexer.failExpected("a shape");
  }
  shape.set_element_type(info->type);
  if (info->type == BUFFER)
    return lexer.expect('(') && parseShape(lexer, *shape.add_tuple_shapes()) && lexer.expect(')');
  if (!parseDims(lexer, shape))
    return false;
  if (isLayoutNext(lexer) && !parseLayout(lexer, *shape.mutable_layout()))
    return false;
  if (shape.has_layout() && shape.layout().ByteSizeLong() == 0) // `{}` says nothing.
    shape.clear_layout();
  return true;
}

//===- Printing -------------------------------------------------------------===//

static void printTile(const TileProto &tile, std::string &text) {
  const char *separator = "(";
  for (int64_t size : tile.dimensions()) {
    text += separator;
    if (size == unbounded)
      text += '*';
    else
      absl::StrAppend(&text, size);
    separator = ",";
  }
  text += tile.dimensions().empty() ? "()" : ")";
}

static void printLevels(const LayoutProto &layout, std::string &text) {
  text += "D(";
  for (int i = 0; i < layout.dim_level_types_size(); ++i) {
    text += i ? "," : "";
    for (auto [letter, type] : levelTypes)
      if (type == layout.dim_level_types(i))
        text += letter;
    text += i < layout.dim_unique_size() && !layout.dim_unique(i) ? "+" : "";
    text += i < layout.dim_ordered_size() && !layout.dim_ordered(i) ? "~" : "";
  }
  text += ")";
}

static void printTypeItem(const char *key, PrimitiveType type, std::string &text) {
  if (const PrimitiveTypeInfo *info = findPrimitiveType(type))
    absl::StrAppend(&text, key, "(", absl::string_view(info->name.data(), info->name.size()), ")");
}

static void printNumberItem(const char *key, int64_t number, std::string &text) {
  if (number != 0)
    absl::StrAppend(&text, key, "(", number, ")");
}

/// Appends what stands behind the colon of a layout.
static void printLayoutItems(const LayoutProto &layout, std::string &text) {
  if (!layout.dim_level_types().empty())
    printLevels(layout, text);
  if (!layout.tiles().empty()) {
    text += 'T';
    for (const TileProto &tile : layout.tiles())
      printTile(tile, text);
  }
  if (layout.tail_padding_alignment_in_elements() != 1)
    printNumberItem("L", layout.tail_padding_alignment_in_elements(), text);
  printTypeItem("#", layout.index_primitive_type(), text);
  printTypeItem("*", layout.pointer_primitive_type(), text);
  printNumberItem("E", layout.element_size_in_bits(), text);
  printNumberItem("S", layout.memory_space(), text);
  if (!layout.split_configs().empty()) {
    text += "SC";
    for (const SplitConfigProto &split : layout.split_configs())
      absl::StrAppend(&text, "(", split.dimension(), ":", absl::StrJoin(split.split_indices(), ","),
                      ")");
  }
  if (layout.has_physical_shape()) {
    text += "P(";
    printShape(layout.physical_shape(), text);
    text += ")";
  }
  printNumberItem("M", layout.dynamic_shape_metadata_prefix_bytes(), text);
}

static void printLayout(const LayoutProto &layout, std::string &text) {
  size_t start = text.size();
  text += '{';
  for (int i = 0; i < layout.minor_to_major_size(); ++i)
    absl::StrAppend(&text, i ? "," : "", layout.minor_to_major(i));
  size_t colon = text.size();
  text += ':';
  printLayoutItems(layout, text);
  if (text.size() == colon + 1)
    text.resize(colon);
  if (text.size() == start + 1)
    text.resize(start);
  else
    text += '}';
}

static void printTuple(const ShapeProto &shape, std::string &text, bool layouts) {
  text += '(';
  for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
    text += i ? ", " : "";
    if (i && i % 5 == 0)
      absl::StrAppend(&text, "/*index=", i, "*/");
    printShape(shape.tuple_shapes(i), text, layouts);
  }
  text += ')';
}

void printShape(const ShapeProto &shape, std::string &text, bool layouts) {
  if (shape.element_type() == TUPLE)
    return printTuple(shape, text, layouts);
  const PrimitiveTypeInfo *info = findPrimitiveType(shape.element_type());
  text += info ? info->name : "invalid";
  if (shape.element_type() == BUFFER) {
    text += '(';
    if (!shape.tuple_shapes().empty())
      printShape(shape.tuple_shapes(0), text, layouts);
    text += ')';
    return;
  }
  text += '[';
  for (int i = 0; i < shape.dimensions_size(); ++i) {
    text += i ? "," : "";
    bool isDynamic = i < shape.is_dynamic_dimension_size() && shape.is_dynamic_dimension(i);
    if (isDynamic && shape.dimensions(i) == unbounded)
      text += '?';
    else
      absl::StrAppend(&text, isDynamic ? "<=" : "", shape.dimensions(i));
  }
  text += ']';
  if (layouts && shape.has_layout())
    printLayout(shape.layout(), text);
}

} // namespace spmd::hlo
