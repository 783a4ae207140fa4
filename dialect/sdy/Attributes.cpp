// Text of the attributes. The grammar of meshes, shardings and rules is that of `ir`.

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/sdy/Tokens.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace spmd::sdy;

#define GET_ATTRDEF_CLASSES
#include "spmd/dialect/sdy/Attributes.cpp.inc"

void SdyDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "spmd/dialect/sdy/Attributes.cpp.inc"
      >();
}

//===- Meshes --------------------------------------------------------------===//

Attribute MeshAttr::parse(AsmParser &parser, Type) {
  AsmTokens tokens(parser);
  spmd::Mesh mesh;
  if (!tokens.expect('<') || !spmd::parseMesh(tokens, mesh) || !tokens.expect('>'))
    return {};
  return get(parser.getContext(), std::move(mesh));
}

void MeshAttr::print(AsmPrinter &printer) const { printer << getMesh().str(); }

//===- Shardings -----------------------------------------------------------===//

ShardingAttr ShardingAttr::get(Attribute meshOrRef, const spmd::Mesh &mesh,
                               const spmd::Sharding &sharding) {
  return get(meshOrRef.getContext(), meshOrRef, spmd::toSpec(mesh, sharding));
}

FlatSymbolRefAttr ShardingAttr::getMeshRef() const {
  return dyn_cast<FlatSymbolRefAttr>(getMeshOrRef());
}

/// Reads `@mesh` or `mesh<..>`.
static Attribute parseMeshOrRef(AsmParser &parser) {
  if (succeeded(parser.parseOptionalKeyword("mesh")))
    return MeshAttr::parse(parser, {});
  StringAttr symbol;
  if (failed(parser.parseOptionalSymbolName(symbol))) {
    parser.emitError(parser.getCurrentLocation(), "expected the symbol of a mesh, or 'mesh<'");
    return {};
  }
  return FlatSymbolRefAttr::get(symbol);
}

ShardingAttr ShardingAttr::parseStripped(AsmParser &parser) {
  AsmTokens tokens(parser);
  if (!tokens.expect('<'))
    return {};
  Attribute meshOrRef = parseMeshOrRef(parser);
  spmd::ShardingSpec spec;
  if (!meshOrRef || !tokens.expect(',') || !spmd::parseSharding(tokens, spec) ||
      !tokens.expect('>'))
    return {};
  return get(parser.getContext(), meshOrRef, std::move(spec));
}

Attribute ShardingAttr::parse(AsmParser &parser, Type) { return parseStripped(parser); }

void ShardingAttr::print(AsmPrinter &printer) const {
  printer << '<';
  if (auto mesh = dyn_cast<MeshAttr>(getMeshOrRef()))
    printer << "mesh" << mesh.getMesh().str();
  else
    printer.printSymbolName(getMeshRef().getValue());
  printer << ", " << getSpec().str() << '>';
}

ShardingPerValueAttr ShardingPerValueAttr::parseList(AsmParser &parser) {
  AsmTokens tokens(parser);
  SmallVector<ShardingAttr> shardings;
  auto element = [&] {
    return static_cast<bool>(shardings.emplace_back(ShardingAttr::parseStripped(parser)));
  };
  if (!spmd::parseList(tokens, '[', ']', element))
    return {};
  return get(parser.getContext(), shardings);
}

void ShardingPerValueAttr::printList(AsmPrinter &printer) const {
  printer << '[';
  llvm::interleaveComma(getShardings(), printer,
                        [&](ShardingAttr sharding) { sharding.print(printer); });
  printer << ']';
}

Attribute ShardingPerValueAttr::parse(AsmParser &parser, Type) {
  if (failed(parser.parseLess()))
    return {};
  ShardingPerValueAttr shardings = parseList(parser);
  return shardings && succeeded(parser.parseGreater()) ? shardings : ShardingPerValueAttr();
}

void ShardingPerValueAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printList(printer);
  printer << '>';
}

//===- Rules and reductions ------------------------------------------------===//

Attribute OpShardingRuleAttr::parse(AsmParser &parser, Type) {
  AsmTokens tokens(parser);
  spmd::OpRule rule;
  if (!tokens.expect('<') || !spmd::parseRule(tokens, rule) || !tokens.expect('>'))
    return {};
  return get(parser.getContext(), std::move(rule));
}

void OpShardingRuleAttr::print(AsmPrinter &printer) const {
  printer << '<' << getRule().str() << '>';
}

Attribute ReductionAttr::parse(AsmParser &parser, Type) {
  AsmTokens tokens(parser);
  if (!tokens.expect('<'))
    return {};
  std::optional<std::string> word = tokens.word();
  std::optional<spmd::ReductionKind> kind = spmd::reductionNamed(word.value_or(""));
  if (!kind)
    tokens.fail("expected a reduction, such as sum or max");
  return kind && tokens.expect('>') ? get(parser.getContext(), *kind) : ReductionAttr();
}

void ReductionAttr::print(AsmPrinter &printer) const {
  printer << '<' << spmd::nameOf(getKind()) << '>';
}

//===- Lists of axes -------------------------------------------------------===//

bool ManualAxesAttr::contains(StringRef axis) const {
  return llvm::any_of(getAxes(), [&](StringAttr name) { return name.getValue() == axis; });
}

