#include "spmd/lowering/interpreter/RaggedAllToAll.h"

#include "spmd/lowering/interpreter/Dims.h"

#include <cstring>

namespace spmd {

namespace {

/// The operands by name.
enum : size_t { rows, output, inputOffsets, sendSizes, outputOffsets, recvSizes, numOperands };

int64_t entryOf(const Tensor &list, size_t i) {
  return list.type().element == ElementType::i64 ? list.as<int64_t>()[i] : list.as<int32_t>()[i];
}

int64_t bytesOfRow(const TensorType &type) {
  int64_t bytes = storedBytes(type.element);
  for (size_t dim = 1; dim < type.shape.size(); ++dim)
    bytes *= type.shape[dim];
  return bytes;
}

absl::Status checkRange(const char *what, int64_t offset, int64_t count, int64_t size) {
  if (offset >= 0 && count >= 0 && count <= size && offset <= size - count)
    return absl::OkStatus();
  return invalid(what, " ", count, " rows from row ", offset, " of ", size);
}

/// Copies what member `from` sends to member `to`.
absl::Status send(const MemberTensors &in, size_t from, size_t to, const Tensor &result) {
  const std::vector<Tensor> &source = in[from];
  int64_t count = entryOf(source[sendSizes], to), first = entryOf(source[inputOffsets], to),
          target = entryOf(source[outputOffsets], to), expected = entryOf(in[to][recvSizes], from);
  SPMD_RETURN_IF_ERROR(checkRange("sends", first, count, source[rows].type().shape[0]));
  SPMD_RETURN_IF_ERROR(checkRange("receives", target, count, result.type().shape[0]));
  if (count != expected)
    return invalid("member ", from, " sends ", count, " rows to member ", to, ", which expects ",
                   expected);
  int64_t bytes = bytesOfRow(result.type());
  if (count * bytes > 0)
    std::memcpy(result.mutableData() + target * bytes, source[rows].data() + first * bytes,
                count * bytes);
  return absl::OkStatus();
}

absl::Status checkTypes(const KernelRequest &request, size_t groupSize) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(numOperands, 1));
  const TensorType &from = request.operands[rows], &to = request.operands[output];
  SPMD_RETURN_IF_ERROR(expectType("result", request.results[0], to));
  bool sameRows = from.element == to.element && from.rank() > 0 && from.rank() == to.rank() &&
                  std::equal(from.shape.begin() + 1, from.shape.end(), to.shape.begin() + 1);
  if (!sameRows)
    return invalid("rows of ", from.str(), " are not those of ", to.str());
  for (size_t i = inputOffsets; i < numOperands; ++i) {
    const TensorType &type = request.operands[i];
    bool isInteger = type.element == ElementType::i32 || type.element == ElementType::i64;
    if (!isInteger || type.shape != std::vector<int64_t>{static_cast<int64_t>(groupSize)})
      return invalid("operand ", i, " is ", type.str(), "; expected an integer for each of the ",
                     groupSize, " devices of a group");
  }
  return absl::OkStatus();
}

} // namespace

absl::StatusOr<std::function<absl::StatusOr<MemberTensors>(int32_t, const MemberTensors &)>>
prepareRaggedAllToAll(const KernelRequest &request, const ReplicaGroups &groups) {
  for (const auto &group : groups)
    SPMD_RETURN_IF_ERROR(checkTypes(request, group.size()));
  return [](int32_t, const MemberTensors &in) -> absl::StatusOr<MemberTensors> {
    MemberTensors out(in.size());
    for (size_t to = 0; to < in.size(); ++to) {
      const Tensor &before = in[to][output];
      SPMD_ASSIGN_OR_RETURN(Tensor result,
                            Tensor::fromBytes(before.type(), before.data(), before.sizeInBytes()));
      for (size_t from = 0; from < in.size(); ++from)
        SPMD_RETURN_IF_ERROR(send(in, from, to, result));
      out[to].push_back(std::move(result));
    }
    return out;
  };
}

} // namespace spmd
