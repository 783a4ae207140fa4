// A tensor: a type, and a counted reference to its elements.
//
// A type is kept once and for good (`TypeRef`): programs have few, and counting who holds one would
// cost more than many a small kernel, above all where several threads count the same.
//
// Copying a tensor shares the elements. Nobody writes elements that are shared; who is the sole
// owner may write in place.
#pragma once

#include "spmd/lowering/program/TensorType.h"

#include "absl/status/statusor.h"

#include <atomic>
#include <utility>

namespace spmd {

/// Bytes, aligned to 64, with the number of their owners. Owners may live on different threads.
class Buffer {
public:
  /// Returns a buffer of undefined bytes with one owner, or null if there is no memory.
  static Buffer *create(int64_t sizeInBytes);

  std::byte *data() { return reinterpret_cast<std::byte *>(this) + headerBytes; }
  int64_t sizeInBytes() const { return sizeInBytes_; }

  void retain() { owners.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    // A sole owner need not tell others that it goes.
    if (hasOneOwner() || owners.fetch_sub(1, std::memory_order_acq_rel) == 1)
      destroy();
  }
  /// Acquire: what former owners read or wrote happened before.
  bool hasOneOwner() const { return owners.load(std::memory_order_acquire) == 1; }

private:
  static constexpr int64_t headerBytes = 64;
  explicit Buffer(int64_t sizeInBytes) : sizeInBytes_(sizeInBytes) {}
  void destroy();

  std::atomic<int64_t> owners{1};
  int64_t sizeInBytes_;
};

/// An owner of a buffer, or null.
class BufferRef {
public:
  BufferRef() = default;
  explicit BufferRef(Buffer *owned) : buffer(owned) {}
  BufferRef(const BufferRef &other) : buffer(other.buffer) {
    if (buffer)
      buffer->retain();
  }
  BufferRef(BufferRef &&other) noexcept : buffer(std::exchange(other.buffer, nullptr)) {}
  BufferRef &operator=(BufferRef other) noexcept {
    std::swap(buffer, other.buffer);
    return *this;
  }
  ~BufferRef() {
    if (buffer)
      buffer->release();
  }

  Buffer *operator->() const { return buffer; }
  explicit operator bool() const { return buffer; }
  friend bool operator==(const BufferRef &a, const BufferRef &b) { return a.buffer == b.buffer; }

private:
  Buffer *buffer = nullptr;
};

/// A type that lives as long as the process, or none. Two are the same type if they are the same
/// pointer.
class TypeRef {
public:
  TypeRef() = default;
  /// Takes a lock: done once for each instruction, not each time that it runs.
  explicit TypeRef(const TensorType &type);

  explicit operator bool() const { return known; }
  const TensorType &operator*() const { return known->type; }
  const TensorType *operator->() const { return &known->type; }
  /// As of the type; -1 and 0 if `checkedNumElements` is negative.
  int64_t numElements() const { return known->numElements; }
  int64_t sizeInBytes() const { return known->sizeInBytes; }

  friend bool operator==(TypeRef a, TypeRef b) { return a.known == b.known; }
  friend bool operator!=(TypeRef a, TypeRef b) { return a.known != b.known; }

private:
  struct Known {
    TensorType type;
    int64_t numElements, sizeInBytes;
  };
  class Table;

  const Known *known = nullptr;
};

class Tensor {
public:
  /// No tensor: what a value holds before it is defined and after it is released.
  Tensor() = default;
  Tensor(TypeRef type, BufferRef buffer) : type_(type), buffer_(std::move(buffer)) {}

  /// Returns a tensor of undefined elements. ResourceExhausted if there is no memory,
  /// InvalidArgument if a size is negative.
  static absl::StatusOr<Tensor> allocate(TypeRef type);
  static absl::StatusOr<Tensor> allocate(const TensorType &type);
  /// Returns a tensor of zeros.
  static absl::StatusOr<Tensor> zeros(TypeRef type);
  /// Returns a tensor with these elements as stored. InvalidArgument if their size differs from the
  /// type's.
  static absl::StatusOr<Tensor> fromBytes(const TensorType &type, const void *bytes,
                                          int64_t sizeInBytes);
  /// Returns a tensor of `elements`, whose C++ type must be stored like the element type.
  /// Requires the number and the size of elements to match.
  template <typename T>
  static Tensor of(ElementType element, std::vector<int64_t> shape, const std::vector<T> &elements);

  explicit operator bool() const { return static_cast<bool>(type_); }
  const TensorType &type() const { return *type_; }
  TypeRef typeRef() const { return type_; }
  int64_t numElements() const { return type_.numElements(); }
  int64_t sizeInBytes() const { return type_.sizeInBytes(); }

  const std::byte *data() const { return buffer_->data(); }
  /// Requires that nobody else reads the elements.
  std::byte *mutableData() const { return buffer_->data(); }
  template <typename T> const T *as() const { return reinterpret_cast<const T *>(data()); }
  template <typename T> T *mutableAs() const { return reinterpret_cast<T *>(mutableData()); }

  const BufferRef &buffer() const { return buffer_; }
  bool isSoleOwner() const { return buffer_ && buffer_->hasOneOwner(); }

private:
  TypeRef type_;
  BufferRef buffer_;
};

template <typename T>
Tensor Tensor::of(ElementType element, std::vector<int64_t> shape, const std::vector<T> &elements) {
  return *fromBytes(TensorType{element, std::move(shape)}, elements.data(),
                    elements.size() * sizeof(T));
}

/// Returns whether both have the same type and the same bytes.
bool identical(const Tensor &a, const Tensor &b);

} // namespace spmd
