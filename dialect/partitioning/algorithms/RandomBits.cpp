#include "spmd/dialect/partitioning/algorithms/RandomBits.h"

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/algorithms/Words.h"

#include "llvm/Support/MathExtras.h"

#include <tuple>

#include <numeric>

namespace spmd {

using namespace stablehlo;

/// Returns how many words of 64 bits a state is; 0 if it is no such thing.
static int64_t wordsOf(mlir::Value state) {
  mlir::RankedTensorType type = tensorTypeOf(state);
  auto element = llvm::dyn_cast<mlir::IntegerType>(type.getElementType());
  if (!element || type.getRank() != 1 || element.getWidth() < 8 ||
      type.getNumElements() * element.getWidth() % 64 != 0)
    return 0;
  return type.getNumElements() * element.getWidth() / 64;
}

bool countsElements(RngBitGeneratorOp op) {
  int64_t words = wordsOf(op.getInitialState());
  bool isThreefry = op.getRngAlgorithm() == RngAlgorithm::THREE_FRY;
  mlir::Type element = tensorTypeOf(op.getOutput()).getElementType();
  unsigned width = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  bool isWord = width == 8 || width == 16 || width == 32 || width == 64;
  return isWord && (words == 2 || (words == 3 && !isThreefry));
}

namespace {

using Values = llvm::SmallVector<mlir::Value>;

/// The elements of a shard as lines of places: place i along dim d counts strides[d] from the
/// device's first on. Along `laneDim` the elements of one block follow each other.
struct Grid {
  llvm::SmallVector<int64_t> shape, strides;
  Values firsts; ///< Scalars; null is 0.
  size_t laneDim = 0;
};

/// Each block of bits follows from a key and a counter; an element is part of one block. Where
/// blocks lie within shards, each is made once, else once for every element.
class BitMaker {
public:
  BitMaker(Localizer &localizer, const BitsOfShard &request)
      : localizer(localizer), request(request), loc(localizer.op->getLoc()),
        words{localizer.builder, loc}, whole(request.whole.getShape()), local(request.local),
        isThreefry(request.isThreefry), isWide(local.getElementTypeBitWidth() == 64),
        perBlock((isThreefry ? 2 : 4) / (isWide ? 2 : 1)) {
    readState();
  }

  mlir::Value run() {
    Grid grid = isThreefry ? gridOfDims() : gridOfRuns();
    mlir::Value lanes;
    Values parts = makeBlocks(isThreefry ? blocksOfPairs(grid, lanes) : blocksOfRuns(grid, lanes));
    mlir::Value bits = words.reshape(lanes ? choose(parts, lanes) : interleave(parts, grid.laneDim),
                                     local.getShape());
    return narrow(bits);
  }

  /// The counter has gone on by all blocks of the whole.
  mlir::Value nextState() {
    mlir::Value low = words.add(this->low, numBlocks());
    Values parts = {key, low};
    if (numWords == 3)
      parts.push_back(
          words.add(high, words.toWidth(words.isBelow(low, words.constant(low, numBlocks())), 64)));
    for (mlir::Value &part : parts)
      part = words.reshape(part, {1});
    mlir::Value state = ConcatenateOp::create(builder(), loc, wideType({numWords}), parts,
                                              static_cast<uint64_t>(0));
    mlir::RankedTensorType type = tensorTypeOf(request.state);
    int64_t perWord = type.getNumElements() / numWords;
    if (perWord > 1)
      state = bitcast(state, type.clone({numWords, perWord}));
    return bitcast(words.reshape(state, type.getShape()), type);
  }

private:
  mlir::OpBuilder &builder() { return localizer.builder; }

  //===- State ---------------------------------------------------------------===//

  mlir::RankedTensorType wideType(llvm::ArrayRef<int64_t> shape, unsigned width = 64) {
    return mlir::RankedTensorType::get(
        shape, mlir::IntegerType::get(builder().getContext(), width, mlir::IntegerType::Unsigned));
  }

