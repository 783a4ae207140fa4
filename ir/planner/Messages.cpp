#include "spmd/ir/planner/Messages.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace spmd {

namespace {

/// Forward and backward sweeps. More than these changed no plan of the test programs.
constexpr int numSweeps = 60;

/// Sweeps without a better plan, before the search ends.
constexpr int patience = 8;

using Message = std::vector<float>;

/// What an impossible move costs. Messages never add it to anything.
constexpr auto never = static_cast<float>(LayoutTable::impossible);

int32_t bitsOf(float value) {
  int32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// Messages by number; equal ones have equal numbers.
class MessageTable {
public:
  int32_t intern(Message &message) {
    for (float &entry : message)
      entry = rounded(entry);
    key.resize(message.size());
    std::memcpy(key.data(), message.data(), message.size() * sizeof(float));
    auto [number, isNew] = numbers.number(key);
    if (isNew)
      messages.push_back(message);
    return number;
  }
  const Message &operator[](int32_t number) const { return messages[number]; }

private:
  /// Keeps 12 bits of the mantissa, so that the messages of repeated layers become equal.
  static float rounded(float value) {
    constexpr uint32_t dropped = 11;
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    bits = (bits + (1U << (dropped - 1))) >> dropped << dropped;
    std::memcpy(&value, &bits, sizeof(bits));
    return value;
  }

  KeyNumbers numbers;
  std::vector<int32_t> key;
  std::vector<Message> messages;
};

/// The costs of all moves between the layouts that one node makes and those that another reads.
struct MoveMatrix {
  size_t numMade, numRead;
  std::vector<float> costs; ///< Made layouts are rows.
};

class Passer {
public:
  Passer(const DecisionGraph &graph, Flows flows) : graph(graph), flows(flows) { collectEdges(); }

  std::vector<int32_t> run() {
    std::vector<int32_t> best;
    double leastCost = std::numeric_limits<double>::infinity();
    PlanState state(graph);
    int bestSweep = 0;
    for (int sweep = 0; sweep < numSweeps; ++sweep) {
      bool changed = false;
      for (int32_t n = 0; n < graph.numNodes(); ++n)
        changed |= send(n, /*forward=*/true);
      for (int32_t n = graph.numNodes() - 1; n >= 0; --n)
        changed |= send(n, /*forward=*/false);
      decode(state);
      if (double cost = state.total(); cost < leastCost) {
        leastCost = cost;
        best = state.options();
        bestSweep = sweep;
      }
      if (!changed || sweep - bestSweep == patience)
        break;
    }
    return best;
  }

private:
  struct Edge {
    int32_t maker, reader;
    int32_t madeTensor, readTensor;
    int32_t matrix;
    float weight;                      ///< Times the costs of the matrix.
    int32_t toReader = 0, toMaker = 0; ///< Messages; 0 is the empty one, of zeros.
  };

  void collectEdges() {
    Message empty;
    messages.intern(empty);
    outgoing.resize(graph.numNodes());
    incoming.resize(graph.numNodes());
    for (int32_t v = 0; v < graph.numValues(); ++v) {
      const DecisionGraph::Value &value = graph.value(v);
      for (const DecisionGraph::Use &use : graph.usesOf(v)) {
        Edge edge{value.maker, use.user, value.tensor, use.tensor, 0, 0};
        edge.matrix = matrixOf(edge, value.kind);
        edge.weight = static_cast<float>(value.weight);
        outgoing[edge.maker].push_back(static_cast<int32_t>(edges.size()));
        incoming[edge.reader].push_back(static_cast<int32_t>(edges.size()));
        edges.push_back(edge);
      }
    }
  }

  const OptionSet::Side &madeSide(const Edge &edge) const {
    return graph.optionsOf(edge.maker).sides[edge.madeTensor];
  }
  const OptionSet::Side &readSide(const Edge &edge) const {
    return graph.optionsOf(edge.reader).sides[edge.readTensor];
  }

  int32_t matrixOf(const Edge &edge, int32_t kind) {
    const OptionSet::Side &made = madeSide(edge), &read = readSide(edge);
    auto [entry, isNew] = matrixNumbers.try_emplace(std::make_tuple(kind, &made, &read),
                                                    static_cast<int32_t>(matrices.size()));
    if (!isNew)
      return entry->second;
    MoveMatrix &matrix = matrices.emplace_back();
    matrix.numMade = made.layouts.size();
    matrix.numRead = read.layouts.size();
    for (int32_t from : made.layouts)
      for (int32_t to : read.layouts)
        matrix.costs.push_back(static_cast<float>(graph.table.roughMoveCost(kind, from, to)));
    return entry->second;
  }

  /// Sends the messages of one node along its outgoing edges, or back along its incoming ones.
  /// Returns whether any of them is new.
  bool send(int32_t n, bool forward) {
    const std::vector<int32_t> &targets = forward ? outgoing[n] : incoming[n];
    if (targets.empty())
      return false;
    auto weight = static_cast<float>(graph.node(n).weight);
    key.assign({graph.node(n).options, forward, bitsOf(weight)});
    auto addToKey = [&](const std::vector<int32_t> &list, bool toReader) {
      key.push_back(static_cast<int32_t>(list.size()));
      for (int32_t e : list) {
        key.insert(key.end(),
                   {edges[e].matrix, toReader ? edges[e].readTensor : edges[e].madeTensor,
                    toReader ? edges[e].toReader : edges[e].toMaker, bitsOf(edges[e].weight)});
      }
    };
    addToKey(incoming[n], true);
    addToKey(outgoing[n], false);
    auto [number, isNew] = sent.number(key);
    if (isNew)
      answers.push_back(compute(n, forward, targets));
    bool changed = false;
    const std::vector<int32_t> &answer = answers[number];
    for (size_t i = 0; i < targets.size(); ++i) {
      int32_t &message = forward ? edges[targets[i]].toReader : edges[targets[i]].toMaker;
      changed |= message != answer[i];
      message = answer[i];
    }
    return changed;
  }

  /// Returns the cost of one option of a node by itself.
  float ownCost(int32_t n, int32_t option) const {
    if (flows == Flows::declared && graph.node(n).isFlow && option > 0)
      return never;
    return static_cast<float>(graph.node(n).weight * graph.optionsOf(n).costs[option]);
  }

  /// Returns the cost of each option of a node, with all that its edges say of them.
  std::vector<float> beliefs(int32_t n) const {
    const OptionSet &options = graph.optionsOf(n);
    std::vector<float> costs(options.size());
    for (int32_t o = 0; o < options.size(); ++o)
      costs[o] = ownCost(n, o);
    auto add = [&](const OptionSet::Side &side, int32_t number) {
      const Message &message = messages[number];
      for (size_t o = 0; o < costs.size() && !message.empty(); ++o)
        costs[o] += message[side.indexOf[o]];
    };
    for (int32_t e : outgoing[n])
      add(madeSide(edges[e]), edges[e].toMaker);
    for (int32_t e : incoming[n])
      add(readSide(edges[e]), edges[e].toReader);
    return costs;
  }

  std::vector<int32_t> compute(int32_t n, bool forward, const std::vector<int32_t> &targets) {
    std::vector<float> costs = beliefs(n);
    float share =
        1.0F / static_cast<float>(std::max({outgoing[n].size(), incoming[n].size(), size_t{1}}));
    std::vector<int32_t> answer;
    for (int32_t e : targets) {
      const Edge &edge = edges[e];
      const OptionSet::Side &own = forward ? madeSide(edge) : readSide(edge);
      Message least(own.layouts.size(), std::numeric_limits<float>::max());
      for (size_t o = 0; o < costs.size(); ++o) {
        float &entry = least[own.indexOf[o]];
        entry = std::min(entry, costs[o] < never ? share * costs[o] : never);
      }
      const Message &back = messages[forward ? edge.toMaker : edge.toReader];
      for (size_t i = 0; i < back.size(); ++i)
        least[i] = least[i] < never && back[i] < never ? least[i] - back[i] : never;
      Message message = across(matrices[edge.matrix], least, edge.weight, forward);
      float smallest = *std::min_element(message.begin(), message.end());
      for (float &entry : message)
        entry = entry < never ? entry - smallest : never;
      answer.push_back(messages.intern(message));
    }
    return answer;
  }

  /// Returns, for each layout at the other end of an edge, the least of `least` and a move.
  static Message across(const MoveMatrix &matrix, const Message &least, float weight,
                        bool forward) {
    Message message(forward ? matrix.numRead : matrix.numMade, std::numeric_limits<float>::max());
    const float *cost = matrix.costs.data();
    for (size_t m = 0; m < matrix.numMade; ++m, cost += matrix.numRead) {
      if (forward) {
        for (size_t r = 0; r < matrix.numRead; ++r)
          message[r] = std::min(message[r], least[m] + weight * cost[r]);
        continue;
      }
      float best = message[m];
      for (size_t r = 0; r < matrix.numRead; ++r)
        best = std::min(best, least[r] + weight * cost[r]);
      message[m] = best;
    }
    return message;
  }

  /// Picks options in program order: each node sees what the nodes before it picked.
  void decode(PlanState &state) const {
    for (int32_t n = 0; n < graph.numNodes(); ++n) {
      const OptionSet &options = graph.optionsOf(n);
      if (options.size() == 1)
        continue;
      std::vector<double> costs(options.size());
      for (int32_t o = 0; o < options.size(); ++o)
        costs[o] = ownCost(n, o);
      for (int32_t e : outgoing[n])
        if (const Message &message = messages[edges[e].toMaker]; !message.empty())
          for (int32_t o = 0; o < options.size(); ++o)
            costs[o] += message[madeSide(edges[e]).indexOf[o]];
      for (int32_t e : incoming[n]) {
        const MoveMatrix &matrix = matrices[edges[e].matrix];
        size_t made = madeSide(edges[e]).indexOf[state.option(edges[e].maker)];
        for (int32_t o = 0; o < options.size(); ++o)
          costs[o] +=
              edges[e].weight * matrix.costs[made * matrix.numRead + readSide(edges[e]).indexOf[o]];
      }
      state.set(n,
                static_cast<int32_t>(std::min_element(costs.begin(), costs.end()) - costs.begin()));
    }
  }

  const DecisionGraph &graph;
  Flows flows;
  std::vector<Edge> edges;
  std::vector<std::vector<int32_t>> outgoing, incoming; ///< Edges by node.
  absl::flat_hash_map<std::tuple<int32_t, const void *, const void *>, int32_t> matrixNumbers;
  std::vector<MoveMatrix> matrices;
  MessageTable messages;
  KeyNumbers sent;                           ///< What nodes sent messages for.
  std::vector<std::vector<int32_t>> answers; ///< By number of the key.
  std::vector<int32_t> key;
};

} // namespace

std::vector<int32_t> passMessages(const DecisionGraph &graph, Flows flows) {
  return Passer(graph, flows).run();
}

} // namespace spmd
