#include "spmd/lowering/interpreter/SampledKernel.h"

#include "spmd/lowering/interpreter/Arithmetic.h"
#include "spmd/lowering/interpreter/Float128.h"
#include "spmd/lowering/interpreter/StatusMacros.h"

namespace spmd {

static ElementType halved(ElementType element) {
  switch (element) {
  case ElementType::f64:
  case ElementType::f128:
    return ElementType::f32;
  case ElementType::complexF64:
  case ElementType::complexF128:
    return ElementType::complexF32;
  default:
    return element;
  }
}

static std::vector<TensorType> halved(std::vector<TensorType> types) {
  for (TensorType &type : types)
    type.element = halved(type.element);
  return types;
}

/// A complex number is two.
template <typename From, typename To> static void convertParts(const Tensor &from, Tensor &to) {
  int64_t n = from.sizeInBytes() / static_cast<int64_t>(sizeof(From));
  auto *in = from.as<From>();
  auto *out = to.mutableAs<To>();
  for (int64_t i = 0; i < n; ++i)
    out[i] = static_cast<To>(in[i]);
}

static bool isOfF128(const Tensor &tensor) {
  ElementType element = tensor.type().element;
  return element == ElementType::f128 || element == ElementType::complexF128;
}

static void toF32(const Tensor &wide, Tensor &out) {
  isOfF128(wide) ? convertParts<Float128, float>(wide, out)
                 : convertParts<double, float>(wide, out);
}

static void fromF32(const Tensor &in, Tensor &wide) {
  isOfF128(wide) ? convertParts<float, Float128>(in, wide) : convertParts<float, double>(in, wide);
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
      toF32(input, converted);
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
      fromF32(outputs[i], call.outputs[i]);
    return absl::OkStatus();
  };
  return Kernel{std::move(run)};
}

} // namespace spmd
