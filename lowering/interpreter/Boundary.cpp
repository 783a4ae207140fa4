#include "spmd/lowering/interpreter/Boundary.h"

#include "spmd/ir/sharding/Spec.h"
#include "spmd/lowering/interpreter/Combiner.h"
#include "spmd/lowering/interpreter/Elements.h"
#include "spmd/lowering/interpreter/StatusMacros.h"
#include "spmd/lowering/interpreter/Storage.h"
#include "spmd/lowering/interpreter/StridedCopy.h"

#include <bitset>
#include <cstring>
#include <map>
#include <optional>

namespace spmd {
namespace {

/// A boundary with its texts read.
struct Placement {
  Mesh mesh;
  Sharding sharding;
  TensorType global;
  TensorType local;
  /// Positions of the mesh that hold data. A maximal mesh has one, an empty one stands for any
  /// devices.
  int64_t numPositions;
  bool isWhole; // Every position holds everything.

  static absl::StatusOr<Placement> create(const Boundary &boundary, int64_t numDevices);

  int64_t deviceAt(int64_t position) const {
    return mesh.isEmpty() ? position : mesh.deviceAt(position);
  }
  Shard shardAt(int64_t position) const {
    return isWhole ? Shard{std::vector<int64_t>(global.rank(), 0), global.shape}
                   : spmd::shardAt(mesh, sharding, global.shape, position);
  }
  /// Returns a number that positions share which hold addends of one value.
  int64_t addendGroupOf(int64_t position) const {
    return isWhole ? position : coordinateOf(mesh, position, complement(mesh, sharding.unreduced));
  }
  /// Returns which addend `position` holds, 0 if there is but one.
  int64_t addendOf(int64_t position) const {
    return isWhole ? 0 : coordinateOf(mesh, position, sharding.unreduced);
  }
};

absl::StatusOr<Placement> Placement::create(const Boundary &boundary, int64_t numDevices) {
  Placement out;
  out.global = out.local = boundary.global;
  SPMD_ASSIGN_OR_RETURN(out.mesh, meshFromText(boundary.mesh));
  SPMD_ASSIGN_OR_RETURN(ShardingSpec spec, shardingFromText(boundary.sharding));
  SPMD_ASSIGN_OR_RETURN(out.sharding, resolve(out.mesh, spec));
  SPMD_RETURN_IF_ERROR(spmd::verify(out.mesh, out.sharding, boundary.global.shape));
  out.isWhole = out.mesh.isMaximal() || out.mesh.isEmpty();
  out.numPositions = out.mesh.isEmpty() ? numDevices : out.mesh.numDevices();
  if (!out.mesh.isMaximal() && out.numPositions != numDevices)
    return invalid("mesh ", boundary.mesh, " has ", out.numPositions, " devices, the program ",
                   numDevices);
  for (int64_t position = 0; position < out.numPositions; ++position)
    if (int64_t device = out.deviceAt(position); device >= numDevices)
      return invalid("mesh ", boundary.mesh, " names device ", device, " of ", numDevices);
  if (!out.isWhole)
    out.local.shape = localShape(out.sharding, boundary.global.shape);
  return out;
}

absl::StatusOr<Tensor> filled(const TensorType &type, const std::string &element) {
  SPMD_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(type));
  fillElements(tensor.mutableData(), tensor.numElements(),
               reinterpret_cast<const std::byte *>(element.data()), element.size());
  return tensor;
}

/// Returns a tensor of poison, high first, then high and low in a pattern of no period.
absl::StatusOr<Tensor> poisoned(const TensorType &type) {
  const std::string poison[] = {poisonOf(type.element, false), poisonOf(type.element, true)};
  if (poison[0] == poison[1])
    return filled(type, poison[0]);
  SPMD_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(type));
  size_t bytes = poison[0].size();
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    std::memcpy(tensor.mutableData() + i * bytes, poison[1 - std::bitset<64>(i).count() % 2].data(),
                bytes);
  return tensor;
}

/// Copies the elements of `shard` between a global tensor and the start of a local one.
CopyBox boxOf(const Placement &placement, const Shard &shard) {
  return {shard.sizes, rowMajorStrides(placement.global.shape),
          rowMajorStrides(placement.local.shape)};
}

int64_t firstByteOf(const Placement &placement, const Shard &shard) {
  return offsetOf(shard.offsets, rowMajorStrides(placement.global.shape)) *
         storedBytes(placement.global.element);
}

absl::StatusOr<Tensor> cutShard(const Placement &placement, const Tensor &global,
                                const Shard &shard) {
  bool hasPadding = shard.sizes != placement.local.shape;
  SPMD_ASSIGN_OR_RETURN(Tensor local,
                        hasPadding ? poisoned(placement.local) : Tensor::allocate(placement.local));
  if (!shard.isEmpty())
    copyBox(boxOf(placement, shard), storedBytes(global.type().element),
            global.data() + firstByteOf(placement, shard), local.mutableData());
  return local;
}

