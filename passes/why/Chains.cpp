#include "spmd/passes/why/Chains.h"

#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/ir/sharding/Spec.h"

namespace spmd {

ChainFinder::ChainFinder(ProgramGraph &program, const History &history)
    : program(program), places(program), past(program.graph, history), isFree(program.freeValues()),
      knowledge(classify(program.graph, isFree, *program.uses)),
      teller(places, past, isFree, knowledge) {
  indexValues();
}

void ChainFinder::indexValues() {
  for (size_t i = 0; i < program.instances.size(); ++i) {
    mlir::func::FuncOp func = program.bodies[program.instances[i].body].func;
    if (!instanceOf.try_emplace(func, i).second)
      continue;
    func.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      if (op != func)
        opsAt[op->getLoc()].push_back(op);
      for (mlir::Value result : op->getResults())
        valuesAt[op->getLoc()].push_back(result);
      for (mlir::Region &region : op->getRegions())
        for (mlir::Block &block : region)
          for (mlir::BlockArgument argument : block.getArguments())
            valuesAt[argument.getLoc()].push_back(argument);
    });
  }
}

mlir::Value ChainFinder::valueOf(const Cause &cause) {
  auto found = valuesAt.find(cause.value);
  if (found == valuesAt.end())
    return nullptr;
  Wanting wanting = wantingOf(cause);
  if (wanting.op && wanting.operand && *wanting.operand < wanting.op->getNumOperands())
    if (mlir::Value operand = wanting.op->getOperand(*wanting.operand);
        llvm::is_contained(found->second, operand))
      return operand;
  if (wanting.op && wanting.result && *wanting.result < wanting.op->getNumResults())
    return wanting.op->getResult(*wanting.result);
  for (mlir::Value value : found->second)
    if (tensorTypeOf(value) == cause.type)
      return value;
  return found->second.front();
}

Wanting ChainFinder::wantingOf(const Cause &cause) {
  Wanting wanting;
  auto found = opsAt.find(cause.user);
  if (found == opsAt.end())
    return wanting;
  llvm::StringRef reason = cause.reason;
  unsigned number = 0;
  if (reason.consume_front("operand ") && !reason.consumeInteger(10, number))
    wanting.operand = number;
  else if (reason.consume_front("result ") && !reason.consumeInteger(10, number))
    wanting.result = number;
  for (mlir::Operation *op : found->second) // Several ops may come from one place.
    if (!wanting.op && reason.ends_with(("'" + op->getName().getStringRef() + "'").str()))
      wanting.op = op;
  return wanting;
}

int32_t ChainFinder::graphValue(mlir::Value value) const {
  auto func = value.getParentRegion()->getParentOfType<mlir::func::FuncOp>();
  if (!func && llvm::isa<mlir::func::FuncOp>(value.getParentRegion()->getParentOp()))
    func = llvm::cast<mlir::func::FuncOp>(value.getParentRegion()->getParentOp());
  auto instance = instanceOf.find(func);
  return instance == instanceOf.end() ? ShardGraph::none
                                      : program.valueOf(program.instances[instance->second], value);
}

int32_t ChainFinder::graphResult(mlir::func::FuncOp func, unsigned number) const {
  auto known = instanceOf.find(func);
  if (known == instanceOf.end() || number >= func.getNumResults())
    return ShardGraph::none;
  const ProgramGraph::Instance &instance = program.instances[known->second];
  return instance.firstValue + program.bodies[instance.body].firstResult +
         static_cast<int32_t>(number);
}

std::optional<MeshSharding> ChainFinder::shardingOf(mlir::Value value) {
  int32_t index = graphValue(value);
  if (index == ShardGraph::none || program.graph.value(index).sharding == ShardGraph::none)
    return std::nullopt;
  return program.graph.sharding(program.graph.value(index).sharding);
}

std::string ChainFinder::nameOf(mlir::Value value) {
  std::string written = writtenName(value);
  return written.empty() ? describeValue(value) : written;
}

//===- Chains ----------------------------------------------------------------===//

bool ChainFinder::addChains(int32_t value, const std::string &name, const AxisList &axes,
                            const std::string &meaning, WhyCause &told) {
  if (value == ShardGraph::none)
    return false;
  size_t rank = program.graph.shape(program.graph.value(value).shape).size();
  return addChains(value, name, std::vector<AxisList>(rank, axes), meaning, told);
}

bool ChainFinder::addChains(int32_t value, const std::string &name, absl::Span<const AxisList> axes,
                            const std::string &meaning, WhyCause &told) {
  if (value == ShardGraph::none || program.graph.value(value).sharding == ShardGraph::none)
    return false;
  constexpr size_t mostChains = 4;
  const Sharding &sharding = program.graph.sharding(program.graph.value(value).sharding).sharding;
  bool any = false;
  for (size_t d = 0; d < sharding.dims.size() && d < axes.size(); ++d) {
    if (!overlaps(sharding.dims[d].axes, axes[d]))
      continue;
    any = true;
    for (ToldAxis &axis : teller.chainsOf({value, static_cast<int32_t>(d)})) {
      std::string text =
          name + " dim " + std::to_string(d) + " is split along " + axis.axis + meaning;
      bool isTold = llvm::any_of(told.chains, [&](const WhyChain &c) { return c.text == text; });
      if (!isTold && told.chains.size() < mostChains)
        told.chains.push_back({text, std::move(axis.chain)});
    }
  }
  return any;
}

