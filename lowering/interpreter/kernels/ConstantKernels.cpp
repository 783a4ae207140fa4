// constant, iota, partition_id and replica_id: what does not depend on tensors. All but the ids are
// computed once, and every device shares the result; what is too large to be kept is made where it
// is read.
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/Elements.h"
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

/// What takes more is made whenever it is read: who only asks what a program would move and hold
/// should not need the memory to run it.
static constexpr int64_t mostKeptBytes = int64_t{64} << 20;

/// As above, of the tensor of `type` that `fill` makes.
static absl::StatusOr<Kernel> yielding(const TensorType &type, std::function<void(Tensor &)> fill) {
  if (type.sizeInBytes() > mostKeptBytes)
    return Kernel{[fill = std::move(fill)](const KernelCall &call) {
      fill(call.outputs[0]);
      return absl::OkStatus();
    }};
  SPMD_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(type));
  fill(tensor);
  return yielding(std::move(tensor));
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
  if (splat)
    return yielding(type, [element = bytes](Tensor &tensor) {
      fillElements(tensor.mutableData(), tensor.numElements(),
                   reinterpret_cast<const std::byte *>(element.data()),
                   static_cast<int64_t>(element.size()));
      normalize(tensor);
    });
  SPMD_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(type));
  if (!bytes.empty())
    std::copy_n(reinterpret_cast<const std::byte *>(bytes.data()), bytes.size(),
                tensor.mutableData());
  normalize(tensor);
  return yielding(std::move(tensor));
}

/// Makes one element of each, and every line along `dim` a copy of them.
static void count(Tensor &tensor, int64_t dim) {
  const TensorType &type = tensor.type();
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
}

static absl::StatusOr<Kernel> prepareIota(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(0, 1));
  const TensorType &type = request.results[0];
  SPMD_ASSIGN_OR_RETURN(int64_t dim, dimOf(request.attributes(), "iota_dimension", type.rank()));
  if (type.element == ElementType::i1)
    return invalid("is not defined for i1");
  return yielding(type, [dim](Tensor &tensor) { count(tensor, dim); });
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
