#include "spmd/ir/reshard/Block.h"

#include <algorithm>

namespace spmd {

Block::Block(PlanBuilder &builder, const Alignment &alignment, MeshSide side,
             absl::Span<const int64_t> padded)
    : builder(builder), alignment(alignment), side(side), rest(padded.begin(), padded.end()),
      unprepared(padded.size(), -1) {
  for (const Digit &digit : alignment.digits) {
    holders.push_back(digit.source);
    rest[digit.dim] /= digit.size;
  }
  Shape wanted = preparedShape();
  for (size_t d = 0; d < wanted.size(); ++d)
    if (builder.shape()[d] != wanted[d])
      unprepared[d] = builder.shape()[d];
}

Shape Block::preparedShape() const {
  Shape shape = rest;
  for (size_t i = 0; i < holders.size(); ++i)
    if (holders[i] == none)
      shape[alignment.digits[i].dim] *= alignment.digits[i].size;
  return shape;
}

void Block::setPrepared() { unprepared.assign(unprepared.size(), -1); }

Shape Block::shape() const {
  Shape shape = preparedShape();
  for (size_t d = 0; d < shape.size(); ++d)
    if (!isPrepared(d))
      shape[d] = unprepared[d];
  return shape;
}

AxisList Block::axesOf(absl::Span<const int> atoms) const {
  AxisList axes;
  for (int atom : atoms)
    appendMerged(axes, alignment.atoms[atom].axis);
  return axes;
}

AxisList Block::axesOf(const Moves &moves) const {
  std::vector<int> atoms;
  for (const Move &move : moves)
    atoms.push_back(move.atom);
  return axesOf(atoms);
}

void Block::record(const Moves &moves) {
  for (const Move &move : moves) {
    if (move.from != none)
      holders[move.from] = none;
    if (move.to != none)
      holders[move.to] = move.atom;
  }
}

Block::Split Block::splitBefore(absl::Span<const int> digits) const {
  Split split;
  split.dimAt.assign(holders.size(), -1);
  for (size_t d = 0; d < rest.size(); ++d) {
    if (!isPrepared(d)) {
      split.shape.push_back(unprepared[d]);
      continue;
    }
    int64_t size = 1;
    for (int i = alignment.dimBegin[d]; i < alignment.dimBegin[d + 1]; ++i) {
      if (std::find(digits.begin(), digits.end(), i) != digits.end()) {
        if (size != 1)
          split.shape.push_back(size);
        size = 1;
        split.dimAt[i] = split.shape.size();
      }
      if (holders[i] == none)
        size *= alignment.digits[i].size;
    }
    split.shape.push_back(size * rest[d]);
  }
  return split;
}

std::vector<Moves> Block::runsOf(const Moves &moves, int Move::*end) const {
  std::vector<Moves> runs;
  int previous = none;
  for (const Move &move : moves) {
    int digit = move.*end;
    bool adjacent = previous != none && digit > previous &&
                    alignment.digits[previous].dim == alignment.digits[digit].dim &&
                    std::find(holders.begin() + previous + 1, holders.begin() + digit, none) ==
                        holders.begin() + digit;
    if (!adjacent)
      runs.emplace_back();
    runs.back().push_back(move);
    previous = digit;
  }
  return runs;
}

bool Block::isRun(const Moves &moves, int Move::*end) const {
  return moves.front().*end == none || runsOf(moves, end).size() == 1;
}

static int64_t sizeOf(const Moves &moves, const Alignment &alignment) {
  int64_t size = 1;
  for (const Move &move : moves)
    size *= alignment.atoms[move.atom].axis.size;
  return size;
}

static void sortBy(Moves &moves, int Move::*end) {
  std::sort(moves.begin(), moves.end(),
            [&](const Move &a, const Move &b) { return a.*end < b.*end; });
}

void Block::slice(Moves moves) {
  sortBy(moves, &Move::to);
  for (const Moves &run : runsOf(moves, &Move::to)) {
    Split split = splitBefore({run.front().to});
    int dim = split.dimAt[run.front().to];
    int64_t size = split.shape[dim] / sizeOf(run, alignment);
    builder.reshape(split.shape);
    builder.slice(builder.current(), dim, size, Index::coordinate(side, axesOf(run)) * size);
    record(run);
    builder.reshape(shape());
  }
}

Moves Block::sliceUnpadded(Moves moves) {
  sortBy(moves, &Move::to);
  Moves left;
  for (const Moves &run : runsOf(moves, &Move::to)) {
    int first = run.front().to, dim = alignment.digits[first].dim;
    bool isWhole = first == alignment.dimBegin[dim];
    for (int i = first; i < alignment.dimBegin[dim + 1]; ++i)
      isWhole &= holders[i] == none;
    int64_t size = preparedShape()[dim] / sizeOf(run, alignment), rows = unprepared[dim];
    if (!isWhole || size == 0 || rows <= 0 || rows % size != 0) {
      left.insert(left.end(), run.begin(), run.end());
      continue;
    }
    builder.slice(builder.current(), dim, size,
                  minimum(Index::coordinate(side, axesOf(run)) * size, rows - size));
    record(run);
    unprepared[dim] = -1;
  }
  return left;
}

void Block::expand(Moves moves, ReductionKind kind) {
  sortBy(moves, &Move::from);
  for (const Moves &run : runsOf(moves, &Move::from)) {
    Split split = splitBefore({run.front().from});
    int dim = split.dimAt[run.front().from];
    int64_t size = split.shape[dim];
    builder.reshape(split.shape);
    builder.update(builder.current(), Step::noRegister, dim, size * sizeOf(run, alignment),
                   Index::coordinate(side, axesOf(run)) * size, {kind});
    record(run);
    builder.reshape(shape());
  }
}

void Block::collective(StepKind kind, Moves moves, ReductionKind reduction) {
  if (moves.empty())
    return;
  Step step;
  step.kind = kind;
  step.side = side;
  step.reduction = reduction;
  sortBy(moves, moves.front().to != none ? &Move::to : &Move::from);
  if (isRun(moves, &Move::from) && isRun(moves, &Move::to)) {
    moveInPlace(std::move(step), moves);
  } else {
    // The order is free: that of the mesh lets parts of an axis merge.
    std::sort(moves.begin(), moves.end(), [&](const Move &a, const Move &b) {
      return alignment.atoms[a.atom].axis < alignment.atoms[b.atom].axis;
    });
    movePacked(std::move(step), moves);
  }
  record(moves);
  builder.reshape(shape());
}

void Block::moveInPlace(Step step, const Moves &moves) {
  int from = moves.front().from, to = moves.front().to;
  int64_t group = sizeOf(moves, alignment);
  absl::InlinedVector<int, 2> cuts;
  for (int digit : {from, to})
    if (digit != none)
      cuts.push_back(digit);
  Split split = splitBefore(cuts);
  step.axes = axesOf(moves);
  step.outputShape = split.shape;
  step.dim = split.dimAt[to != none ? to : from];
  if (to != none)
    step.outputShape[step.dim] /= group;
  if (from != none) {
    step.concatDim = split.dimAt[from];
    step.outputShape[step.concatDim] *= group;
  }
  builder.reshape(split.shape);
  builder.append(std::move(step));
}

/// Brings the digits that atoms arrive at to the front as one dim, [G, rest]; moves along that dim;
/// and brings what is then its digits, those that atoms left, to their places.
void Block::movePacked(Step step, const Moves &moves) {
  // What the block has along each dim, in order: a digit that moves, or what lies between two.
  struct Piece {
    int64_t size;
    bool leaves = false, arrives = false;
    int move = none;
  };
  std::vector<Piece> pieces;
  for (size_t d = 0; d < rest.size(); ++d) {
    int64_t size = isPrepared(d) ? 1 : unprepared[d];
    auto flush = [&] {
      if (size != 1)
        pieces.push_back({size});
      size = 1;
    };
    for (int i = alignment.dimBegin[d]; isPrepared(d) && i < alignment.dimBegin[d + 1]; ++i) {
      auto move = std::find_if(moves.begin(), moves.end(),
                               [&](const Move &m) { return m.from == i || m.to == i; });
      if (move != moves.end()) {
        flush();
        pieces.push_back({alignment.digits[i].size, move->from == i, move->to == i,
                          static_cast<int>(move - moves.begin())});
      } else if (holders[i] == none) {
        size *= alignment.digits[i].size;
      }
    }
    if (isPrepared(d))
      size *= rest[d];
    flush();
  }

  // For each move its dim in the block, and the dims of the rest.
  auto dimsOf = [&](bool Piece::*here, bool Piece::*gone, Shape &sizes, Shape &others) {
    Shape front(moves.size(), none);
    for (const Piece &piece : pieces) {
      if (piece.*gone)
        continue;
      if (piece.*here)
        front[piece.move] = sizes.size();
      else
        others.push_back(sizes.size());
      sizes.push_back(piece.size);
    }
    front.erase(std::remove(front.begin(), front.end(), none), front.end());
    return front;
  };
  Shape sizes, others;
  Shape order = dimsOf(&Piece::arrives, &Piece::leaves, sizes, others);
  order.insert(order.end(), others.begin(), others.end());
  builder.reshape(sizes);
  builder.transpose(order);

  Shape packed{step.kind == StepKind::allGather ? 1 : sizeOf(moves, alignment)};
  for (int64_t dim : others)
    packed.push_back(sizes[dim]);
  builder.reshape(packed);
  step.axes = axesOf(moves);
  step.outputShape = packed;
  step.outputShape[0] = step.kind == StepKind::reduceScatter ? 1 : sizeOf(moves, alignment);
  builder.append(std::move(step));

  Shape after, rests, inverse;
  Shape front = dimsOf(&Piece::leaves, &Piece::arrives, after, rests);
  front.insert(front.end(), rests.begin(), rests.end());
  Shape unpacked;
  inverse.resize(front.size());
  for (size_t i = 0; i < front.size(); ++i) {
    unpacked.push_back(after[front[i]]);
    inverse[front[i]] = i;
  }
  builder.reshape(unpacked);
  builder.transpose(inverse);
}

void Block::permute(std::vector<int> after, absl::Span<const int> sharesBefore,
                    absl::Span<const int> sharesAfter) {
  Exchange exchange;
  exchange.beforeSide = exchange.afterSide = side;
  for (size_t d = 0; d < rest.size(); ++d) {
    std::vector<int> from, to;
    for (int i = alignment.dimBegin[d]; i < alignment.dimBegin[d + 1]; ++i)
      if (holders[i] != none) {
        from.push_back(holders[i]);
        to.push_back(after[i]);
      }
    if (!from.empty()) {
      exchange.before.push_back(axesOf(from));
      exchange.after.push_back(axesOf(to));
    }
  }
  if (!sharesBefore.empty()) {
    exchange.before.push_back(axesOf(sharesBefore));
    exchange.after.push_back(axesOf(sharesAfter));
  }
  holders = std::move(after);
  if (exchange.before != exchange.after)
    builder.permute(std::move(exchange));
}

} // namespace spmd
