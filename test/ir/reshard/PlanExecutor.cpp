#include "PlanExecutor.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include <algorithm>
#include <map>
#include <set>

namespace spmd::test {

static int64_t identity(ReductionKind kind) {
  switch (kind) {
  case ReductionKind::max:
    return INT64_MIN;
  case ReductionKind::min:
    return INT64_MAX;
  case ReductionKind::product:
    return 1;
  case ReductionKind::logicalAnd:
    return -1;
  default:
    return 0;
  }
}

static int64_t combine(ReductionKind kind, int64_t a, int64_t b) {
  if (a == poison || b == poison)
    return poison;
  switch (kind) {
  case ReductionKind::sum:
    return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  case ReductionKind::max:
    return std::max(a, b);
  case ReductionKind::min:
    return std::min(a, b);
  case ReductionKind::product:
    return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  case ReductionKind::logicalAnd:
    return a & b;
  case ReductionKind::logicalOr:
    return a | b;
  case ReductionKind::logicalXor:
    return a ^ b;
  }
  return 0;
}

/// Calls `visit` with every index into `shape`, in row-major order.
template <typename Visit> static void forEach(absl::Span<const int64_t> shape, Visit visit) {
  Shape index(shape.size(), 0);
  for (int64_t count = numElements(shape); count > 0; --count) {
    visit(index);
    for (size_t d = shape.size(); d-- > 0 && ++index[d] == shape[d];)
      index[d] = 0;
  }
}

static int64_t flat(absl::Span<const int64_t> shape, absl::Span<const int64_t> index) {
  int64_t position = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (index[d] < 0 || index[d] >= shape[d])
      return -1;
    position = position * shape[d] + index[d];
  }
  return position;
}

/// The share of an element: a small number that is never 0.
static int64_t shareOf(int64_t element, int64_t share) {
  uint64_t mixed = (element * 31 + share + 7) * 0x9E3779B97F4A7C15ull;
  mixed ^= mixed >> 29;
  int64_t number = static_cast<int64_t>(mixed % 2001) - 1000;
  return number == 0 ? 1001 : number;
}

static int64_t valueOf(const Layout &layout, int64_t element) {
  int64_t value = identity(layout.sharding.kind);
  for (int64_t share = 0; share < sizeOf(layout.sharding.unreduced); ++share)
    value = combine(layout.sharding.kind, value, shareOf(element, share));
  return value;
}

std::vector<Block> blocksOf(const Layout &layout, absl::Span<const int64_t> globalShape) {
  const Mesh &mesh = *layout.mesh;
  std::vector<int64_t> local = localShape(layout.sharding, globalShape);
  std::vector<Block> blocks(mesh.numDevices());
  for (int64_t position = 0; position < mesh.numDevices(); ++position) {
    Shard shard = shardAt(mesh, layout.sharding, globalShape, position);
    int64_t share = coordinateOf(mesh, position, layout.sharding.unreduced);
    Block &block = blocks[mesh.deviceAt(position)];
    forEach(local, [&](Shape index) {
      bool owned = true;
      for (size_t d = 0; d < index.size(); ++d) {
        owned &= index[d] < shard.sizes[d];
        index[d] += shard.offsets[d];
      }
      block.push_back(owned ? shareOf(flat(globalShape, index), share) : poison);
    });
  }
  return blocks;
}

std::string compare(const Layout &from, const Layout &to, absl::Span<const int64_t> globalShape,
                    const std::vector<Block> &blocks) {
  const Mesh &mesh = *to.mesh;
  std::vector<int64_t> local = localShape(to.sharding, globalShape);
  AxisList others = complement(mesh, to.sharding.unreduced);
  std::map<int64_t, std::vector<int64_t>> groups;
  for (int64_t position = 0; position < mesh.numDevices(); ++position)
    groups[coordinateOf(mesh, position, others)].push_back(position);
  std::string wrong;
  for (const auto &entry : groups) {
    const std::vector<int64_t> &members = entry.second;
    Shard shard = shardAt(mesh, to.sharding, globalShape, members[0]);
    forEach(shard.sizes, [&](Shape index) {
      int64_t place = flat(local, index);
      for (size_t d = 0; d < index.size(); ++d)
        index[d] += shard.offsets[d];
      int64_t seen = identity(to.sharding.kind), element = flat(globalShape, index);
      for (int64_t position : members)
        seen = combine(to.sharding.kind, seen, blocks[mesh.deviceAt(position)][place]);
      if (int64_t value = valueOf(from, element); seen != value && wrong.empty())
        wrong = absl::StrCat("element (", absl::StrJoin(index, ", "), ") on device ",
                             mesh.deviceAt(members[0]), " is ",
                             seen == poison ? "poison" : absl::StrCat(seen), ", should be ", value);
    });
  }
  return wrong;
}

namespace {

/// Runs one step at a time for all devices.
class Machine {
public:
  Machine(const Plan &plan, int64_t &elementsSent) : plan(plan), elementsSent(elementsSent) {}