  mlir::Value bitcast(mlir::Value value, mlir::RankedTensorType type) {
    return type == value.getType()
               ? value
               : BitcastConvertOp::create(builder(), loc, type, value)->getResult(0);
  }

  void readState() {
    mlir::Value state = request.state;
    numWords = wordsOf(state);
    int64_t perWord = tensorTypeOf(state).getNumElements() / numWords;
    if (perWord > 1)
      state = words.reshape(state, {numWords, perWord});
    state = bitcast(state, wideType({numWords}));
    auto word = [&](int64_t i) {
      return words.reshape(
          SliceOp::create(builder(), loc, wideType({1}), state, llvm::ArrayRef<int64_t>{i},
                          llvm::ArrayRef<int64_t>{i + 1}, llvm::ArrayRef<int64_t>{1}),
          {});
    };
    key = word(0);
    low = word(1);
    high = numWords == 3 ? word(2) : key;
  }

  int64_t numBlocks() {
    auto product = [](llvm::ArrayRef<int64_t> sizes) {
      return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
    };
    return isThreefry ? product(shapeOfPairs()) : llvm::divideCeil(product(whole), perBlock);
  }

  //===- Places --------------------------------------------------------------===//

  mlir::Value firstOf(size_t d) {
    mlir::Value first =
        localizer.positions.firstRow(localizer.mesh, request.dims[d], local.getDimSize(d));
    return first ? words.toWidth(first, 64) : mlir::Value();
  }

  static llvm::SmallVector<int64_t> stridesOf(llvm::ArrayRef<int64_t> shape) {
    llvm::SmallVector<int64_t> strides(shape.size(), 1);
    for (size_t d = shape.size(); d-- > 1;)
      strides[d - 1] = strides[d] * shape[d];
    return strides;
  }

  /// Threefry pairs elements along the first dim of even size, or else the longest.
  size_t pairedDim() {
    const auto *even = llvm::find_if(whole, [](int64_t size) { return size % 2 == 0; });
    return (even != whole.end() ? even : std::max_element(whole.begin(), whole.end())) -
           whole.begin();
  }

  llvm::SmallVector<int64_t> shapeOfPairs() {
    llvm::SmallVector<int64_t> shape(whole);
    if (perBlock > 1)
      shape[pairedDim()] = llvm::divideCeil(shape[pairedDim()], perBlock);
    return shape;
  }

  Grid gridOfDims() {
    Grid grid;
    grid.shape.assign(local.getShape().begin(), local.getShape().end());
    grid.strides = stridesOf(shapeOfPairs());
    for (size_t d = 0; d < whole.size(); ++d)
      grid.firsts.push_back(firstOf(d));
    grid.laneDim = pairedDim();
    return grid;
  }

  /// Philox fills the whole in order: what is behind the innermost dim that is cut is one with it.
  Grid gridOfRuns() {
    size_t last = whole.size() - 1;
    while (last > 0 && local.getDimSize(last) == whole[last])
      --last;
    Grid grid = gridOfDims();
    grid.strides = stridesOf(whole);
    int64_t inner = grid.strides[last];
    grid.shape.resize(last + 1);
    grid.firsts.resize(last + 1);
    grid.strides.resize(last + 1);
    grid.shape[last] *= inner;
    grid.strides[last] = 1;
    if (grid.firsts[last])
      grid.firsts[last] = words.multiply(grid.firsts[last], inner);
    grid.laneDim = last;
    return grid;
  }

  /// Returns place i, or i + first, of `size` ones along a dim, divided by 2^shift.
  mlir::Value countFrom(mlir::Value first, int64_t size, int shift) {
    mlir::Value places = IotaOp::create(builder(), loc, wideType({size}), static_cast<uint64_t>(0));
    if (first)
      places = words.add(places, words.spread(first, {size}));
    return shift == 0 ? places : words.shiftRight(places, shift);
  }

  mlir::Value spreadAlong(mlir::Value places, const Grid &grid, size_t d) {
    return BroadcastInDimOp::create(builder(), loc, wideType(grid.shape), places,
                                    llvm::ArrayRef<int64_t>{static_cast<int64_t>(d)});
  }

