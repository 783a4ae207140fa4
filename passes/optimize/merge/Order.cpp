#include "spmd/passes/optimize/merge/Order.h"

#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/merge/Surroundings.h"

#include "llvm/ADT/BitVector.h"

#include <tuple>

namespace spmd {

namespace {

/// Lists what comes before, or with Place::early what comes after, each op first. A step is an op,
/// or a meeting: its number is that of its group behind those of all ops.
class Lister {
public:
  Lister(const BlockGraph &graph, const Meetings &meetings, Place place)
      : graph(graph), meetings(meetings), place(place),
        states(graph.size() + meetings.groups.size(), State::untouched) {}

  std::vector<int32_t> run() {
    int32_t last = graph.size() - 1;
    order.reserve(graph.size());
    if (place == Place::late) {
      for (int32_t number = 0; number < last; ++number)
        if (meetings.groupOf[number] < 0 || !isWorthWaiting(number))
          list(stepOf(number));
      for (size_t group = 0; group < meetings.groups.size(); ++group)
        list(graph.size() + static_cast<int32_t>(group));
      list(last);
    } else {
      for (int32_t number = last; number >= 0; --number)
        if (int32_t group = meetings.groupOf[number];
            group < 0 || meetings.groups[group].front() == number)
          list(stepOf(number));
      std::reverse(order.begin(), order.end());
    }
    return std::move(order);
  }

private:
  enum class State : uint8_t { untouched, open, listed };

  int32_t stepOf(int32_t number) const {
    int32_t group = meetings.groupOf[number];
    return group < 0 ? number : graph.size() + group;
  }

  llvm::ArrayRef<int32_t> membersOf(int32_t &step) const {
    return step < graph.size() ? llvm::ArrayRef(step)
                               : llvm::ArrayRef(meetings.groups[step - graph.size()]);
  }

  /// Whether a meeting may wait past its last member: it makes more than it reads. Others are under
  /// way early.
  bool isWorthWaiting(int32_t member) const {
    const std::vector<int32_t> &group = meetings.groups[meetings.groupOf[member]];
    mlir::Operation *op = graph.op(member);
    return member != group.back() || bytesOf(op->getResults()) > bytesOf(op->getOperands());
  }

  /// Lists `step` and whatever must be listed before; without recursion, as chains are long.
  void list(int32_t step) {
    stack.push_back(step);
    while (!stack.empty()) {
      int32_t top = stack.back();
      llvm::ArrayRef<int32_t> members = membersOf(top);
      if (states[top] == State::untouched) {
        states[top] = State::open;
        for (int32_t member : members)
          openFirst(member);
        continue;
      }
      stack.pop_back();
      if (states[top] == State::listed)
        continue;
      states[top] = State::listed;
      // Reversed at the end, if what comes after is listed first.
      if (top < graph.size())
        order.push_back(top);
      else if (place == Place::late)
        order.insert(order.end(), members.begin(), members.end());
      else
        order.insert(order.end(), members.rbegin(), members.rend());
    }
  }

  void openFirst(int32_t member) {
    llvm::ArrayRef<int32_t> others =
        place == Place::late ? graph.before(member) : graph.after(member);
    for (int32_t other : llvm::reverse(others))
      if (states[stepOf(other)] == State::untouched)
        stack.push_back(stepOf(other));
  }

