#include "spmd/dialect/import/Tuples.h"

#include "spmd/dialect/spmd/Callers.h"
#include "spmd/dialect/spmd/Donation.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/spmd/Walk.h"
#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/ir/sharding/TileSharding.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace spmd {

namespace {

using mlir::TupleType;
using mlir::Value;
using mlir::func::FuncOp;
using stablehlo::GetTupleElementOp;
using stablehlo::TupleOp;
using Parts = llvm::SmallVector<Value, 4>;

constexpr llvm::StringLiteral tilesName = "mhlo.sharding";

bool isTuple(mlir::Type type) { return llvm::isa<TupleType>(type); }

template <class Types> bool haveTuple(const Types &types) { return llvm::any_of(types, isTuple); }

/// Returns the types of the tensors and tokens in `types`, those of tuples in their place.
llvm::SmallVector<mlir::Type> partTypes(mlir::TypeRange types) {
  llvm::SmallVector<mlir::Type> flat;
  for (mlir::Type type : types)
    if (auto tuple = llvm::dyn_cast<TupleType>(type))
      tuple.getFlattenedTypes(flat);
    else
      flat.push_back(type);
  return flat;
}

size_t countParts(mlir::Type type) { return partTypes(type).size(); }

/// Returns what GSPMD's notation says of part `index` of `count`.
mlir::Attribute tilesOf(mlir::Attribute tiles, size_t index, size_t count) {
  auto text = llvm::dyn_cast<mlir::StringAttr>(tiles);
  absl::StatusOr<TileSharding> read =
      text ? tileShardingFromText(text.getValue().str()) : absl::InvalidArgumentError("no text");
  bool isSplit =
      read.ok() && read->kind == TileSharding::Kind::tuple && read->elements.size() == count;
  return isSplit ? mlir::StringAttr::get(tiles.getContext(), read->elements[index].str()) : tiles;
}

/// Flattens the tuples of one module.
class Flattener {
public:
  explicit Flattener(mlir::ModuleOp module)
      : module(module), symbols(module), callers(findCallers(module)),
        builder(module.getContext()) {}

  void run() {
    for (auto func : module.getOps<FuncOp>()) {
      if (isFlattened(func))
        flattenSignature(func);
      for (mlir::Block &block : func.getBody())
        flattenBlock(block, isFlattened(func));
    }
    for (mlir::Operation *op : llvm::reverse(replaced))
      op->erase();
    for (mlir::Operation *op : llvm::reverse(added))
      if (op->use_empty())
        op->erase();
    for (mlir::Block *block : blocks)
      block->eraseArguments([](mlir::BlockArgument each) { return isTuple(each.getType()); });
  }

private:
  /// Whether a function takes and returns parts. One that something else than a call names keeps
  /// its signature.
  bool isFlattened(FuncOp func) const {
    return func && !callers.namedByOthers.contains(func.getSymNameAttr()) &&
           (func.isExternal() || func.getBody().hasOneBlock());
  }

  //===- Functions -----------------------------------------------------------===//

  void flattenSignature(FuncOp func) {
    mlir::FunctionType type = func.getFunctionType();
    if (!haveTuple(type.getInputs()) && !haveTuple(type.getResults()))
      return;
    llvm::SmallVector<int64_t> places; ///< Of each result, in the new ones.
    int64_t numResults = 0;
    for (mlir::Type result : type.getResults()) {
      places.push_back(isTuple(result) ? -1 : numResults);
      numResults += countParts(result);
    }
    llvm::SmallVector<mlir::Attribute> arguments, results;
    for (auto [index, input] : llvm::enumerate(type.getInputs()))
      addAttributes(func, moved(func.getArgAttrDict(index), places), input, arguments);
    for (auto [index, result] : llvm::enumerate(type.getResults()))
      addAttributes(func, func.getResultAttrDict(index), result, results);
    func->removeAttr(func.getArgAttrsAttrName());
    func->removeAttr(func.getResAttrsAttrName());
    func.setFunctionType(
        builder.getFunctionType(partTypes(type.getInputs()), partTypes(type.getResults())));
    func.setArgAttrsAttr(builder.getArrayAttr(arguments));
    func.setResAttrsAttr(builder.getArrayAttr(results));
  }

