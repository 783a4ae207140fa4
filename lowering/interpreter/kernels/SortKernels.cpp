// sort: lines along one dim, by any comparator; always stable.
//
// A comparator that only says by which keys (see SortKeys.h) becomes integer codes, which are
// sorted by radix, the least important key first. Any other is asked for pairs, in a merge sort.
//
// A wide program (Arithmetic.h) sorts in two instructions, so that the order can be another run's:
//
//     order = sort_order(operands) {dimension} functions [#comparator]   // i32: places in the line
//     result = take_in_order(operand, order) {dimension}
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/Storage.h"
#include "spmd/lowering/interpreter/StridedCopy.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"
#include "spmd/lowering/interpreter/kernels/SortKeys.h"

#include <cstring>
#include <numeric>

namespace spmd {
namespace {

struct Entry {
  uint64_t code;
  int64_t index;
};

/// Sorts by the lowest `bits` of the codes, stably; `scratch` is as large as `entries`.
void sortByRadix(std::vector<Entry> &entries, std::vector<Entry> &scratch, int bits) {
  constexpr int digitBits = 8, buckets = 1 << digitBits;
  for (int shift = 0; shift < bits; shift += digitBits) {
    size_t begin[buckets + 1] = {};
    for (const Entry &entry : entries)
      ++begin[((entry.code >> shift) & (buckets - 1)) + 1];
    if (std::find(begin, begin + buckets + 1, entries.size()) != begin + buckets + 1)
      continue; // All have the same digit.
    for (int b = 0; b < buckets; ++b)
      begin[b + 1] += begin[b];
    for (const Entry &entry : entries)
      scratch[begin[(entry.code >> shift) & (buckets - 1)]++] = entry;
    entries.swap(scratch);
  }
}

/// Sorts one line whose codes have at most 32 bits: code and place in one word, which sorts
/// fastest.
void sortPacked(absl::Span<const uint64_t> codes, std::vector<uint64_t> &words,
                std::vector<uint64_t> &scratch) {
  constexpr size_t fewWords = 1 << 11;
  constexpr int digitBits = 11, buckets = 1 << digitBits;
  size_t n = codes.size();
  words.resize(n);
  for (size_t i = 0; i < n; ++i)
    words[i] = codes[i] << 32 | i;
  if (n <= fewWords)
    return std::sort(words.begin(), words.end());
  scratch.resize(n);
  for (int shift = 32; shift < 64; shift += digitBits) {
    std::vector<size_t> begin(buckets + 1);
    for (uint64_t word : words)
      ++begin[(word >> shift & (buckets - 1)) + 1];
    for (int b = 0; b < buckets; ++b)
      begin[b + 1] += begin[b];
    for (uint64_t word : words)
      scratch[begin[word >> shift & (buckets - 1)]++] = word;
    words.swap(scratch);
  }
}

void sortEntries(std::vector<Entry> &entries, std::vector<Entry> &scratch, int bits) {
  constexpr size_t fewEntries = 48; // Where counting digits costs more than comparing.
  if (entries.size() > fewEntries) {
    scratch.resize(entries.size());
    return sortByRadix(entries, scratch, bits);
  }
  for (size_t i = 1; i < entries.size(); ++i) {
    Entry entry = entries[i];
    size_t at = i;
    for (; at > 0 && entry.code < entries[at - 1].code; --at)
      entries[at] = entries[at - 1];
    entries[at] = entry;
  }
}

/// Sorts `order` by asking `isLess`, which need not be consistent.
template <typename Less>
absl::Status mergeSort(absl::Span<int64_t> order, absl::Span<int64_t> scratch, const Less &isLess) {
  if (order.size() < 2)
    return absl::OkStatus();
  size_t half = order.size() / 2;
  SPMD_RETURN_IF_ERROR(mergeSort(order.subspan(0, half), scratch.subspan(0, half), isLess));
  SPMD_RETURN_IF_ERROR(mergeSort(order.subspan(half), scratch.subspan(half), isLess));
  size_t left = 0, right = half;
  for (int64_t &next : scratch) {
    bool takesRight = left == half;
    if (!takesRight && right < order.size()) {
      SPMD_ASSIGN_OR_RETURN(takesRight, isLess(order[right], order[left]));
    }
    next = order[takesRight ? right++ : left++];
  }
  std::copy(scratch.begin(), scratch.end(), order.begin());
  return absl::OkStatus();
}

struct Sort {
  int64_t numLines, size;
  CopyBox toLines; ///< Brings the dim last; no dims if it is.
  std::vector<int64_t> bytes;
  std::optional<SortKeys> keys;
  Body body;

