#include "spmd/passes/optimize/merge/Meetings.h"

#include "llvm/ADT/bit.h"

#include <functional>
#include <queue>

namespace spmd {

namespace {

using LowestFirst = std::priority_queue<int32_t, std::vector<int32_t>, std::greater<>>;

/// A set of ops, of which the first is asked for again and again.
class NumberSet {
public:
  explicit NumberSet(int32_t size) : words(size / 64 + 1), size(size) {}

  void insert(int32_t number) {
    words[number / 64] |= uint64_t(1) << (number % 64);
    start = std::min(start, number / 64);
  }
  void erase(int32_t number) { words[number / 64] &= ~(uint64_t(1) << (number % 64)); }

  /// Returns the lowest number up to `last`, or -1. Looks at words that it did not find empty,
  /// once.
  int32_t first(int32_t last) {
    for (last = std::min(last, size - 1); start <= last / 64; ++start)
      if (words[start]) {
        int32_t number = start * 64 + llvm::countr_zero(words[start]);
        return number <= last ? number : -1;
      }
    return -1;
  }

private:
  std::vector<uint64_t> words;
  int32_t size, start = 0; ///< Words before `start` are empty.
};

/// Does the ops of a block one by one; candidates wait until something needs one of them.
class Scheduler {
public:
  Scheduler(const BlockGraph &graph, llvm::ArrayRef<Joinable> candidates, uint64_t bucketBytes,
            int32_t lookahead)
      : graph(graph), candidates(candidates), bucketBytes(bucketBytes), lookahead(lookahead),
        missing(graph.size()), states(graph.size(), State::ahead), ready(graph.size()) {
    for (int32_t number = 0; number < graph.size(); ++number) {
      missing[number] = static_cast<int32_t>(graph.before(number).size());
      if (missing[number] == 0)
        ready.insert(number);
      if (int32_t kind = candidates[number].kind; kind >= 0) {
        if (kind >= static_cast<int32_t>(kinds.size()))
          kinds.resize(kind + 1);
        ++kinds[kind].remaining;
      }
    }
    result.groupOf.assign(graph.size(), -1);
  }

  Meetings run() {
    while (true) {
      doWhatIsReady();
      if (complete.empty() && front == graph.size())
        return std::move(result);
      meet(nextKind());
    }
  }

private:
  enum class State : uint8_t { ahead, waiting, done };

  struct Kind {
    LowestFirst waiting;
    int32_t remaining = 0; ///< Those that wait and those ahead.
  };

  void advance() {
    while (front < graph.size() && states[front] != State::ahead)
      ++front;
  }

  /// Returns the last op that may pass the first that must wait.
  int32_t farthest() {
    if (lookahead == 0 || front == graph.size())
      return front;
    int32_t mostBefore = graph.numComputedBefore(front) + lookahead;
    while (last + 1 < graph.size() && graph.numComputedBefore(last + 1) <= mostBefore)
      ++last;
    return last;
  }

  void doWhatIsReady() {
    int32_t number = -1;
    for (advance(); (number = ready.first(farthest())) >= 0; advance()) {
      ready.erase(number);
      if (int32_t kind = candidates[number].kind; kind >= 0) {
        states[number] = State::waiting;
        kinds[kind].waiting.push(number);
        noteIfComplete(kind);
      } else {
        finish(number);
      }
    }
  }

  void finish(int32_t number) {
    states[number] = State::done;
    for (int32_t user : graph.after(number))
      if (--missing[user] == 0)
        ready.insert(user);
  }

  void noteIfComplete(int32_t kind) {
    if (kinds[kind].remaining == static_cast<int32_t>(kinds[kind].waiting.size()))
      complete.push(kind);
  }

  /// A kind of which no more come need not wait; else the one that the first op needs goes on.
  int32_t nextKind() {
    if (!complete.empty()) {
      int32_t kind = complete.top();
      complete.pop();
      return kind;
    }
    int32_t first = graph.size();
    for (int32_t number : graph.before(front))
      if (states[number] == State::waiting)
        first = std::min(first, kinds[candidates[number].kind].waiting.top());
    return candidates[first].kind;
  }

  void meet(int32_t index) {
    Kind &kind = kinds[index];
    std::vector<int32_t> members;
    uint64_t bytes = 0;
    while (!kind.waiting.empty()) {
      int32_t number = kind.waiting.top();
      bytes += candidates[number].bytes;
      if (!members.empty() && bytes > bucketBytes) {
        result.isLimited = true;
        break;
      }
      kind.waiting.pop();
      members.push_back(number);
    }
    kind.remaining -= static_cast<int32_t>(members.size());
    for (int32_t number : members)
      finish(number);
    if (!kind.waiting.empty())
      noteIfComplete(index);
    if (members.size() < 2)
      return;
    for (int32_t number : members)
      result.groupOf[number] = static_cast<int32_t>(result.groups.size());
    result.groups.push_back(std::move(members));
  }

  const BlockGraph &graph;
  llvm::ArrayRef<Joinable> candidates;
  uint64_t bucketBytes;
  int32_t lookahead;
  std::vector<int32_t> missing; ///< How many times each op still waits.
  std::vector<State> states;
  std::vector<Kind> kinds;
  NumberSet ready;
  LowestFirst complete;
  int32_t front = 0; ///< All ops before it are done or wait for others of their kind.
  int32_t last = 0;  ///< What may pass it.
  Meetings result;
};

} // namespace

Meetings findMeetings(const BlockGraph &graph, llvm::ArrayRef<Joinable> candidates,
                      uint64_t bucketBytes, int32_t lookahead) {
  return Scheduler(graph, candidates, bucketBytes, lookahead).run();
}

} // namespace spmd