  std::vector<Block> run(const Step &step, const std::vector<Block> &operand,
                         const std::vector<Block> *into) {
    in = step.inputShape;
    out = step.outputShape;
    numDevices = operand.size();
    std::vector<Block> result(numDevices);
    if (step.kind == StepKind::permute) {
      for (Block &block : result)
        block.assign(numElements(out), poison);
      std::set<int64_t> sources;
      for (auto [source, target] : plan.pairs(step)) {
        result[target] = operand[source];
        elementsSent += source == target ? 0 : numElements(in);
        if (!sources.insert(source).second)
          return {}; // Sends twice.
      }
      return result;
    }
    if (step.isCollective())
      elementsSent += step.wireElements() * numDevices;
    for (int64_t device = 0; device < numDevices; ++device)
      result[device] = runOn(step, device, operand, into);
    return result;
  }

private:
  int64_t coordinate(int64_t device, MeshSide side, absl::Span<const AxisRef> axes) const {
    const Mesh &mesh = plan.mesh(side);
    return coordinateOf(mesh, mesh.positionOf(device), axes);
  }
  /// Returns the devices of the group, in order.
  std::vector<int64_t> groupOf(const Step &step, int64_t device) const {
    AxisList others = complement(plan.mesh(step.side), step.axes);
    std::vector<int64_t> group(sizeOf(step.axes));
    for (int64_t other = 0; other < numDevices; ++other)
      if (coordinate(other, step.side, others) == coordinate(device, step.side, others))
        group[coordinate(other, step.side, step.axes)] = other;
    return group;
  }

  /// Returns the element at `index` of a block of the operand's shape, poison beyond its end.
  int64_t at(const Block &block, const Shape &index) const {
    int64_t place = flat(in, index);
    return place < 0 ? poison : block[place];
  }

  Block runOn(const Step &step, int64_t device, const std::vector<Block> &operand,
              const std::vector<Block> *into) {
    const Block &own = operand[device];
    int64_t offset = step.offset.evaluate([&](MeshSide side, absl::Span<const AxisRef> axes) {
      return coordinate(device, side, axes);
    });
    int64_t fill = step.fill.identityOf ? identity(*step.fill.identityOf) : poison;
    std::vector<int64_t> group;
    if (step.isCollective())
      group = groupOf(step, device);
    int64_t rank = std::find(group.begin(), group.end(), device) - group.begin();
    int64_t groupSize = group.size();
    Block block;
    auto reduced = [&](const Shape &index) {
      int64_t value = identity(step.reduction);
      for (int64_t other : group)
        value = combine(step.reduction, value, at(operand[other], index));
      return value;
    };
    forEach(out, [&](const Shape &index) {
      Shape source = index;
      switch (step.kind) {
      case StepKind::reshape:
        return block.push_back(own[block.size()]);
      case StepKind::transpose:
        for (size_t d = 0; d < index.size(); ++d)
          source[step.permutation[d]] = index[d];
        return block.push_back(at(own, source));
      case StepKind::pad:
      case StepKind::trim:
        return block.push_back(at(own, source));
      case StepKind::dynamicSlice:
        if (offset < 0 || offset + out[step.dim] > in[step.dim])
          return block.push_back(poison);
        source[step.dim] += offset;
        return block.push_back(at(own, source));
      case StepKind::dynamicUpdate: {
        source[step.dim] -= offset;
        bool inside = source[step.dim] >= 0 && source[step.dim] < in[step.dim];
        bool fits = offset >= 0 && offset + in[step.dim] <= out[step.dim];
        int64_t old = into ? (*into)[device][block.size()] : fill;
        return block.push_back(!fits ? poison : inside ? at(own, source) : old);
      }
      case StepKind::allGather:
        source[step.dim] = index[step.dim] % in[step.dim];
        return block.push_back(at(operand[group[index[step.dim] / in[step.dim]]], source));
      case StepKind::allToAll: {
        // Sizes of a piece along the dims, which may be the same dim.
        int64_t rows = in[step.concatDim];
        if (step.concatDim == step.dim)
          rows /= groupSize;
        int64_t sender = index[step.concatDim] / rows;
        source[step.concatDim] = index[step.concatDim] % rows;
        source[step.dim] += rank * (in[step.dim] / groupSize);
        return block.push_back(at(operand[group[sender]], source));
      }
      case StepKind::reduceScatter:
        source[step.dim] += rank * out[step.dim];
        return block.push_back(reduced(source));
      case StepKind::allReduce:
        return block.push_back(reduced(source));
      case StepKind::mask:
        return block.push_back(coordinate(device, step.side, step.axes) == offset ? at(own, source)
                                                                                  : fill);
      case StepKind::permute:
        break;
      }
    });
    return block;
  }

  const Plan &plan;
  int64_t &elementsSent;
  Shape in, out;
  int64_t numDevices = 0;
};

} // namespace

std::vector<Block> execute(const Plan &plan, std::vector<Block> blocks, int64_t &elementsSent) {
  std::vector<std::vector<Block>> registers{std::move(blocks)};
  Machine machine(plan, elementsSent);
  for (const Step &step : plan.steps()) {
    const std::vector<Block> *into =
        step.into == Step::noRegister ? nullptr : &registers[step.into];
    std::vector<Block> result = machine.run(step, registers[step.operand], into);
    registers.push_back(std::move(result));
  }
  return registers.back();
}

} // namespace spmd::test