/// Returns the bytes of 1 in `element`.
std::string oneOf(ElementType element) {
  return visitNative(element, [&](auto tag) {
    typename decltype(tag)::Type native(1);
    std::string bytes(storedBytes(element), '\0');
    if (const Storage &storage = storageOf(element); storage.isDirect())
      std::memcpy(bytes.data(), &native, bytes.size());
    else
      storage.store(1, &native, bytes.data());
    return bytes;
  });
}

/// Returns whether the value may be counted any number of times, so that every device can hold it.
bool isIdempotent(ReductionKind kind) {
  return kind != ReductionKind::sum && kind != ReductionKind::product &&
         kind != ReductionKind::logicalXor;
}

const char *opOf(ReductionKind kind) {
  switch (kind) {
  case ReductionKind::sum:
    return "add";
  case ReductionKind::max:
    return "maximum";
  case ReductionKind::min:
    return "minimum";
  case ReductionKind::product:
    return "multiply";
  case ReductionKind::logicalAnd:
    return "and";
  case ReductionKind::logicalOr:
    return "or";
  case ReductionKind::logicalXor:
    break;
  }
  return "xor";
}

absl::StatusOr<Combiner> combinerOf(const Placement &placement, const KernelRegistry &registry) {
  DeviceProgram program;
  Function &body = program.functions.emplace_back();
  body.name = "reduction";
  body.values.assign(3, {placement.global.element, {}});
  body.numArguments = 2;
  body.instructions = {Instruction{opOf(placement.sharding.kind), {0, 1}, {2}}};
  body.results = {2};
  return Combiner::create(program, /*body=*/0, {placement.global.element}, registry);
}

/// A part, its addends combined, and the device that held the first.
struct Part {
  Tensor tensor;
  int64_t position;
};

/// Combines addends over unreduced axes, in order of positions.
absl::StatusOr<std::vector<Part>> reduceParts(const Placement &placement,
                                              absl::Span<const Tensor> locals,
                                              const KernelRegistry &registry) {
  std::optional<Combiner> combiner;
  if (!placement.isWhole && !placement.sharding.unreduced.empty()) {
    SPMD_ASSIGN_OR_RETURN(combiner, combinerOf(placement, registry));
  }
  std::vector<Part> parts;
  std::map<int64_t, size_t> partOf;
  for (int64_t position = 0; position < placement.numPositions; ++position) {
    const Tensor &local = locals[placement.deviceAt(position)];
    auto [it, isFirst] = partOf.try_emplace(placement.addendGroupOf(position), parts.size());
    if (!isFirst) {
      Tensor &sum = parts[it->second].tensor;
      SPMD_RETURN_IF_ERROR(
          combiner->combine(sum.numElements(), {sum.mutableData()}, {local.data()}));
      continue;
    }
    parts.push_back({local, position});
    if (combiner) { // Summed up in a copy.
      SPMD_ASSIGN_OR_RETURN(parts.back().tensor,
                            Tensor::fromBytes(local.type(), local.data(), local.sizeInBytes()));
    }
  }
  return parts;
}

/// DataLoss if the elements of `part` differ from those of `first`, which holds the same shard.
absl::Status expectReplica(const Placement &placement, const Part &first, const Part &part,
                           const Shard &shard) {
  if (shard.isEmpty() || first.tensor.buffer() == part.tensor.buffer() ||
      std::memcmp(first.tensor.data(), part.tensor.data(), part.tensor.sizeInBytes()) == 0)
    return absl::OkStatus();
  std::vector<int64_t> strides = rowMajorStrides(placement.local.shape),
                       index(shard.sizes.size(), 0);
  int64_t bytes = storedBytes(placement.local.element);
  do {
    int64_t i = offsetOf(index, strides);
    if (std::memcmp(first.tensor.data() + i * bytes, part.tensor.data() + i * bytes, bytes) == 0)
      continue;
    return absl::DataLossError(absl::StrCat(
        "device ", placement.deviceAt(part.position), " holds ", elementText(part.tensor, i),
        " at ", indexText(placement.local.shape, i), " of its part, device ",
        placement.deviceAt(first.position), " holds ", elementText(first.tensor, i)));
  } while (nextIndex(index, shard.sizes));
  return absl::OkStatus();
}

} // namespace

absl::StatusOr<std::vector<Tensor>> cut(const Boundary &boundary, const Tensor &global,
                                        int64_t numDevices) {
  SPMD_ASSIGN_OR_RETURN(Placement placement, Placement::create(boundary, numDevices));
  if (global.type() != boundary.global)
    return invalid("tensor has type ", global.type().str(), "; expected ", boundary.global.str());
  std::vector<Tensor> locals(numDevices);
  std::map<std::vector<int64_t>, Tensor> byOffset;
  Tensor neutral;
  for (int64_t position = 0; position < placement.numPositions; ++position) {
    Tensor &local = locals[placement.deviceAt(position)];
    ReductionKind kind = placement.sharding.kind;
    if (placement.addendOf(position) != 0 && !isIdempotent(kind)) {
      if (!neutral) {
        ElementType element = global.type().element;
        std::string zero(storedBytes(element), '\0');
        SPMD_ASSIGN_OR_RETURN(
            neutral,
            filled(placement.local, kind == ReductionKind::product ? oneOf(element) : zero));
      }
      local = neutral;
      continue;
    }
    Shard shard = placement.shardAt(position);
    Tensor &shared = byOffset[shard.offsets];
    if (!shared && shard.sizes == placement.global.shape)
      shared = global;
    if (!shared) {
      SPMD_ASSIGN_OR_RETURN(shared, cutShard(placement, global, shard));
    }
    local = shared;
  }
  Tensor poison;
  for (Tensor &local : locals)
    if (!local) {
      if (!poison) {
        SPMD_ASSIGN_OR_RETURN(poison, poisoned(placement.local));
      }
      local = poison;
    }
  return locals;
}

