#include "spmd/passes/propagate/Contradictions.h"

#include "spmd/ir/sharding/Excluding.h"

#include <map>

namespace spmd {

/// Whether one dim can be as both say.
static bool agree(const DimSharding &a, const DimSharding &b) {
  const DimSharding &shorter = isPrefix(a.axes, b.axes) ? a : b;
  const DimSharding &longer = &shorter == &a ? b : a;
  return isPrefix(shorter.axes, longer.axes) && (shorter.open || shorter.axes == longer.axes);
}

/// Whether an axis of dim `d` of `a` is somewhere else in `b`.
static bool isElsewhere(const Sharding &a, size_t d, const Sharding &b) {
  const AxisList &axes = a.dims[d].axes;
  for (size_t other = 0; other < b.dims.size(); ++other)
    if (other != d && exclude(axes, b.dims[other].axes))
      return true;
  return exclude(axes, b.replicated) || exclude(axes, b.unreduced);
}

bool contradict(const MeshSharding &a, const MeshSharding &b) {
  if (a.mesh != b.mesh)
    return !a.sharding.isFullyReplicated() || !b.sharding.isFullyReplicated();
  for (size_t d = 0; d < a.sharding.dims.size(); ++d)
    if (!agree(a.sharding.dims[d], b.sharding.dims[d]) || isElsewhere(a.sharding, d, b.sharding) ||
        isElsewhere(b.sharding, d, a.sharding))
      return true;
  return a.sharding.unreduced != b.sharding.unreduced;
}

/// Returns what a pin says on a mesh that has axes, or nothing.
static std::optional<MeshSharding> decoded(ShardingCodec &codec, ValueSharding pin, size_t rank) {
  const MeshSharding *known = pin ? codec.decode(pin.attr) : nullptr;
  return known ? codec.onAxes(*known, rank) : std::nullopt;
}

/// Whether there are two pins, and they contradict each other.
static bool areContrary(ShardingCodec &codec, ValueSharding first, ValueSharding second,
                        size_t rank) {
  std::optional<MeshSharding> a = decoded(codec, first, rank), b = decoded(codec, second, rank);
  return a && b && contradict(*a, *b);
}

static std::string text(ValueSharding pin) { return pin.attr.getSpec().str(); }

static void report(const ProgramGraph::PinnedMember &member, mlir::Value first, bool isError) {
  mlir::Value value = member.op->getOperand(0);
  ValueSharding before = pinOf(first), pin = pinOf(value);
  mlir::InFlightDiagnostic diagnostic = isError ? member.op->emitError() : member.op->emitWarning();
  diagnostic << "'" << member.op->getName() << "' op ties a value pinned as " << text(pin)
             << " to group " << member.group << ", of which another is pinned as " << text(before)
             << (isError ? "; pin both alike, or one alone" : "; each stays as it is pinned");
  diagnostic.attachNote(value.getLoc()) << "pinned as " << text(pin) << " here";
  diagnostic.attachNote(first.getLoc()) << "pinned as " << text(before) << " here";
}

mlir::LogicalResult checkMembers(ProgramGraph &program, Conflicts conflicts) {
  bool isError = conflicts != Conflicts::shardy, failed = false;
  // Where callers made other axes manual, members are not tied.
  std::vector<llvm::ArrayRef<llvm::StringRef>> manualAxes(program.bodies.size());
  for (const ProgramGraph::Instance &instance : llvm::reverse(program.instances))
    manualAxes[instance.body] = instance.manualAxes;
  // Of each group the members that differ but agree, which are few: as many as mesh axes and dims
  // let grow out of each other.
  std::map<std::tuple<std::vector<llvm::StringRef>, int32_t, int32_t, uint64_t>,
           llvm::SmallVector<mlir::Value, 2>>
      distinct;
  for (const ProgramGraph::PinnedMember &member : program.pinnedMembers) {
    mlir::Value value = member.op->getOperand(0);
    ValueSharding pin = pinOf(value);
    size_t rank = tensorTypeOf(value).getRank();
    bool isInside = member.region != ShardGraph::none;
    auto &known =
        distinct[{manualAxes[member.body].vec(), isInside ? member.body : ShardGraph::none,
                  member.region, member.group}];
    auto contrary = llvm::find_if(known, [&](mlir::Value other) {
      return areContrary(program.codec, pinOf(other), pin, rank);
    });
    if (contrary != known.end()) {
      report(member, *contrary, isError);
      failed |= isError;
    } else if (llvm::none_of(known,
                             [&](mlir::Value other) { return pinOf(other).attr == pin.attr; })) {
      known.push_back(value);
    }
  }
  return mlir::failure(failed);
}

namespace {

/// The calls of a program, each with the pins on both sides of its border.
class CallPins {
public:
  explicit CallPins(ProgramGraph &program) : program(program) {}

