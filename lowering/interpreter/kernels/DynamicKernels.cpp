// Ops whose sizes are operands, and get_dimension_size: the types of the results say what the sizes
// must be, so that each runs as its static relative, prepared when the sizes are known.
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/kernels/Indices.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"

namespace spmd {
namespace {

/// An operand that becomes a list attribute.
struct SizeOperand {
  size_t operand;
  const char *attribute;
};

/// Reads all elements of an integer tensor.
Ints integersOf(const Tensor &tensor) {
  IndexReader reader = indexReaderOf(tensor.type().element);
  Ints values;
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    values.push_back(reader(tensor.data(), i));
  return values;
}

/// What is needed to prepare the static op at run time. The program is that of the request, which
/// need not live as long: what the static op needs of it is copied.
struct StaticRelative {
  std::string op;
  size_t numOperands; ///< Those that are not sizes come first.
  std::vector<SizeOperand> sizes;
  Instruction instruction;
  std::vector<TensorType> operands, results;
  std::shared_ptr<const KernelRegistry> registry;

  absl::Status run(const KernelCall &call) const {
    DeviceProgram program;
    Instruction bound = instruction;
    bound.op = op;
    bound.operands.resize(numOperands);
    for (const SizeOperand &size : sizes)
      bound.attributes.set(size.attribute, integersOf(call.inputs[size.operand]));
    const KernelFactory *factory = registry->findKernel(op);
    KernelRequest request{program, bound, operands, results, *registry};
    SPMD_ASSIGN_OR_RETURN(Kernel kernel, (*factory)(request));
    return kernel.run({call.inputs.subspan(0, numOperands), call.outputs, call.device});
  }
};

/// Registers `op`, which is `relative` once the operands in `sizes` are attributes.
void addDynamic(KernelRegistry &registry, const char *op, const char *relative, size_t numOperands,
                const std::vector<SizeOperand> &sizes) {
  registry.addKernel(op, [=](const KernelRequest &request) -> absl::StatusOr<Kernel> {
    SPMD_RETURN_IF_ERROR(request.expectCounts(numOperands + sizes.size(), 1));
    for (const SizeOperand &size : sizes)
      if (!indexReaderOf(request.operands[size.operand].element))
        return invalid("operand ", size.operand, " has type ", request.operands[size.operand].str(),
                       "; expected integers");
    StaticRelative out{relative,
                       numOperands,
                       sizes,
                       request.instruction,
                       {request.operands.begin(), request.operands.begin() + numOperands},
                       request.results,
                       std::make_shared<const KernelRegistry>(request.registry)};
    Kernel kernel;
    kernel.definesOutputs = false;
    kernel.run = [out = std::move(out)](const KernelCall &call) { return out.run(call); };
    return kernel;
  });
}

/// The size operand of an op whose result type says it all: only checked.
absl::Status expectShape(const KernelCall &call, size_t operand) {
  Ints asked = integersOf(call.inputs[operand]);
  const TensorType &type = call.outputs[0].type();
  return asked == type.shape
             ? absl::OkStatus()
             : invalid("asks for a result of ", TensorType{type.element, asked}.str(),
                       "; its type is ", type.str());
}

/// Registers `op`, whose operand number `numOperands` is the shape of the result.
void addShaped(KernelRegistry &registry, const char *op, const char *relative, size_t numOperands) {
  registry.addKernel(op, [=](const KernelRequest &request) -> absl::StatusOr<Kernel> {
    SPMD_RETURN_IF_ERROR(request.expectCounts(numOperands + 1, 1));
    if (!indexReaderOf(request.operands[numOperands].element))
      return invalid("has a shape of type ", request.operands[numOperands].str());
    Instruction instruction = request.instruction;
    instruction.op = relative;
    instruction.operands.resize(numOperands);
    std::vector<TensorType> operands(request.operands.begin(),
                                     request.operands.begin() + numOperands);
    SPMD_ASSIGN_OR_RETURN(Kernel kernel, (*request.registry.findKernel(relative))(
                                             KernelRequest{request.program, instruction, operands,
                                                           request.results, request.registry}));
    auto run = [inner = kernel.run, numOperands](const KernelCall &call) {
      SPMD_RETURN_IF_ERROR(inner({call.inputs.subspan(0, numOperands), call.outputs, call.device}));
      return expectShape(call, numOperands);
    };
    kernel.run = std::move(run);
    return kernel;
  });
}

absl::StatusOr<Kernel> prepareDimensionSize(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(1, 1));
  const TensorType &type = request.operands[0];
  SPMD_ASSIGN_OR_RETURN(int64_t dim, dimOf(request.attributes(), "dimension", type.rank()));
  SPMD_RETURN_IF_ERROR(expectType("result", request.results[0], {ElementType::i32, {}}));
  return Kernel{[size = static_cast<int32_t>(type.shape[dim])](const KernelCall &call) {
    call.outputs[0].mutableAs<int32_t>()[0] = size;
    return absl::OkStatus();
  }};
}

/// A static type has no size to set: the operand must be what the type says.
absl::StatusOr<Kernel> prepareSetDimensionSize(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(2, 1));
  const TensorType &type = request.operands[0];
  SPMD_ASSIGN_OR_RETURN(int64_t dim, dimOf(request.attributes(), "dimension", type.rank()));
  SPMD_RETURN_IF_ERROR(expectType("operand 1", request.operands[1], {ElementType::i32, {}}));
  SPMD_RETURN_IF_ERROR(expectType("result", request.results[0], type));
  Kernel kernel;
  kernel.definesOutputs = true;
  kernel.run = [dim](const KernelCall &call) {
    int64_t size = call.inputs[1].as<int32_t>()[0], expected = call.inputs[0].type().shape[dim];
    if (size != expected)
      return invalid("sets dim ", dim, " to ", size, "; its type says ", expected);
    call.outputs[0] = call.inputs[0];
    return absl::OkStatus();
  };
  return kernel;
}

} // namespace

void addDynamicKernels(KernelRegistry &registry) {
  addShaped(registry, "dynamic_broadcast_in_dim", "broadcast_in_dim", 1);
  addShaped(registry, "dynamic_iota", "iota", 0);
  addShaped(registry, "dynamic_reshape", "reshape", 1);
  addDynamic(registry, "dynamic_conv", "convolution", 2, {{2, "padding"}});
  addDynamic(registry, "dynamic_gather", "gather", 2, {{2, "slice_sizes"}});
  addDynamic(registry, "dynamic_pad", "pad", 2,
             {{2, "edge_padding_low"}, {3, "edge_padding_high"}, {4, "interior_padding"}});
  addDynamic(registry, "real_dynamic_slice", "slice", 1,
             {{1, "start_indices"}, {2, "limit_indices"}, {3, "strides"}});
  registry.addKernel("get_dimension_size", prepareDimensionSize);
  registry.addKernel("set_dimension_size", prepareSetDimensionSize);
}

} // namespace spmd