  const BlockGraph &graph;
  const Meetings &meetings;
  Place place;
  std::vector<State> states;
  std::vector<int32_t> stack, order;
};

} // namespace

std::vector<int32_t> orderOf(const BlockGraph &graph, const Meetings &meetings, Place place) {
  return Lister(graph, meetings, place).run();
}

std::vector<int32_t> depthsOf(const BlockGraph &graph) {
  std::vector<int32_t> depths(graph.size());
  for (int32_t number = 0; number + 1 < graph.size(); ++number) {
    for (int32_t earlier : graph.before(number))
      depths[number] = std::max(depths[number], depths[earlier]);
    depths[number] += graph.numComputedBefore(number + 1) - graph.numComputedBefore(number);
  }
  return depths;
}

/// Returns the loads and stores that only such, or the terminator, wait for; it among them.
static llvm::BitVector endsOf(const BlockGraph &graph) {
  llvm::BitVector ends(graph.size());
  for (int32_t number = graph.size() - 1; number >= 0; --number)
    if (number == graph.size() - 1 || llvm::isa<LoadOp, StoreOp>(graph.op(number)))
      ends[number] = llvm::all_of(graph.after(number), [&](int32_t later) { return ends[later]; });
  return ends;
}

std::vector<int32_t> depthFirstOrder(const BlockGraph &graph) {
  std::vector<int32_t> depths = depthsOf(graph), order, stack;
  std::vector<Surroundings> surroundings = surroundingsOf(graph);
  std::vector<bool> isOpen(graph.size()), isListed(graph.size());
  int32_t terminator = graph.size() - 1;
  // What is last on the stack is listed first.
  auto open = [&](int32_t number) {
    isOpen[number] = true;
    size_t first = stack.size();
    for (int32_t earlier : llvm::reverse(graph.before(number)))
      if (!isOpen[earlier])
        stack.push_back(earlier);
    std::stable_sort(stack.begin() + first, stack.end(), [&](int32_t a, int32_t b) {
      if (depths[a] != depths[b])
        return number == terminator ? depths[a] > depths[b] : depths[a] < depths[b];
      uint64_t bytesOfA = bytesOf(graph.op(a)->getResults());
      uint64_t bytesOfB = bytesOf(graph.op(b)->getResults());
      return std::tie(bytesOfA, surroundings[a]) < std::tie(bytesOfB, surroundings[b]);
    });
  };
  auto list = [&](int32_t root) {
    stack.push_back(root);
    while (!stack.empty()) {
      int32_t top = stack.back();
      if (!isOpen[top]) {
        open(top);
        continue;
      }
      stack.pop_back();
      if (!isListed[top])
        order.push_back(top);
      isListed[top] = true;
    }
  };
  list(terminator);
  order.pop_back();
  for (int32_t number = 0; number < terminator; ++number) // What nobody reads.
    list(number);
  // What is left in buffers is stored at the end, as what has none is returned.
  llvm::BitVector isLast = endsOf(graph);
  auto firstLast = std::stable_partition(order.begin(), order.end(),
                                         [&](int32_t number) { return !isLast[number]; });
  std::sort(firstLast, order.end());
  order.push_back(terminator);
  return order;
}

Footprint footprintOf(mlir::Operation *op) {
  Footprint footprint;
  // A buffer is what was stored in it, until something else is.
  footprint.isView =
      llvm::isa<LoadOp, StoreOp, stablehlo::ReshapeOp, stablehlo::BroadcastInDimOp>(op);
  bool isMadeWhenRead = op->getNumOperands() == 0 && op->getNumRegions() == 0;
  if (!footprint.isView && !isMadeWhenRead)
    footprint.results = bytesOf(op->getResults());
  return footprint;
}

std::vector<uint64_t> heldBytes(const BlockGraph &graph, const Meetings &meetings,
                                llvm::ArrayRef<int32_t> order,
                                llvm::ArrayRef<Footprint> footprints) {
  // When each op is done; members of a meeting at once.
  std::vector<int32_t> timeOf(graph.size());
  int32_t time = -1, group = -1;
  for (int32_t number : order) {
    if (meetings.groupOf[number] < 0 || meetings.groupOf[number] != group)
      ++time;
    group = meetings.groupOf[number];
    timeOf[number] = time;
  }
  // What a view shows is held as long as the view is read.
  std::vector<int32_t> holder(graph.size()), until(graph.size());
  for (int32_t number : order) {
    llvm::ArrayRef<int32_t> makers = graph.before(number);
    holder[number] = footprints[number].isView && !makers.empty() ? holder[makers.front()] : number;
    until[number] = timeOf[number];
    for (int32_t maker : makers)
      until[holder[maker]] = std::max(until[holder[maker]], timeOf[number]);
  }
  std::vector<uint64_t> taken(time + 1), released(time + 1), inside(time + 1);
  for (int32_t number : order) {
    int32_t at = timeOf[number];
    inside[at] = std::max(inside[at], footprints[number].inside);
    taken[at] += footprints[number].results;
    released[until[number]] += footprints[number].results;
  }
  std::vector<uint64_t> result(time + 1);
  uint64_t held = 0;
  for (int32_t at = 0; at <= time; ++at) {
    held += taken[at];
    result[at] = held + inside[at];
    held -= released[at];
  }
  return result;
}

uint64_t peakBytes(const BlockGraph &graph, const Meetings &meetings, llvm::ArrayRef<int32_t> order,
                   llvm::ArrayRef<Footprint> footprints) {
  std::vector<uint64_t> held = heldBytes(graph, meetings, order, footprints);
  return held.empty() ? 0 : *llvm::max_element(held);
}

} // namespace spmd
