#include "spmd/lowering/interpreter/SampledKernel.h"

#include "spmd/lowering/interpreter/Arithmetic.h"
#include "spmd/lowering/interpreter/StatusMacros.h"

#include <complex>

namespace spmd {

static ElementType halved(ElementType element) {
  return element == ElementType::f64          ? ElementType::f32
         : element == ElementType::complexF64 ? ElementType::complexF32
                                              : element;
}

static std::vector<TensorType> halved(std::vector<TensorType> types) {
  for (TensorType &type : types)
    type.element = halved(type.element);
  return types;
}

template <typename To, typename From> static void convert(const Tensor &from, Tensor &to) {
  // A complex number is two.
  int64_t n = from.numElements() * (isComplex(from.type().element) ? 2 : 1);
  auto *in = reinterpret_cast<const From *>(from.data());
  auto *out = reinterpret_cast<To *>(to.mutableData());
  for (int64_t i = 0; i < n; ++i)
    out[i] = static_cast<To>(in[i]);
}

absl::StatusOr<Kernel> sampledInF32(const KernelRequest &request, Kernel wide) {
  KernelRequest narrow = {request.program, request.instruction, halved(request.operands),
                          halved(request.results), request.registry};
  SPMD_ASSIGN_OR_RETURN(Kernel inF32, request.registry.prepare(narrow));
  auto run = [wide = std::move(wide.run), inF32 = std::move(inF32.run),
              resultTypes = narrow.results](const KernelCall &call) -> absl::Status {
    const Arithmetic *arithmetic = ArithmeticScope::current();
    if (!arithmetic || arithmetic->rounding != Arithmetic::Rounding::ownType)
      return wide(call);
    std::vector<Tensor> inputs, outputs;
    std::vector<const Tensor *> refs;
    for (const Tensor &input : call.inputs) {
      TensorType type = input.type();
      if (halved(type.element) == type.element) {
        inputs.push_back(input);
        continue;
      }
      type.element = halved(type.element);
      SPMD_ASSIGN_OR_RETURN(Tensor converted, Tensor::allocate(type));
      convert<float, double>(input, converted);
      inputs.push_back(std::move(converted));
    }
    for (const Tensor &input : inputs)
      refs.push_back(&input);
    for (const TensorType &type : resultTypes) {
      SPMD_ASSIGN_OR_RETURN(Tensor output, Tensor::allocate(type));
      outputs.push_back(std::move(output));
    }
    SPMD_RETURN_IF_ERROR(inF32({TensorRefs(refs), absl::MakeSpan(outputs), call.device}));
    for (size_t i = 0; i < outputs.size(); ++i)
      convert<double, float>(outputs[i], call.outputs[i]);
    return absl::OkStatus();
  };
  return Kernel{std::move(run)};
}

} // namespace spmd
