// reshape, bitcast_convert and optimization_barrier: the same bytes under another type, shared.
// Only elements of less than 8 bits, which take a byte each, are packed and unpacked.
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/Storage.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"

#include <cstring>

namespace spmd {

/// Returns a kernel whose results are its operands, as `types`.
static Kernel sharing(const std::vector<TensorType> &types) {
  Kernel kernel;
  kernel.definesOutputs = true;
  std::vector<TypeRef> refs;
  for (const TensorType &type : types)
    refs.emplace_back(type);
  kernel.run = [refs = std::move(refs)](const KernelCall &call) {
    for (size_t i = 0; i < refs.size(); ++i)
      call.outputs[i] = Tensor(refs[i], call.inputs[i].buffer());
    return absl::OkStatus();
  };
  return kernel;
}

static absl::StatusOr<Kernel> prepareReshape(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(1, 1));
  const TensorType &from = request.operands[0], &to = request.results[0];
  if (from.element != to.element || from.numElements() != to.numElements())
    return invalid("takes ", from.str(), " to ", to.str(), ", which hold different elements");
  return sharing(request.results);
}

/// Returns a kernel that sees its operand as a row of bits, the lowest of each element first.
static Kernel repacking(int fromBits, int toBits, ElementType to) {
  return Kernel{[=](const KernelCall &call) {
    const Tensor &in = call.inputs[0], &out = call.outputs[0];
    auto bytesOf = [](int bits) { return (bits + 7) / 8; };
    auto *source = reinterpret_cast<const uint8_t *>(in.data());
    auto *target = reinterpret_cast<uint8_t *>(out.mutableData());
    std::memset(target, 0, out.sizeInBytes());
    for (int64_t bit = 0; bit < in.numElements() * fromBits; ++bit) {
      int64_t from = bit % fromBits, into = bit % toBits;
      const uint8_t *byte = source + bit / fromBits * bytesOf(fromBits) + from / 8;
      bool isSet = *byte >> (from % 8) & 1;
      target[bit / toBits * bytesOf(toBits) + into / 8] |= isSet << (into % 8);
    }
    if (isInteger(to) && storageOf(to).round) // Signs fill the byte.
      storageOf(to).round(out.numElements(), target);
    return absl::OkStatus();
  }};
}

static absl::StatusOr<Kernel> prepareBitcast(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(1, 1));
  const TensorType &from = request.operands[0], &to = request.results[0];
  int fromBits = bitWidth(from.element), toBits = bitWidth(to.element);
  // Rank and leading dims agree but for the dim that the wider element is made of.
  const TensorType &narrow = fromBits < toBits ? from : to, &wide = fromBits < toBits ? to : from;
  Ints expected = wide.shape;
  if (fromBits != toBits)
    expected.push_back(bitWidth(wide.element) / bitWidth(narrow.element));
  if (narrow.shape != expected)
    return invalid("takes ", from.str(), " to ", to.str(), ", which differ in shape or in bits");
  bool isPacked =
      std::min(fromBits, toBits) < 8 &&
      (fromBits != toBits || isSignedInteger(from.element) != isSignedInteger(to.element));
  return isPacked ? repacking(fromBits, toBits, to.element) : sharing(request.results);
}

static absl::StatusOr<Kernel> prepareBarrier(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(request.results.size(), request.operands.size()));
  for (size_t i = 0; i < request.results.size(); ++i)
    SPMD_RETURN_IF_ERROR(expectType("result", request.results[i], request.operands[i]));
  return sharing(request.results);
}

void addShapeKernels(KernelRegistry &registry) {
  registry.addKernel("reshape", prepareReshape);
  registry.addKernel("bitcast_convert", prepareBitcast);
  registry.addKernel("optimization_barrier", prepareBarrier);
}

} // namespace spmd