  /// Returns the attributes of an argument with its donation to where its result is now.
  mlir::DictionaryAttr moved(mlir::DictionaryAttr attributes, llvm::ArrayRef<int64_t> places) {
    mlir::NamedAttrList list(attributes);
    auto donation = llvm::dyn_cast_if_present<mlir::IntegerAttr>(list.get(donationName));
    if (!donation || donation.getValue().isNegative() || donation.getValue().uge(places.size()))
      return attributes; // None, or one that is reported as what it is.
    if (int64_t place = places[donation.getInt()]; place >= 0)
      list.set(donationName, builder.getIntegerAttr(donation.getType(), place));
    else
      list.erase(donationName); // A tensor has not the type of a tuple.
    return list.getDictionary(module.getContext());
  }

  /// Adds the attributes of each part of an argument or a result.
  void addAttributes(FuncOp func, mlir::DictionaryAttr attributes, mlir::Type type,
                     llvm::SmallVectorImpl<mlir::Attribute> &all) {
    if (!attributes)
      attributes = builder.getDictionaryAttr({});
    if (!isTuple(type))
      return all.push_back(attributes);
    size_t count = countParts(type);
    for (size_t i = 0; i < count; ++i) {
      mlir::NamedAttrList list(attributes);
      if (mlir::Attribute tiles = list.get(tilesName))
        list.set(tilesName, tilesOf(tiles, i, count));
      if (list.erase(shardingAttrName) && i == 0)
        func.emitWarning() << "a sharding of a tuple of " << count
                           << " values says nothing of them, and is dropped";
      all.push_back(list.getDictionary(module.getContext()));
    }
  }

  //===- Values --------------------------------------------------------------===//

  /// Gives the tuples among the arguments of a block their parts: as arguments in their place if
  /// it `takesParts`, else taken from them.
  void flattenBlock(mlir::Block &block, bool takesParts) {
    auto ops = llvm::to_vector(llvm::make_pointer_range(block)); // Without those added below.
    builder.setInsertionPointToStart(&block);
    for (mlir::BlockArgument argument : llvm::to_vector(block.getArguments())) {
      if (!isTuple(argument.getType()))
        continue;
      if (!takesParts) {
        takeApart(argument);
        continue;
      }
      unsigned place = argument.getArgNumber();
      Parts own;
      for (mlir::Type type : partTypes(argument.getType()))
        own.push_back(block.insertArgument(++place, type, withoutWrittenNames(argument.getLoc())));
      nameParts(argument, own);
      parts[argument] = std::move(own);
      blocks.insert(&block);
    }
    for (mlir::Operation *op : ops)
      flattenOp(op, takesParts);
  }

  /// Gives the parts of a tuple its names: `%t#1` of `%t`.
  static void nameParts(Value tuple, mlir::ValueRange own) {
    for (const std::string &name : writtenNames(tuple))
      for (auto [i, part] : llvm::enumerate(own))
        addOtherName(part, name + "#" + std::to_string(i));
  }

  /// The parts of a tuple that stays.
  void takeApart(Value whole) {
    auto type = llvm::cast<TupleType>(whole.getType());
    Parts own;
    for (unsigned i = 0; i < type.size(); ++i) {
      auto part = GetTupleElementOp::create(builder, whole.getLoc(), type.getType(i), whole, i);
      added.push_back(part);
      append(part, own);
    }
    parts[whole] = std::move(own);
    staying.insert(whole);
  }

  /// Adds a value, or the parts of a tuple.
  void append(Value value, Parts &to) {
    if (!isTuple(value.getType()))
      return to.push_back(value);
    if (!parts.contains(value))
      takeApart(value);
    llvm::append_range(to, parts[value]);
  }

