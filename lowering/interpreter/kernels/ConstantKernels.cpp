// constant, iota, partition_id and replica_id: what does not depend on tensors. All but the ids are
// computed once, and every device shares the result.
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/Storage.h"
#include "spmd/lowering/interpreter/StridedCopy.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"

namespace spmd {

/// Returns a kernel whose result is always `tensor`.
static Kernel yielding(Tensor tensor) {
  Kernel kernel;
  kernel.definesOutputs = true;
  kernel.run = [tensor](const KernelCall &call) {
    call.outputs[0] = tensor;
    return absl::OkStatus();
  };
  kernel.constant = std::move(tensor);
  return kernel;
}

static absl::StatusOr<Kernel> prepareConstant(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(0, 1));
  SPMD_ASSIGN_OR_RETURN(int64_t pool, request.attributes().get<int64_t>("pool"));
  SPMD_ASSIGN_OR_RETURN(bool splat, request.attributes().getOr<bool>("splat", false));
  if (pool < 0 || pool >= static_cast<int64_t>(request.program.constants.size()))
    return invalid("constant #", pool, " is none of the ", request.program.constants.size());
  const std::string &bytes = request.program.constants[pool];
  const TensorType &type = request.results[0];
  int64_t elementBytes = storedBytes(type.element);
  int64_t expected = splat ? elementBytes : type.sizeInBytes();
  if (static_cast<int64_t>(bytes.size()) != expected)
    return invalid("constant #", pool, " has ", bytes.size(), " bytes; ",
                   splat ? "a splat of " : "", type.str(), " takes ", expected);
  SPMD_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(type));
  auto *source = reinterpret_cast<const std::byte *>(bytes.data());
  if (splat)
    fillElements(tensor.mutableData(), tensor.numElements(), source, elementBytes);
  else if (!bytes.empty())
    std::copy_n(source, bytes.size(), tensor.mutableData());
  // Kernels rely on 0 and 1, and on sign bits that fill the byte.
  if (type.element == ElementType::i1)
    for (int64_t i = 0; i < tensor.numElements(); ++i)
      tensor.mutableAs<uint8_t>()[i] = tensor.as<uint8_t>()[i] != 0;
  else if (isInteger(type.element) && storageOf(type.element).round)
    storageOf(type.element).round(tensor.numElements(), tensor.mutableData());
  return yielding(std::move(tensor));
}

static absl::StatusOr<Kernel> prepareIota(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(0, 1));
  const TensorType &type = request.results[0];
  SPMD_ASSIGN_OR_RETURN(int64_t dim, dimOf(request.attributes(), "iota_dimension", type.rank()));
  if (type.element == ElementType::i1)
    return invalid("is not defined for i1");
  SPMD_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(type));
  // One element of each, then every line along the dim is a copy of them.
  int64_t size = type.shape[dim];
  const Storage &storage = storageOf(type.element);
  std::vector<std::byte> native(size * storage.nativeBytes), line(size * storedBytes(type.element));
  visitNative(type.element, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    auto *values = reinterpret_cast<T *>(native.data());
    for (int64_t i = 0; i < size; ++i)
      values[i] = static_cast<T>(i);
  });
  if (storage.isDirect())
    line = native;
  else
    storage.store(size, native.data(), line.data());
  Ints strides(type.rank(), 0);
  strides[dim] = 1;
  copyBox({type.shape, strides, rowMajorStrides(type.shape)}, storedBytes(type.element),
          line.data(), tensor.mutableData());
  return yielding(std::move(tensor));
}

template <bool isPartition> static absl::StatusOr<Kernel> prepareId(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(0, 1));
  SPMD_RETURN_IF_ERROR(expectType("result", request.results[0], {ElementType::ui32, {}}));
  int64_t partitions = request.program.numDevices / request.program.numReplicas;
  return Kernel{[partitions](const KernelCall &call) {
    call.outputs[0].mutableAs<uint32_t>()[0] =
        isPartition ? call.device % partitions : call.device / partitions;
    return absl::OkStatus();
  }};
}

void addConstantKernels(KernelRegistry &registry) {
  registry.addKernel("constant", prepareConstant);
  registry.addKernel("iota", prepareIota);
  registry.addKernel("partition_id", prepareId<true>);
  registry.addKernel("replica_id", prepareId<false>);
}

} // namespace spmd