  void look(const ProgramGraph::Call &call) {
    const ProgramGraph::Body &body = program.bodies[call.callee];
    if (body.shardings.empty())
      return; // Nothing is pinned inside.
    mlir::func::FuncOp callee = body.func;
    for (auto [i, operand] : llvm::enumerate(call.op->getOperands()))
      compare(call, "passes operand " + std::to_string(i), operand, pinOf(operand),
              callee.getArgument(i).getLoc(), pinOf(callee.getArgument(i)), "takes");
    for (auto [i, result] : llvm::enumerate(call.op->getResults())) {
      ValueSharding returned = shardingOfResult(callee, i);
      if (returned.state == ShardingState::pinned)
        compare(call, "has result " + std::to_string(i), result, pinOf(result), callee.getLoc(),
                returned, "returns");
    }
  }

private:
  void compare(const ProgramGraph::Call &call, const std::string &what, mlir::Value outside,
               ValueSharding outer, mlir::Location inside, ValueSharding inner, const char *verb) {
    mlir::RankedTensorType type = tensorTypeOf(outside);
    if (!type || !areContrary(program.codec, outer, inner, type.getRank()))
      return;
    mlir::InFlightDiagnostic remark =
        mlir::emitRemark(call.op->getLoc())
        << "'" << call.op->getName() << "' op " << what << " as " << text(outer) << ", which @"
        << program.bodies[call.callee].func.getSymName() << " " << verb << " as " << text(inner)
        << "; it is moved at every call";
    remark.attachNote(outside.getLoc()) << "pinned as " << text(outer) << " here";
    remark.attachNote(inside) << "pinned as " << text(inner) << " here";
  }

  ProgramGraph &program;
};

} // namespace

void remarkMovedAtCalls(ProgramGraph &program) {
  CallPins pins(program);
  for (const ProgramGraph::Body &body : program.bodies)
    for (const ProgramGraph::Call &call : body.calls)
      pins.look(call);
}

/// "argument 0 of @main", "'stablehlo.add' op result 0", "result 0 of @main".
static std::string describe(const ProgramGraph::Tensor &tensor, mlir::func::FuncOp func) {
  return tensor.value
             ? describeValue(tensor.value)
             : "result " + std::to_string(tensor.resultIndex) + " of @" + func.getSymName().str();
}

/// How many devices the program has, 0 if only meshes of one device say so.
static int64_t countDevices(ShardingCodec &codec) {
  for (int32_t i = 0; i < codec.numMeshes(); ++i)
    if (!codec.mesh(i).isMaximal() && !codec.mesh(i).isEmpty())
      return codec.mesh(i).numDevices();
  return 0;
}

/// Whether some sharding may name one device.
static bool hasMaximalMesh(const ShardingCodec &codec) {
  for (int32_t i = 0; i < codec.numMeshes(); ++i)
    if (codec.mesh(i).isMaximal())
      return true;
  return false;
}

mlir::LogicalResult checkPinsOfOneDevice(ProgramGraph &program) {
  bool failed = false;
  if (!hasMaximalMesh(program.codec))
    return mlir::success();
  int64_t numDevices = countDevices(program.codec);
  for (ProgramGraph::Body &body : program.bodies)
    for (const auto &[index, sharding] : body.shardings) {
      const MeshSharding *known = program.codec.decode(sharding.attr);
      if (!known || !program.codec.mesh(known->mesh).isMaximal())
        continue;
      const ProgramGraph::Tensor &tensor = body.tensors[index];
      mlir::Location loc = tensor.value ? tensor.value.getLoc() : body.func->getLoc();
      int64_t device = program.codec.mesh(known->mesh).deviceIds().front();
      std::string pinned = describe(tensor, body.func) + " is pinned to device ";
      if (numDevices == 0 || device < numDevices) {
        mlir::emitRemark(loc) << pinned << device
                              << "; every device holds it whole, that one included";
        continue;
      }
      mlir::emitError(loc) << pinned << device << "; the program has " << numDevices
                           << " devices, from 0 on";
      failed = true;
    }
  return mlir::failure(failed);
}

} // namespace spmd