/// The axes that each dim has in `a`, but not in `b`.
static std::vector<AxisList> axesByDim(const Sharding &a, const Sharding &b) {
  std::vector<AxisList> axes(a.dims.size());
  for (size_t d = 0; d < a.dims.size() && d < b.dims.size(); ++d)
    for (const AxisRef &axis : a.dims[d].axes)
      if (!overlaps(axis, b.dims[d].axes))
        axes[d].push_back(axis);
  return axes;
}

static AxisList axesNotIn(const Sharding &a, const Sharding &b) {
  AxisList all;
  for (const AxisList &axes : axesByDim(a, b))
    all.insert(all.end(), axes.begin(), axes.end());
  return all;
}

void ChainFinder::tellSplits(int32_t value, const std::string &name, const Sharding &from,
                             const Sharding &to, WhyCause &told) {
  // The value may be made otherwise than propagation has it.
  addChains(value, name, axesByDim(from, to), ", which the move undoes", told);
  addChains(value, name, axesByDim(to, from), ", which the move brings about", told);
}

/// A partial value comes from a dim that its op adds up.
void ChainFinder::tellPartial(mlir::Value value, const Sharding &from, WhyCause &told) {
  mlir::Operation *op = value ? value.getDefiningOp() : nullptr;
  if (from.unreduced.empty() || !op)
    return;
  std::string meaning = ", over which '" + op->getName().getStringRef().str() +
                        "' adds up: each device has a share of the result";
  for (mlir::Value operand : op->getOperands())
    if (addChains(graphValue(operand), nameOf(operand), from.unreduced, meaning, told))
      return;
}

/// Something else around the op that wants the move is split along the axes.
void ChainFinder::tellWanted(const Wanting &wanting, mlir::Value moved, const AxisList &axes,
                             WhyCause &told) {
  if (axes.empty() || !wanting.op || wanting.result)
    return;
  std::string meaning = ", and so '" + wanting.op->getName().getStringRef().str() + "' wants it";
  if (llvm::isa<mlir::func::ReturnOp>(wanting.op)) {
    auto func = wanting.op->getParentOfType<mlir::func::FuncOp>();
    int32_t result = graphResult(func, wanting.operand.value_or(0));
    if (result != ShardGraph::none)
      addChains(result, places.nameOf(result), axes, ", as which it is returned", told);
    return;
  }
  bool any = false;
  for (mlir::Value result : wanting.op->getResults())
    any |= addChains(graphValue(result), nameOf(result), axes, meaning, told);
  for (mlir::Value operand : wanting.op->getOperands())
    if (!any && operand != moved)
      any |= addChains(graphValue(operand), nameOf(operand), axes, meaning, told);
}

static std::string specText(const Mesh &mesh, const Sharding &sharding) {
  return toSpec(mesh, sharding).str();
}

WhyCause ChainFinder::tell(const Cause &cause) {
  WhyCause told;
  told.reason = cause.reason;
  told.userLocation = placeText(withoutWrittenNames(cause.user));
  told.valueLocation = placeText(withoutWrittenNames(cause.value));
  Wanting wanting = wantingOf(cause);
  mlir::Value value = valueOf(cause);
  if (wanting.op && wanting.op->getNumResults() > 0)
    told.user = nameOf(wanting.op->getResult(0));
  if (value)
    told.value = nameOf(value);
  if (!cause.from || !cause.to || !cause.type)
    return told;
  std::optional<MeshSharding> sides[2];
  for (auto [attr, side] : {std::pair(cause.from, &sides[0]), std::pair(cause.to, &sides[1])})
    if (const MeshSharding *sharding = program.codec.decode(attr))
      *side = program.codec.onAxes(*sharding, cause.type.getRank());
  if (!sides[0] || !sides[1])
    return told;
  const Sharding &from = sides[0]->sharding, &to = sides[1]->sharding;
  told.from = specText(program.codec.mesh(sides[0]->mesh), from);
  told.to = specText(program.codec.mesh(sides[1]->mesh), to);
  llvm::raw_string_ostream(told.type) << cause.type;
  if (sides[0]->mesh != sides[1]->mesh)
    return told; // Axes of two meshes say nothing of each other.
  tellPartial(value, from, told);
  if (value)
    tellSplits(graphValue(value), told.value, from, to, told);
  AxisList moved = axesNotIn(from, to);
  for (const AxisRef &axis : axesNotIn(to, from))
    moved.push_back(axis);
  tellWanted(wanting, value, moved, told);
  return told;
}

} // namespace spmd
