#include "spmd/lowering/interpreter/Tensor.h"

#include "spmd/lowering/interpreter/Memory.h"

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"

#include <cstring>
#include <memory>
#include <mutex>

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

/// All types that there are, each at an address of its own.
class TypeRef::Table {
public:
  const Known *find(const TensorType &type) {
    std::lock_guard<std::mutex> lock(mutex);
    auto [known, isNew] = all.try_emplace({type.element, type.shape});
    if (isNew) {
      int64_t numElements = checkedNumElements(type);
      int64_t sizeInBytes = numElements < 0 ? 0 : numElements * storedBytes(type.element);
      known->second = std::make_unique<Known>(Known{type, numElements, sizeInBytes});
    }
    return known->second.get();
  }

private:
  std::mutex mutex;
  absl::flat_hash_map<std::pair<ElementType, std::vector<int64_t>>, std::unique_ptr<const Known>>
      all;
};

TypeRef::TypeRef(const TensorType &type) {
  static auto &table = *new Table; // Never freed: threads may outlive what is static.
  known = table.find(type);
}

absl::StatusOr<Tensor> Tensor::allocate(TypeRef type) {
  if (type.numElements() < 0)
    return absl::InvalidArgumentError(
        absl::StrCat("type ", type->str(), " has a negative size, or too many elements"));
  Buffer *buffer = Buffer::create(type.sizeInBytes());
  if (!buffer)
    return absl::ResourceExhaustedError(
        absl::StrCat("no memory for ", type->str(), " (", type.sizeInBytes(), " bytes)"));
  return Tensor(type, BufferRef(buffer));
}

absl::StatusOr<Tensor> Tensor::allocate(const TensorType &type) { return allocate(TypeRef(type)); }

absl::StatusOr<Tensor> Tensor::zeros(TypeRef type) {
  absl::StatusOr<Tensor> tensor = allocate(type);
  if (tensor.ok())
    std::memset(tensor->mutableData(), 0, tensor->sizeInBytes());
  return tensor;
}

absl::StatusOr<Tensor> Tensor::fromBytes(const TensorType &type, const void *bytes,
                                         int64_t sizeInBytes) {
  absl::StatusOr<Tensor> tensor = allocate(type);
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
  return a.typeRef() == b.typeRef() &&
         (a.buffer() == b.buffer() || std::memcmp(a.data(), b.data(), a.sizeInBytes()) == 0);
}

} // namespace spmd
