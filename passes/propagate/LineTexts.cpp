#include "spmd/passes/propagate/LineTexts.h"

#include "spmd/dialect/export/hlo/Types.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/Notation.h"
#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/ir/hlo/text/ShapeText.h"
#include "spmd/ir/sharding/TileSharding.h"

#include "llvm/ADT/StringExtras.h"

namespace spmd {

namespace {

/// A sharding to be said somewhere in a module.
struct Said {
  sdy::ShardingAttr sharding;
  mlir::Operation *place;
  Notation notation;

  Said(sdy::ShardingAttr sharding, mlir::Operation *place)
      : sharding(sharding), place(place), notation(notationFor(sharding, place)) {}

  std::string tiles() const;
  std::string openDims() const;
};

/// Returns `{devices=[2,1]<=[2]}`. Axes that are manual at the place are so in the text.
std::string Said::tiles() const {
  const Mesh &mesh = mlir::SymbolTable::lookupNearestSymbolFrom<sdy::MeshOp>(
                         place, llvm::cast<mlir::FlatSymbolRefAttr>(sharding.getMeshOrRef()))
                         .getMeshAttr()
                         .getMesh();
  AxisList manual;
  for (llvm::StringRef name : manualAxesInside(place))
    if (std::optional<int> axis = mesh.axisNamed({name.data(), name.size()}))
      manual.push_back(wholeAxis(mesh, *axis));
  llvm::sort(manual, [](const AxisRef &a, const AxisRef &b) { return a.axis < b.axis; });
  absl::StatusOr<Sharding> resolved = resolve(mesh, sharding.getSpec());
  return resolved.ok() ? tilesOf(mesh, *resolved, manual).str() : "";
}

/// Returns `unspecified_dims=[0,1]`, the dims that propagation may split further; empty if none.
std::string Said::openDims() const {
  llvm::SmallVector<std::string> open;
  for (auto [i, dim] : llvm::enumerate(sharding.getSpec().dims))
    if (dim.open)
      open.push_back(llvm::utostr(i));
  return open.empty() ? "" : "unspecified_dims=[" + llvm::join(open, ",") + "]";
}

std::string textOf(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Returns `f32[8,32]`, without its layout.
std::string shapeText(mlir::Type type) {
  hlo::ShapeProto shape;
  std::string text;
  if (shapeOf(type, shape).empty())
    hlo::printShape(shape, text, /*layouts=*/false);
  return text;
}

std::string nameOr(mlir::Value value, const char *other) {
  std::string name = writtenName(value);
  return name.empty() ? other : name;
}

/// Returns the line of a constraint on `input`, called `name`.
std::string constraintLine(const std::string &name, const std::string &input, mlir::Type type,
                           const Said &said, llvm::StringRef shardyOp = "sdy.sharding_constraint") {
  std::string open = said.openDims();
  switch (said.notation) {
  case Notation::shardy:
    break;
  case Notation::gspmd:
    if (!open.empty())
      open = "backend_config = \"" + open + "\", ";
    return name + " = stablehlo.custom_call @Sharding(" + input + ") {" + open +
           "mhlo.sharding = \"" + said.tiles() + "\"} : (" + textOf(type) + ") -> " + textOf(type);
  case Notation::hlo:
    if (!open.empty())
      open = ", backend_config=\"" + open + "\"";
    return name + " = " + shapeText(type) + " custom-call(" + input +
           "), custom_call_target=\"Sharding\", sharding=" + said.tiles() + open;
  }
  return name + " = " + shardyOp.str() + " " + input + " <" + innerText(said.sharding) +
         "> : " + textOf(type);
}

/// Returns the attribute of an argument or result in StableHLO.
std::string attributeText(const Said &said) {
  return said.notation == Notation::shardy
             ? "{sdy.sharding = #sdy.sharding<" + innerText(said.sharding) + ">}"
             : "{mhlo.sharding = \"" + said.tiles() + "\"}";
}

/// An element of a tuple of the file, elements of tuples in it counted one by one.
struct Element {
  std::string tuple; ///< `%t`
  size_t index;
};

/// Returns what an argument was an element of: it is called `%t#1`, or stands where others stand.
/// What stands alone and has a name of its own is none, whatever tuple `%p` it is put into: then it
/// is called `%p#1`, too.
std::optional<Element> elementOf(mlir::BlockArgument argument, SourceNames &names) {
  mlir::Location place = withoutWrittenNames(argument.getLoc());
  auto all = argument.getOwner()->getArguments();
  auto isBeside = [&](size_t other) {
    return other < all.size() && withoutWrittenNames(all[other].getLoc()) == place;
  };
  size_t own = argument.getArgNumber(), first = own;
  while (isBeside(first - 1))
    --first;
  size_t other = first < own ? first : own + 1;
  std::string name = names.of(argument);
  for (const std::string &each : writtenNames(argument)) {
    auto [tuple, number] = llvm::StringRef(each).split('#');
    size_t index = 0;
    if (!number.getAsInteger(10, index) && (isBeside(other) || each == name))
      return Element{tuple.str(), index};
  }
  if (name.empty() || !isBeside(other) || names.of(all[other]) != name)
    return std::nullopt;
  return Element{name, own - first};
}

/// Returns the line of an element of a tuple that a function takes: part of that of the tuple, or,
/// as `sdy.sharding` says nothing of tuples, that of a constraint on what takes the element.
std::string elementLine(mlir::BlockArgument argument, const Said &said, const Element &element,
                        const char *made) {
  std::string of = " for element " + std::to_string(element.index) + " of " + element.tuple;
  if (said.notation == Notation::hlo)
    return "sharding=" + said.tiles() + of;
  if (said.notation == Notation::gspmd)
    return attributeText(said) + of;
  std::string taken = "%value";
  for (const std::string &name : writtenNames(argument))
    if (name != element.tuple && name.find('#') == std::string::npos)
      taken = name;
  return constraintLine(made, taken, argument.getType(), said);
}

/// Returns the line of an argument of a function.
std::string argumentLine(mlir::BlockArgument argument, const Said &said, std::string name) {
  std::string number = std::to_string(argument.getArgNumber());
  if (name.empty())
    name = "%arg" + number;
  if (said.notation != Notation::hlo)
    return name + ": " + textOf(argument.getType()) + " " + attributeText(said);
  return name + " = " + shapeText(argument.getType()) + " parameter(" + number +
         "), sharding=" + said.tiles();
}

} // namespace

std::string lineThatShards(mlir::Value value, sdy::ShardingAttr sharding, SourceNames &names,
                           const char *made) {
  std::string name = names.of(value);
  Said said(sharding, value.getParentBlock()->getParentOp());
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  if (argument && llvm::isa<mlir::func::FuncOp>(argument.getOwner()->getParentOp())) {
    if (std::optional<Element> element = elementOf(argument, names))
      return elementLine(argument, said, *element, made);
    return argumentLine(argument, said, std::move(name));
  }
  return constraintLine(made, name.empty() ? "%value" : name, value.getType(), said);
}

std::string lineInPlaceOf(mlir::Operation *op, sdy::ShardingAttr sharding, llvm::StringRef opName,
                          SourceNames &names) {
  mlir::Value made = op->getResult(0);
  std::string operand = names.ofOperand(op);
  return constraintLine(nameOr(made, "%value"), operand.empty() ? "%value" : operand,
                        made.getType(), Said(sharding, op->getParentOp()), opName);
}

std::string lineOfResult(mlir::func::FuncOp func, unsigned index, sdy::ShardingAttr sharding) {
  Said said(sharding, func);
  std::string text = said.notation == Notation::hlo
                         ? "sharding=" + said.tiles()
                         : textOf(func.getResultTypes()[index]) + " " + attributeText(said);
  return text + " as result " + std::to_string(index) + " of @" + func.getSymName().str();
}

std::string innerText(sdy::ShardingAttr attr) {
  std::string text;
  llvm::raw_string_ostream(text) << attr;
  llvm::StringRef inner = text;
  inner.consume_front("#sdy.sharding<");
  inner.consume_back(">");
  return inner.str();
}

} // namespace spmd