Attribute ManualAxesAttr::parse(AsmParser &parser, Type) {
  AsmTokens tokens(parser);
  SmallVector<StringAttr> axes;
  auto element = [&] {
    std::optional<std::string> name = tokens.string();
    if (!name)
      return tokens.fail("expected the name of an axis, in quotes");
    axes.push_back(parser.getBuilder().getStringAttr(*name));
    return true;
  };
  if (!parseList(tokens, '{', '}', element))
    return {};
  return get(parser.getContext(), axes);
}

void ManualAxesAttr::print(AsmPrinter &printer) const {
  printer << '{';
  llvm::interleaveComma(getAxes(), printer);
  printer << '}';
}

Attribute AxisRefListAttr::parse(AsmParser &parser, Type) {
  AsmTokens tokens(parser);
  std::vector<spmd::AxisSpec> axes;
  if (!spmd::parseAxes(tokens, axes))
    return {};
  return get(parser.getContext(), std::move(axes));
}

void AxisRefListAttr::print(AsmPrinter &printer) const {
  printer << '{' << spmd::str(getAxes()) << '}';
}

Attribute ListOfAxisRefListsAttr::parse(AsmParser &parser, Type) {
  AsmTokens tokens(parser);
  std::vector<std::vector<spmd::AxisSpec>> lists;
  if (!parseList(tokens, '[', ']', [&] { return spmd::parseAxes(tokens, lists.emplace_back()); }))
    return {};
  return get(parser.getContext(), std::move(lists));
}

void ListOfAxisRefListsAttr::print(AsmPrinter &printer) const {
  printer << '[';
  llvm::interleaveComma(getLists(), printer,
                        [&](const auto &axes) { printer << '{' << spmd::str(axes) << '}'; });
  printer << ']';
}

static bool expectInteger(spmd::TokenSource &tokens, int64_t &value, const char *what) {
  std::optional<int64_t> number = tokens.integer();
  if (!number || *number < 0)
    return tokens.fail(std::string("expected ") + what);
  value = *number;
  return true;
}

Attribute AllToAllParamListAttr::parse(AsmParser &parser, Type) {
  AsmTokens tokens(parser);
  std::vector<AllToAllParam> params;
  auto element = [&] {
    AllToAllParam &param = params.emplace_back();
    return spmd::parseAxes(tokens, param.axes) && tokens.expect(':') &&
           expectInteger(tokens, param.from, "a dim") && tokens.expectArrow() &&
           expectInteger(tokens, param.to, "a dim");
  };
  if (!parseList(tokens, '[', ']', element))
    return {};
  return get(parser.getContext(), std::move(params));
}

void AllToAllParamListAttr::print(AsmPrinter &printer) const {
  printer << '[';
  llvm::interleaveComma(getParams(), printer, [&](const AllToAllParam &param) {
    printer << '{' << spmd::str(param.axes) << "}: " << param.from << "->" << param.to;
  });
  printer << ']';
}

//===- Propagation edges ---------------------------------------------------===//

/// Reads what stands behind the word in `operand-1`: the lexer takes it for a negative number.
static bool parseNumbered(spmd::TokenSource &tokens, int64_t &number) {
  std::optional<int64_t> negated = tokens.integer();
  if (!negated || *negated > 0)
    return tokens.fail("expected '-' and a number");
  number = -*negated;
  return true;
}

static bool parseValue(spmd::TokenSource &tokens, ValueIndex &value) {
  value.isResult = tokens.consumeWord("result");
  if (!value.isResult && !tokens.consumeWord("operand"))
    return tokens.fail("expected an operand or result, such as operand-0");
  return parseNumbered(tokens, value.index);
}

static bool parseStep(spmd::TokenSource &tokens, PropagationStep &step) {
  auto edge = [&] {
    AxisEdge &edge = step.edges.emplace_back();
    return tokens.expect('{') && spmd::parseAxis(tokens, edge.axis) && tokens.expect('=') &&
           parseValue(tokens, edge.source) && tokens.expectArrow() &&
           parseList(tokens, '[', ']',
                     [&] { return parseValue(tokens, edge.targets.emplace_back()); }) &&
           tokens.expect('}');
  };
  if (!tokens.expect('{'))
    return false;
  if (!tokens.consumeWord("step"))
    return tokens.fail("expected a step, such as step-0");
  return parseNumbered(tokens, step.number) && tokens.expect('=') &&
         parseList(tokens, '[', ']', edge) && tokens.expect('}');
}

Attribute PropagationEdgesAttr::parse(AsmParser &parser, Type) {
  AsmTokens tokens(parser);
  std::vector<PropagationStep> steps;
  if (!tokens.expect('<') ||
      !parseList(tokens, '[', ']', [&] { return parseStep(tokens, steps.emplace_back()); }) ||
      !tokens.expect('>'))
    return {};
  return get(parser.getContext(), std::move(steps));
}

void PropagationEdgesAttr::print(AsmPrinter &printer) const {
  auto printValue = [&](const ValueIndex &value) {
    printer << (value.isResult ? "result-" : "operand-") << value.index;
  };
  auto printEdge = [&](const AxisEdge &edge) {
    printer << '{' << edge.axis.str() << " = ";
    printValue(edge.source);
    printer << " -> [";
    llvm::interleaveComma(edge.targets, printer, printValue);
    printer << "]}";
  };
  printer << "<[";
  llvm::interleaveComma(getSteps(), printer, [&](const PropagationStep &step) {
    printer << "{step-" << step.number << " = [";
    llvm::interleaveComma(step.edges, printer, printEdge);
    printer << "]}";
  });
  printer << "]>";
}
