// dot_general: one matrix product for each element of the batch.
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/Memory.h"
#include "spmd/lowering/interpreter/StridedCopy.h"
#include "spmd/lowering/interpreter/kernels/Gemm.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"

#include <optional>

namespace spmd {
namespace {

/// How one operand becomes a batch of dense matrices.
struct Matrices {
  bool transposed = false;
  /// The copy that makes it so, unless it lies so already.
  std::optional<StridedCopy> copy;

  /// Returns the elements in that order and in the compute type; `scratch` may hold them.
  const std::byte *prepare(const Tensor &in, const TileProgram *convert, int64_t computeBytes,
                           std::optional<Scratch> scratch[2]) const {
    const std::byte *data = in.data();
    int64_t n = in.numElements();
    if (copy) {
      scratch[0].emplace(in.sizeInBytes());
      copy->run(data, scratch[0]->data());
      data = scratch[0]->data();
    }
    if (convert) {
      scratch[1].emplace(n * computeBytes);
      convertElements(*convert, n, data, scratch[1]->data());
      data = scratch[1]->data();
    }
    return data;
  }
};

Ints concat(Ints a, const Ints &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Orders dims as batch, rows, columns. Swapping rows and columns costs nothing.
Matrices matricesOf(const TensorType &type, const Ints &batch, const Ints &rows,
                    const Ints &columns) {
  Matrices out;
  Ints plain = concat(concat(batch, rows), columns), swapped = concat(concat(batch, columns), rows);
  if (std::is_sorted(plain.begin(), plain.end()))
    return out;
  out.transposed = std::is_sorted(swapped.begin(), swapped.end());
  if (out.transposed)
    return out;
  Ints permuted = select(type.shape, plain);
  out.copy =
      StridedCopy({permuted, select(rowMajorStrides(type.shape), plain), rowMajorStrides(permuted)},
                  storedBytes(type.element));
  return out;
}

absl::StatusOr<Kernel> prepareDot(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(2, 1));
  const TensorType &lhs = request.operands[0], &rhs = request.operands[1], &to = request.results[0];
  const Attributes &attributes = request.attributes();
  SPMD_ASSIGN_OR_RETURN(Ints lhsBatch, dimsOf(attributes, "lhs_batching_dimensions", lhs.rank()));
  SPMD_ASSIGN_OR_RETURN(Ints rhsBatch, dimsOf(attributes, "rhs_batching_dimensions", rhs.rank()));
  SPMD_ASSIGN_OR_RETURN(Ints lhsSum, dimsOf(attributes, "lhs_contracting_dimensions", lhs.rank()));
  SPMD_ASSIGN_OR_RETURN(Ints rhsSum, dimsOf(attributes, "rhs_contracting_dimensions", rhs.rank()));
  for (int64_t d : lhsBatch)
    if (contains(lhsSum, d))
      return invalid("lhs dim ", d, " is both batching and contracting");
  for (int64_t d : rhsBatch)
    if (contains(rhsSum, d))
      return invalid("rhs dim ", d, " is both batching and contracting");
  if (select(lhs.shape, lhsBatch) != select(rhs.shape, rhsBatch) ||
      select(lhs.shape, lhsSum) != select(rhs.shape, rhsSum))
    return invalid("operands ", lhs.str(), " and ", rhs.str(),
                   " differ in a batching or contracting dim");
  Ints lhsFree = otherDims(lhs.rank(), concat(lhsBatch, lhsSum));
  Ints rhsFree = otherDims(rhs.rank(), concat(rhsBatch, rhsSum));
  Ints shape = concat(concat(select(lhs.shape, lhsBatch), select(lhs.shape, lhsFree)),
                      select(rhs.shape, rhsFree));
  SPMD_RETURN_IF_ERROR(expectType("result", to, {to.element, shape}));

  Matrices left = matricesOf(lhs, lhsBatch, lhsFree, lhsSum);
  Matrices right = matricesOf(rhs, rhsBatch, rhsSum, rhsFree);
  int64_t batch = product(select(lhs.shape, lhsBatch)), m = product(select(lhs.shape, lhsFree)),
          n = product(select(rhs.shape, rhsFree)), k = product(select(lhs.shape, lhsSum));
  SPMD_ASSIGN_OR_RETURN(ProductTypes types, ProductTypes::create(request, k));
  int64_t bytes = storedBytes(types.compute);
  return Kernel{[=](const KernelCall &call) {
    std::optional<Scratch> scratch[4], wide;
    const std::byte *a = left.prepare(call.inputs[0], types.fromLhs.get(), bytes, scratch);
    const std::byte *b = right.prepare(call.inputs[1], types.fromRhs.get(), bytes, scratch + 2);
    std::byte *c = call.outputs[0].mutableData();
    if (types.toResult) {
      wide.emplace(batch * m * n * bytes);
      c = wide->data();
    }
    for (int64_t i = 0; i < batch; ++i)
      SPMD_RETURN_IF_ERROR(types.gemm(left.transposed, right.transposed, m, n, k,
                                      a + i * m * k * bytes, b + i * k * n * bytes,
                                      c + i * m * n * bytes));
    if (types.toResult)
      convertElements(*types.toResult, batch * m * n, c, call.outputs[0].mutableData());
    return absl::OkStatus();
  }};
}

} // namespace

void addDotKernels(KernelRegistry &registry) { registry.addKernel("dot_general", prepareDot); }

} // namespace spmd
