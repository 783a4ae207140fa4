#include "spmd/lowering/interpreter/Tensor.h"

#include "spmd/lowering/interpreter/Memory.h"

#include "absl/strings/str_cat.h"

#include <cstring>

namespace spmd {

Buffer *Buffer::create(int64_t sizeInBytes) {
  void *memory = takeMemory(headerBytes + sizeInBytes);
  return memory ? new (memory) Buffer(sizeInBytes) : nullptr;
}

void Buffer::destroy() {
  int64_t bytes = headerBytes + sizeInBytes_;
  this->~Buffer();
  giveMemory(this, bytes);
}

absl::StatusOr<Tensor> Tensor::allocate(TypeRef type) {
  if (checkedNumElements(*type) < 0)
    return absl::InvalidArgumentError(
        absl::StrCat("type ", type->str(), " has a negative size, or too many elements"));
  Buffer *buffer = Buffer::create(type->sizeInBytes());
  if (!buffer)
    return absl::ResourceExhaustedError(
        absl::StrCat("no memory for ", type->str(), " (", type->sizeInBytes(), " bytes)"));
  return Tensor(std::move(type), BufferRef(buffer));
}

absl::StatusOr<Tensor> Tensor::allocate(TensorType type) {
  return allocate(std::make_shared<const TensorType>(std::move(type)));
}

absl::StatusOr<Tensor> Tensor::zeros(TypeRef type) {
  absl::StatusOr<Tensor> tensor = allocate(std::move(type));
  if (tensor.ok())
    std::memset(tensor->mutableData(), 0, tensor->sizeInBytes());
  return tensor;
}

absl::StatusOr<Tensor> Tensor::fromBytes(TensorType type, const void *bytes, int64_t sizeInBytes) {
  absl::StatusOr<Tensor> tensor = allocate(std::move(type));
  if (!tensor.ok())
    return tensor;
  if (sizeInBytes != tensor->sizeInBytes())
    return absl::InvalidArgumentError(absl::StrCat(
        tensor->type().str(), " takes ", tensor->sizeInBytes(), " bytes, not ", sizeInBytes));
  if (sizeInBytes > 0)
    std::memcpy(tensor->mutableData(), bytes, sizeInBytes);
  return tensor;
}

bool identical(const Tensor &a, const Tensor &b) {
  return a.type() == b.type() &&
         (a.buffer() == b.buffer() || std::memcmp(a.data(), b.data(), a.sizeInBytes()) == 0);
}

} // namespace spmd