absl::Status setGlobalShape(Boundary &boundary, std::vector<int64_t> shape, int64_t numDevices) {
  SPMD_ASSIGN_OR_RETURN(Placement before, Placement::create(boundary, numDevices));
  TensorType global = boundary.global;
  std::swap(boundary.global.shape, shape);
  absl::StatusOr<Placement> after = Placement::create(boundary, numDevices);
  if (after.ok() && after->local == before.local)
    return absl::OkStatus();
  std::swap(boundary.global, global);
  if (!after.ok())
    return after.status();
  return invalid("one device's part of ", global.str(), " is ", after->local.str(),
                 "; the program has ", before.local.str());
}

/// Returns what all devices hold, or an empty tensor if they differ.
static Tensor commonOf(absl::Span<const Tensor> locals) {
  for (const Tensor &local : locals)
    if (local.data() != locals[0].data() &&
        std::memcmp(local.data(), locals[0].data(), local.sizeInBytes()) != 0)
      return {};
  return locals[0];
}

absl::StatusOr<Tensor> join(const Boundary &boundary, absl::Span<const Tensor> locals,
                            const KernelRegistry &registry) {
  SPMD_ASSIGN_OR_RETURN(Placement placement, Placement::create(boundary, locals.size()));
  for (size_t device = 0; device < locals.size(); ++device)
    if (!locals[device] || locals[device].type() != placement.local)
      return invalid("device ", device, " holds ",
                     locals[device] ? locals[device].type().str() : "nothing", "; expected ",
                     placement.local.str());
  SPMD_ASSIGN_OR_RETURN(std::vector<Part> parts, reduceParts(placement, locals, registry));
  if (parts.size() == 1 && placement.local == placement.global)
    return parts[0].tensor;
  SPMD_ASSIGN_OR_RETURN(Tensor global, Tensor::allocate(placement.global));
  std::map<std::vector<int64_t>, const Part *> firsts;
  for (const Part &part : parts) {
    Shard shard = placement.shardAt(part.position);
    if (shard.isEmpty())
      continue;
    auto [it, isFirst] = firsts.try_emplace(shard.offsets, &part);
    if (!isFirst) {
      SPMD_RETURN_IF_ERROR(expectReplica(placement, *it->second, part, shard));
      continue;
    }
    CopyBox box = boxOf(placement, shard);
    std::swap(box.sourceStrides, box.targetStrides);
    copyBox(box, storedBytes(global.type().element), part.tensor.data(),
            global.mutableData() + firstByteOf(placement, shard));
  }
  return global;
}

absl::StatusOr<std::vector<std::vector<Tensor>>> cutArguments(const DeviceProgram &program,
                                                              absl::Span<const Tensor> globals) {
  if (globals.size() != program.arguments.size())
    return invalid("program takes ", program.arguments.size(), " arguments, not ", globals.size());
  std::vector<std::vector<Tensor>> arguments(program.numDevices);
  for (size_t i = 0; i < globals.size(); ++i) {
    auto locals = cut(program.arguments[i], globals[i], program.numDevices);
    if (!locals.ok())
      return absl::Status(locals.status().code(),
                          absl::StrCat("argument ", i, ": ", locals.status().message()));
    for (size_t device = 0; device < arguments.size(); ++device)
      arguments[device].push_back(std::move((*locals)[device]));
  }
  return arguments;
}

absl::StatusOr<std::vector<Tensor>> joinResults(const DeviceProgram &program,
                                                const std::vector<std::vector<Tensor>> &results,
                                                const KernelRegistry &registry) {
  std::vector<Tensor> globals;
  for (size_t i = 0; i < program.results.size(); ++i) {
    std::vector<Tensor> locals;
    for (const std::vector<Tensor> &device : results) {
      if (device.size() != program.results.size())
        return invalid("program has ", program.results.size(), " results, not ", device.size());
      locals.push_back(device[i]);
    }
    if (program.results[i].known == Known::part) {
      globals.push_back(commonOf(locals));
      continue;
    }
    absl::StatusOr<Tensor> global = join(program.results[i], locals, registry);
    if (!global.ok())
      return absl::Status(global.status().code(),
                          absl::StrCat("result ", i, ": ", global.status().message()));
    globals.push_back(*std::move(global));
  }
  return globals;
}

} // namespace spmd