  /// Reads everything but the comparator from the request for operands of one shape.
  static absl::StatusOr<Sort> alongDimOf(const KernelRequest &request,
                                         absl::Span<const TensorType> operands);

  absl::Status run(const KernelCall &call) const;
  absl::Status runOrder(const KernelCall &call) const;
  void takeByOrder(const KernelCall &call) const;

private:
  using Lines = std::vector<const std::byte *>;

  absl::Status order(const KernelCall &call, std::vector<std::vector<std::byte>> &moved,
                     Lines &lines, std::vector<int64_t> &order) const;
  void moveBack(int64_t bytes, const std::byte *from, std::byte *to) const {
    copyBox({toLines.shape, toLines.targetStrides, toLines.sourceStrides}, bytes, from, to);
  }

  bool orderByKeys(const Lines &lines, std::vector<int64_t> &order) const;
  absl::Status orderByBody(const Lines &lines, std::vector<int64_t> &order) const;
};

/// Sets `order` to the places that the elements of each line, sorted, come from.
bool Sort::orderByKeys(const Lines &lines, std::vector<int64_t> &order) const {
  std::vector<const void *> operands(lines.begin(), lines.end());
  std::vector<std::vector<uint64_t>> codes;
  for (size_t key = 0; key < keys->size(); ++key) {
    auto some = keys->codes(key, numLines * size, operands);
    if (!some)
      return false;
    codes.push_back(*std::move(some));
  }
  if (codes.size() == 1 && keys->bits(0) <= 32 && size <= UINT32_MAX) {
    std::vector<uint64_t> words, scratch;
    for (int64_t line = 0; line < numLines; ++line) {
      sortPacked(absl::MakeConstSpan(codes[0]).subspan(line * size, size), words, scratch);
      for (int64_t i = 0; i < size; ++i)
        order[line * size + i] = line * size + static_cast<int64_t>(words[i] & UINT32_MAX);
    }
    return true;
  }
  std::vector<Entry> entries(size), scratch;
  for (int64_t line = 0; line < numLines; ++line) {
    for (int64_t i = 0; i < size; ++i)
      entries[i].index = line * size + i;
    for (size_t key = codes.size(); key-- > 0;) {
      for (Entry &entry : entries)
        entry.code = codes[key][entry.index];
      sortEntries(entries, scratch, keys->bits(key));
    }
    for (int64_t i = 0; i < size; ++i)
      order[line * size + i] = entries[i].index;
  }
  return true;
}

absl::Status Sort::orderByBody(const Lines &lines, std::vector<int64_t> &order) const {
  std::vector<const void *> pair(2 * lines.size());
  std::vector<bool> isScalar(pair.size(), false);
  auto isLess = [&](int64_t a, int64_t b) -> absl::StatusOr<bool> {
    for (size_t i = 0; i < lines.size(); ++i) {
      pair[2 * i] = lines[i] + a * bytes[i];
      pair[2 * i + 1] = lines[i] + b * bytes[i];
    }
    bool result = false;
    SPMD_RETURN_IF_ERROR(body.run(1, pair, isScalar, {&result}));
    return result;
  };
  std::iota(order.begin(), order.end(), 0);
  std::vector<int64_t> scratch(size);
  for (int64_t line = 0; line < numLines; ++line)
    SPMD_RETURN_IF_ERROR(mergeSort(absl::MakeSpan(order).subspan(line * size, size),
                                   absl::MakeSpan(scratch), isLess));
  return absl::OkStatus();
}

template <typename T>
void takeElements(const std::vector<int64_t> &order, const std::byte *from, std::byte *to) {
  auto *in = reinterpret_cast<const T *>(from);
  auto *out = reinterpret_cast<T *>(to);
  for (size_t i = 0; i < order.size(); ++i)
    out[i] = in[order[i]];
}

/// Sets element i of `to` to element order[i] of `from`.
void takeInOrder(const std::vector<int64_t> &order, int64_t bytes, const std::byte *from,
                 std::byte *to) {
  visitStoredSize(bytes,
                  [&](auto tag) { takeElements<typename decltype(tag)::Type>(order, from, to); });
}

/// Sets `lines` to the operands with the dim last, which `moved` may hold, and `order` to where the
/// elements of each sorted line come from.
absl::Status Sort::order(const KernelCall &call, std::vector<std::vector<std::byte>> &moved,
                         Lines &lines, std::vector<int64_t> &order) const {
  size_t count = call.inputs.size();
  bool moves = !toLines.shape.empty();
  moved.resize(moves ? count : 0);
  for (size_t i = 0; i < count; ++i) {
    lines.push_back(call.inputs[i].data());
    if (!moves)
      continue;
    moved[i].resize(call.inputs[i].sizeInBytes());
    copyBox(toLines, bytes[i], lines[i], moved[i].data());
    lines[i] = moved[i].data();
  }
  order.resize(numLines * size);
  return keys && orderByKeys(lines, order) ? absl::OkStatus() : orderByBody(lines, order);
}

absl::Status Sort::run(const KernelCall &call) const {
  Lines lines;
  std::vector<std::vector<std::byte>> moved;
  std::vector<int64_t> places;
  SPMD_RETURN_IF_ERROR(order(call, moved, lines, places));
  std::vector<std::byte> sorted;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (moved.empty()) {
      takeInOrder(places, bytes[i], lines[i], call.outputs[i].mutableData());
      continue;
    }
    sorted.resize(call.outputs[i].sizeInBytes());
    takeInOrder(places, bytes[i], lines[i], sorted.data());
    moveBack(bytes[i], sorted.data(), call.outputs[i].mutableData());
  }
  return absl::OkStatus();
}

absl::Status Sort::runOrder(const KernelCall &call) const {
  Lines lines;
  std::vector<std::vector<std::byte>> moved;
  std::vector<int64_t> places;
  SPMD_RETURN_IF_ERROR(order(call, moved, lines, places));
  std::vector<int32_t> inLine(places.size());
  for (size_t i = 0; i < places.size(); ++i)
    inLine[i] = static_cast<int32_t>(places[i] % size);
  auto *from = reinterpret_cast<const std::byte *>(inLine.data());
  if (moved.empty())
    std::memcpy(call.outputs[0].mutableData(), from, inLine.size() * sizeof(int32_t));
  else
    moveBack(sizeof(int32_t), from, call.outputs[0].mutableData());
  return absl::OkStatus();
}

void Sort::takeByOrder(const KernelCall &call) const {
  bool moves = !toLines.shape.empty();
  const std::byte *data = call.inputs[0].data();
  auto *inLine = call.inputs[1].as<int32_t>();
  std::vector<std::byte> moved, movedOrder, taken;
  if (moves) {
    moved.resize(call.inputs[0].sizeInBytes());
    movedOrder.resize(call.inputs[1].sizeInBytes());
    copyBox(toLines, bytes[0], data, moved.data());
    copyBox(toLines, sizeof(int32_t), call.inputs[1].data(), movedOrder.data());
    data = moved.data();
    inLine = reinterpret_cast<const int32_t *>(movedOrder.data());
  }
  std::vector<int64_t> places(numLines * size);
  for (int64_t line = 0; line < numLines; ++line)
    for (int64_t i = 0; i < size; ++i)
      places[line * size + i] =
          line * size + std::clamp<int64_t>(inLine[line * size + i], 0, size - 1);
  if (!moves)
    return takeInOrder(places, bytes[0], data, call.outputs[0].mutableData());
  taken.resize(call.outputs[0].sizeInBytes());
  takeInOrder(places, bytes[0], data, taken.data());
  moveBack(bytes[0], taken.data(), call.outputs[0].mutableData());
}

absl::StatusOr<Sort> Sort::alongDimOf(const KernelRequest &request,
                                      absl::Span<const TensorType> operands) {
  const Ints &shape = operands[0].shape;
  int64_t rank = shape.size();
  SPMD_ASSIGN_OR_RETURN(int64_t dim, request.attributes().getOr<int64_t>("dimension", -1));
  if (dim < -rank || dim >= std::max<int64_t>(rank, 1))
    return invalid("attribute 'dimension' is ", dim, " for a tensor of rank ", rank);
  Sort sort;
  for (const TensorType &operand : operands) {
    SPMD_RETURN_IF_ERROR(expectType("operand", operand, {operand.element, shape}));
    sort.bytes.push_back(storedBytes(operand.element));
  }
  if (dim < 0)
    dim += rank;
  sort.size = rank == 0 ? 1 : shape[dim];
  sort.numLines = sort.size == 0 ? 0 : product(shape) / sort.size;
  if (rank > 0 && dim != rank - 1) {
    Ints order = otherDims(rank, {dim});
    order.push_back(dim);
    sort.toLines.shape = select(shape, order);
    sort.toLines.sourceStrides = select(rowMajorStrides(shape), order);
    sort.toLines.targetStrides = rowMajorStrides(sort.toLines.shape);
  }
  return sort;
}

/// Binds the comparator of a sort of all operands.
absl::StatusOr<Sort> sortOf(const KernelRequest &request) {
  size_t count = request.operands.size();
  if (count == 0)
    return invalid("has no operands");
  SPMD_ASSIGN_OR_RETURN(Sort sort, Sort::alongDimOf(request, request.operands));
  SPMD_ASSIGN_OR_RETURN(const Function *body, request.body());
  SPMD_ASSIGN_OR_RETURN(int32_t index, request.bodyIndex());
  if (static_cast<size_t>(body->numArguments) != 2 * count || body->results.size() != 1 ||
      body->values[body->results[0]] != TensorType{ElementType::i1, {}})
    return invalid("body \"", body->name, "\" takes ", body->numArguments,
                   " values; expected two of each operand, and to return i1");
  for (size_t i = 0; i < 2 * count; ++i)
    SPMD_RETURN_IF_ERROR(
        expectType("argument of the body", body->values[i], {request.operands[i / 2].element, {}}));
  sort.keys = SortKeys::recognise(request.program, *body, count, request.registry);
  SPMD_ASSIGN_OR_RETURN(sort.body, Body::create(request.program, index, request.registry));
  return sort;
}

absl::StatusOr<Kernel> prepareSort(const KernelRequest &request) {
  size_t count = request.results.size();
  if (count == 0)
    return invalid("has no results");
  SPMD_RETURN_IF_ERROR(request.expectCounts(count, count));
  for (size_t i = 0; i < count; ++i)
    SPMD_RETURN_IF_ERROR(expectType("result", request.results[i], request.operands[i]));
  SPMD_ASSIGN_OR_RETURN(Sort sort, sortOf(request));
  return Kernel{[sort = std::move(sort)](const KernelCall &call) {
    return call.outputs[0].numElements() > 0 ? sort.run(call) : absl::OkStatus();
  }};
}

absl::StatusOr<Kernel> prepareSortOrder(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(request.operands.size(), 1));
  SPMD_ASSIGN_OR_RETURN(Sort sort, sortOf(request));
  SPMD_RETURN_IF_ERROR(
      expectType("result", request.results[0], {ElementType::i32, request.operands[0].shape}));
  return Kernel{[sort = std::move(sort)](const KernelCall &call) {
    return call.outputs[0].numElements() > 0 ? sort.runOrder(call) : absl::OkStatus();
  }};
}

absl::StatusOr<Kernel> prepareTakeInOrder(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(2, 1));
  SPMD_RETURN_IF_ERROR(
      expectType("order", request.operands[1], {ElementType::i32, request.operands[0].shape}));
  SPMD_RETURN_IF_ERROR(expectType("result", request.results[0], request.operands[0]));
  SPMD_ASSIGN_OR_RETURN(
      Sort sort, Sort::alongDimOf(request, absl::MakeConstSpan(request.operands).subspan(0, 1)));
  return Kernel{[sort = std::move(sort)](const KernelCall &call) {
    if (call.outputs[0].numElements() > 0)
      sort.takeByOrder(call);
    return absl::OkStatus();
  }};
}

} // namespace

void addSortKernels(KernelRegistry &registry) {
  registry.addKernel("sort", prepareSort);
  registry.addKernel("sort_order", prepareSortOrder);
  registry.addKernel("take_in_order", prepareTakeInOrder);
}

} // namespace spmd