  /// Returns the sum of all counts, that along the lane dim divided by 2^shift.
  mlir::Value sumOfPlaces(const Grid &grid, int shift) {
    mlir::Value sum;
    for (size_t d = 0; d < grid.shape.size(); ++d) {
      mlir::Value places = countFrom(grid.firsts[d], grid.shape[d], d == grid.laneDim ? shift : 0);
      mlir::Value part = spreadAlong(words.multiply(places, grid.strides[d]), grid, d);
      sum = sum ? words.add(sum, part) : part;
    }
    return sum;
  }

  /// Turns a grid of elements whose blocks lie within shards into one of blocks.
  void countBlocks(Grid &grid, int shift) {
    grid.shape[grid.laneDim] >>= shift;
    if (mlir::Value &first = grid.firsts[grid.laneDim]; first && shift > 0)
      first = words.shiftRight(first, shift);
  }

  /// Returns the number of each element's block and, in `lanes`, which part of it the element is;
  /// or, without lanes, the numbers of the blocks themselves, each of which is made once.
  mlir::Value blocksOfPairs(Grid grid, mlir::Value &lanes) {
    int shift = llvm::Log2_64(perBlock);
    if (grid.shape[grid.laneDim] % perBlock == 0) {
      countBlocks(grid, shift);
      return sumOfPlaces(grid, 0);
    }
    mlir::Value places = countFrom(grid.firsts[grid.laneDim], grid.shape[grid.laneDim], 0);
    lanes = spreadAlong(words.mask(places, perBlock - 1), grid, grid.laneDim);
    return sumOfPlaces(grid, shift);
  }

  mlir::Value blocksOfRuns(Grid grid, mlir::Value &lanes) {
    int shift = llvm::Log2_64(perBlock);
    bool isAligned = llvm::all_of(llvm::zip(grid.shape, grid.strides, grid.firsts), [&](auto each) {
      auto [size, stride, first] = each;
      return (size == 1 && !first) || stride % perBlock == 0 || stride == 1;
    });
    if (isAligned && grid.shape[grid.laneDim] % perBlock == 0) {
      countBlocks(grid, shift);
      for (size_t d = 0; d < grid.laneDim; ++d)
        grid.strides[d] >>= shift;
      return sumOfPlaces(grid, 0);
    }
    mlir::Value places = sumOfPlaces(grid, 0);
    lanes = words.mask(places, perBlock - 1);
    return words.shiftRight(places, shift);
  }

  //===- Bits ----------------------------------------------------------------===//

  /// Returns the parts of blocks, perBlock tensors.
  Values makeBlocks(mlir::Value blocks) {
    llvm::ArrayRef<int64_t> shape = words.typeOf(blocks).getShape();
    mlir::Value counter = words.add(words.spread(low, shape), blocks);
    Values parts =
        isThreefry ? threefry(counter)
                   : philox(counter, words.add(words.spread(high, shape),
                                               words.toWidth(words.isBelow(counter, blocks), 64)));
    if (!isWide)
      return parts;
    Values joined;
    for (size_t i = 0; i < parts.size(); i += 2)
      joined.push_back(words.join(parts[i], parts[i + 1]));
    return joined;
  }

  /// Threefry-2x32 with 20 rounds (Salmon et al., SC 2011).
  Values threefry(mlir::Value counter) {
    constexpr uint32_t parity = 0x1bd11bda;
    constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    mlir::Value a, b, first, second;
    std::tie(a, b) = words.halves(counter);
    std::tie(first, second) = words.halves(key);
    mlir::Value third =
        words.exclusiveOr(words.exclusiveOr(first, second), words.constant(first, parity));
    llvm::ArrayRef<int64_t> shape = words.typeOf(a).getShape();
    mlir::Value keys[3] = {first, second, third};
    auto addKeys = [&](uint32_t group) {
      mlir::Value other = group == 0 ? keys[1] : words.add(keys[(group + 1) % 3], group);
      a = words.add(a, words.spread(keys[group % 3], shape));
      b = words.add(b, words.spread(other, shape));
    };
    addKeys(0);
    for (uint32_t group = 1; group <= 5; ++group) {
      for (int rotation : rotations[(group + 1) % 2]) {
        a = words.add(a, b);
        b = words.exclusiveOr(words.rotate(b, rotation), a);
      }
      addKeys(group);
    }
    return {a, b};
  }