  Parts flatten(mlir::ValueRange values) {
    Parts flat;
    for (Value value : values)
      append(value, flat);
    return flat;
  }

  /// Returns the tuple of `type` that the next of `values` make, in front of what is inserted next.
  Value join(mlir::Type type, llvm::ArrayRef<Value> &values, mlir::Location loc) {
    auto tuple = llvm::dyn_cast<TupleType>(type);
    if (!tuple) {
      Value value = values.front();
      values = values.drop_front();
      return value;
    }
    Parts joined;
    for (mlir::Type each : tuple.getTypes())
      joined.push_back(join(each, values, loc));
    return TupleOp::create(builder, loc, type, joined);
  }

  //===- Ops -----------------------------------------------------------------===//

  /// Whether an op hands its operands on as they are, so that it can take their parts instead.
  bool handsOn(mlir::Operation *op) {
    if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op))
      return isFlattened(symbols.lookup<FuncOp>(call.getCallee()));
    return llvm::isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp,
                     stablehlo::OptimizationBarrierOp>(op);
  }

  void flattenOp(mlir::Operation *op, bool returnsParts) {
    bool handsPartsOn = handsOn(op);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        flattenBlock(block, handsPartsOn);
    builder.setInsertionPoint(op);
    if (auto tuple = llvm::dyn_cast<TupleOp>(op)) {
      Parts own = flatten(tuple->getOperands());
      nameParts(tuple.getResult(), own);
      parts[tuple.getResult()] = std::move(own);
      replaced.push_back(op);
    } else if (auto element = llvm::dyn_cast<GetTupleElementOp>(op)) {
      select(element);
    } else if (op->hasTrait<mlir::OpTrait::IsTerminator>() && returnsParts) {
      if (haveTuple(op->getOperandTypes()))
        op->setOperands(flatten(op->getOperands()));
    } else if (handsPartsOn) {
      if (haveTuple(op->getOperandTypes()) || haveTuple(op->getResultTypes()))
        rebuild(op);
    } else if (auto call = llvm::dyn_cast<stablehlo::CustomCallOp>(op)) {
      flattenCustomCall(call);
    } else {
      keepOperands(op);
      keepResults(op);
    }
  }

  /// What takes an element of a tuple is the element.
  void select(GetTupleElementOp element) {
    auto type = llvm::cast<TupleType>(element.getOperand().getType());
    size_t first = partTypes(type.getTypes().take_front(element.getIndex())).size();
    Parts all = flatten(mlir::ValueRange(element.getOperand()));
    auto own = llvm::ArrayRef<Value>(all).slice(first, countParts(element.getType()));
    if (isTuple(element.getType())) {
      nameParts(element.getResult(), own);
      parts[element.getResult()].assign(own.begin(), own.end());
    } else {
      handNamesOn(element.getResult(), own[0]);
      element.getResult().replaceAllUsesWith(own[0]);
    }
    replaced.push_back(element);
  }

  static mlir::OperationState stateLike(mlir::Operation *op, mlir::ValueRange operands,
                                        mlir::TypeRange results) {
    mlir::OperationState state(op->getLoc(), op->getName(), operands, results,
                               op->getDiscardableAttrDictionary().getValue());
    state.propertiesAttr = op->getPropertiesAsAttribute();
    return state;
  }

  /// Makes an op that hands parts on of one that hands tuples on.
  void rebuild(mlir::Operation *op) {
    mlir::OperationState state =
        stateLike(op, flatten(op->getOperands()), partTypes(op->getResultTypes()));
    if (haveTuple(op->getResultTypes()))
      state.attributes.erase(shardingAttrName); // It has one for each result.
    for (mlir::Region &region : op->getRegions())
      state.addRegion()->takeBody(region);
    replace(op, builder.create(state)->getResults());
  }

  /// Each result of `op` becomes one of `by`, or several.
  void replace(mlir::Operation *op, mlir::ValueRange by) {
    for (Value old : op->getResults()) {
      size_t count = countParts(old.getType());
      if (isTuple(old.getType())) {
        nameParts(old, by.take_front(count));
        parts[old] = Parts(by.take_front(count));
      } else {
        if (writtenName(by.front()).empty())
          handNamesOn(old, by.front());
        old.replaceAllUsesWith(by.front());
      }
      by = by.drop_front(count);
    }
    replaced.push_back(op);
  }

  /// A call of code that nobody knows takes tuples as it did. Several results are a tuple by
  /// another name.
  void flattenCustomCall(stablehlo::CustomCallOp call) {
    if (isSplit(call))
      return split(call);
    keepOperands(call);
    bool isDeep = llvm::any_of(call.getResultTypes(), [](mlir::Type type) {
      auto tuple = llvm::dyn_cast<TupleType>(type);
      return tuple && haveTuple(tuple.getTypes());
    });
    if (call.getNumResults() != 1 || !isTuple(call.getResult(0).getType()) || isDeep)
      return keepResults(call);
    mlir::OperationState state =
        stateLike(call, call.getOperands(), partTypes(call.getResultTypes()));
    state.attributes.erase(shardingAttrName);
    replace(call, builder.create(state)->getResults());
  }

  /// Whether a call says where a tuple lies: then it says so of each part.
  static bool isSplit(stablehlo::CustomCallOp call) {
    return call->hasAttr(tilesName) && call->getNumOperands() == 1 && call->getNumResults() == 1 &&
           isTuple(call.getResult(0).getType()) &&
           countParts(call.getOperand(0).getType()) == countParts(call.getResult(0).getType());
  }

  void split(stablehlo::CustomCallOp call) {
    Parts operands = flatten(call->getOperands()), results;
    for (auto [index, type] : llvm::enumerate(partTypes(call.getResultTypes()))) {
      mlir::OperationState state = stateLike(call, operands[index], type);
      state.attributes.set(tilesName, tilesOf(call->getAttr(tilesName), index, operands.size()));
      results.push_back(builder.create(state)->getResult(0));
    }
    replace(call, results);
  }

  /// An op that takes tuples gets them of their parts.
  void keepOperands(mlir::Operation *op) {
    for (mlir::OpOperand &operand : op->getOpOperands())
      if (Value tuple = operand.get(); isTuple(tuple.getType()) && !staying.contains(tuple)) {
        Parts own = parts.lookup(tuple);
        llvm::ArrayRef<Value> rest = own;
        operand.set(join(tuple.getType(), rest, op->getLoc()));
      }
  }

  void keepResults(mlir::Operation *op) {
    builder.setInsertionPointAfter(op);
    for (Value result : op->getResults())
      if (isTuple(result.getType()))
        takeApart(result);
  }

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  Callers callers;
  mlir::OpBuilder builder;
  llvm::DenseMap<Value, Parts> parts;
  llvm::DenseSet<Value> staying;                 ///< Tuples that are there in the end.
  llvm::SmallVector<mlir::Operation *> replaced; ///< Gone in the end.
  llvm::SmallVector<mlir::Operation *> added;    ///< Gone in the end, if nothing uses them.
  llvm::SetVector<mlir::Block *> blocks;         ///< Their tuples are gone in the end.
};

/// Looks at results alone, and at functions: what else has types has those of these.
bool hasTuples(mlir::ModuleOp module) {
  return anyOp(module, [](mlir::Operation *op) {
    for (unsigned i = 0, count = op->getNumResults(); i < count; ++i)
      if (isTuple(op->getResult(i).getType()))
        return true;
    auto func = op->getNumRegions() ? llvm::dyn_cast<FuncOp>(op) : FuncOp();
    return func && (haveTuple(func.getArgumentTypes()) || haveTuple(func.getResultTypes()));
  });
}

} // namespace

void flattenTuples(mlir::ModuleOp module) {
  if (hasTuples(module))
    Flattener(module).run();
}

} // namespace spmd