  /// Philox-4x32 with 10 rounds, from the same paper.
  Values philox(mlir::Value counterLow, mlir::Value counterHigh) {
    constexpr uint64_t factors[2] = {0xd2511f53, 0xcd9e8d57}, steps[2] = {0x9e3779b9, 0xbb67ae85};
    auto [a, b] = words.halves(counterLow);
    auto [c, d] = words.halves(counterHigh);
    auto [first, second] = words.halves(key);
    llvm::ArrayRef<int64_t> shape = words.typeOf(a).getShape();
    auto mix = [&](mlir::Value x, mlir::Value y, mlir::Value roundKey) {
      return words.exclusiveOr(words.exclusiveOr(x, y), words.spread(roundKey, shape));
    };
    for (int round = 0; round < 10; ++round) {
      auto [lowA, highA] = words.halves(words.multiply(words.toWidth(a, 64), factors[0]));
      auto [lowC, highC] = words.halves(words.multiply(words.toWidth(c, 64), factors[1]));
      a = mix(highC, b, first);
      b = lowC;
      c = mix(highA, d, second);
      d = lowA;
      first = words.add(first, steps[0]);
      second = words.add(second, steps[1]);
    }
    return {a, b, c, d};
  }

  /// Returns, of each element's block, the part that `lanes` says.
  mlir::Value choose(const Values &parts, mlir::Value lanes) {
    mlir::Value chosen = parts.back();
    for (size_t i = parts.size() - 1; i-- > 0;)
      chosen = SelectOp::create(builder(), loc, chosen.getType(), words.isEqual(lanes, i), parts[i],
                                chosen);
    return chosen;
  }

  /// Puts the parts of a block side by side along dim `dim`.
  mlir::Value interleave(Values parts, size_t dim) {
    llvm::SmallVector<int64_t> shape(words.typeOf(parts[0]).getShape()), joined(shape);
    shape.insert(shape.begin() + dim + 1, 1);
    for (mlir::Value &part : parts)
      part = words.reshape(part, shape);
    shape[dim + 1] = parts.size();
    joined[dim] *= static_cast<int64_t>(parts.size());
    if (parts.size() == 1)
      return words.reshape(parts[0], joined);
    return words.reshape(ConcatenateOp::create(builder(), loc, words.typeOf(parts[0]).clone(shape),
                                               parts, static_cast<uint64_t>(dim + 1)),
                         joined);
  }

  /// Elements take the lowest bits of a word.
  mlir::Value narrow(mlir::Value bits) {
    unsigned width = local.getElementTypeBitWidth();
    if (width < 32)
      bits = words.toWidth(words.mask(bits, (uint64_t{1} << width) - 1), width);
    return bitcast(bits, local);
  }

  Localizer &localizer;
  const BitsOfShard &request;
  mlir::Location loc;
  WordBuilder words;
  llvm::ArrayRef<int64_t> whole;
  mlir::RankedTensorType local;
  bool isThreefry, isWide;
  int64_t perBlock;
  int64_t numWords = 0;
  mlir::Value key, low, high;
};

} // namespace

mlir::Value makeBits(Localizer &localizer, const BitsOfShard &bits, mlir::Value *nextState) {
  BitMaker maker(localizer, bits);
  mlir::Value made = maker.run();
  if (nextState)
    *nextState = maker.nextState();
  return made;
}

void makeShardOfBits(Localizer &localizer, RngBitGeneratorOp op) {
  const Localizer::Tensor &output = localizer.result(1);
  mlir::Value state,
      bits = makeBits(localizer,
                      {op.getInitialState(), op.getRngAlgorithm() == RngAlgorithm::THREE_FRY,
                       output.type, localizer.localType(output), output.sharding->dims},
                      &state);
  localizer.replaceWith({state, bits});
}

} // namespace spmd
