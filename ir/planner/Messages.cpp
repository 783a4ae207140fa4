#include "spmd/ir/planner/Messages.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

namespace spmd {

namespace {

/// Forward and backward sweeps. More than these changed no plan of the test programs.
constexpr int numSweeps = 60;

/// The search ends after this many sweeps without a better plan.
constexpr int patience = 8;

/// The search also ends once sweeps without a better plan have added this many entries of matrices.
/// Only graphs of ops with hundreds of options get there: after two or three sweeps.
constexpr size_t mostSums = 100'000'000;

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

/// Lowers each `out[c]` to the least of `least[r] + weight * rows[r][c]`, over all rows. The loop
/// takes four rows at a time, and so loads and stores `out` once for four of them.
void minPlus(absl::Span<const float> least, const float *rows, float weight,
             absl::Span<float> out) {
  const float *row[4];
  float start[4];
  size_t count = 0, width = out.size();
  float *__restrict to = out.data();
  auto add = [&](auto numRows) {
    for (size_t c = 0; c < width; ++c) {
      float entry = to[c];
      for (size_t i = 0; i < numRows(); ++i)
        entry = std::min(entry, start[i] + weight * row[i][c]);
      to[c] = entry;
    }
  };
  for (size_t r = 0; r < least.size(); ++r) {
    if (least[r] >= never)
      continue;
    row[count] = rows + r * width;
    start[count++] = least[r];
    if (count == 4) {
      add(std::integral_constant<size_t, 4>());
      count = 0;
    }
  }
  for (size_t i = 0; i < count; ++i) {
    row[0] = row[i];
    start[0] = start[i];
    add(std::integral_constant<size_t, 1>());
  }
}

class Passer {
public:
  Passer(const DecisionGraph &graph, MoveMatrices &matrices, Flows flows)
      : graph(graph), matrices(matrices), flows(flows) {
    Message empty;
    messages.intern(empty);
    collectEdges();
    number();
  }

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
      for (int32_t n = 0; n < graph.numNodes(); ++n)
        pick(n, state);
      if (double cost = state.total(); cost < leastCost) {
        leastCost = cost;
        best = state.options();
        bestSweep = sweep;
        numSums = 0;
      }
      if (!changed || sweep - bestSweep == patience || numSums > mostSums)
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

  /// Lists the edges, by maker and by reader.
  void collectEdges() {
    std::vector<int32_t> counts(graph.numNodes() + 1, 0);
    firstOutgoing.push_back(0);
    for (int32_t v = 0; v < graph.numValues(); ++v) {
      const DecisionGraph::Value &value = graph.value(v);
      for (; static_cast<int32_t>(firstOutgoing.size()) <= value.maker;)
        firstOutgoing.push_back(static_cast<int32_t>(edges.size()));
      for (const DecisionGraph::Use &use : graph.usesOf(v)) {
        Edge edge{value.maker, use.user, value.tensor, use.tensor, 0, 0};
        edge.matrix = matrices.numberOf(value.kind, madeSide(edge), readSide(edge));
        edge.weight = static_cast<float>(value.weight);
        edges.push_back(edge);
        ++counts[use.user + 1];
      }
    }
    firstOutgoing.resize(graph.numNodes() + 1, static_cast<int32_t>(edges.size()));
    std::partial_sum(counts.begin(), counts.end(), counts.begin());
    firstIncoming = counts;
    byReader.resize(edges.size());
    for (size_t e = 0; e < edges.size(); ++e)
      byReader[counts[edges[e].reader]++] = static_cast<int32_t>(e);
  }

  /// Gives nodes the same number if they differ in their messages alone.
  void number() {
    KeyNumbers numbers;
    for (int32_t n = 0; n < graph.numNodes(); ++n) {
      key.assign({graph.node(n).options, bitsOf(static_cast<float>(graph.node(n).weight)),
                  static_cast<int32_t>(outgoing(n).size())});
      for (const Edge &edge : outgoing(n))
        key.insert(key.end(), {edge.matrix, edge.madeTensor, bitsOf(edge.weight)});
      for (int32_t e : incoming(n))
        key.insert(key.end(), {edges[e].matrix, edges[e].readTensor, bitsOf(edges[e].weight)});
      likeness.push_back(numbers.number(key).first);
    }
  }

  /// The edges that leave a node.
  absl::Span<Edge> outgoing(int32_t n) {
    return absl::MakeSpan(edges).subspan(firstOutgoing[n], firstOutgoing[n + 1] - firstOutgoing[n]);
  }
  /// The numbers of the edges that come to a node.
  absl::Span<const int32_t> incoming(int32_t n) const {
    return absl::MakeConstSpan(byReader).subspan(firstIncoming[n],
                                                 firstIncoming[n + 1] - firstIncoming[n]);
  }

  const OptionSet::Side &madeSide(const Edge &edge) const {
    return graph.optionsOf(edge.maker).sides[edge.madeTensor];
  }
  const OptionSet::Side &readSide(const Edge &edge) const {
    return graph.optionsOf(edge.reader).sides[edge.readTensor];
  }

  /// Sends the messages of one node along its outgoing edges, or back along its incoming ones.
  /// Returns whether any of them is new.
  bool send(int32_t n, bool forward) {
    if (forward ? outgoing(n).empty() : incoming(n).empty())
      return false;
    key.assign({2 * likeness[n] + (forward ? 1 : 0)});
    for (const Edge &edge : outgoing(n))
      key.push_back(edge.toMaker);
    for (int32_t e : incoming(n))
      key.push_back(edges[e].toReader);
    auto [number, isNew] = sent.number(key);
    if (isNew) {
      answerBegins.push_back(answers.size());
      compute(n, forward);
    }
    const int32_t *answer = answers.data() + answerBegins[number];
    bool changed = false;
    auto deliver = [&](int32_t &message) {
      changed |= message != *answer;
      message = *answer++;
    };
    if (forward)
      for (Edge &edge : outgoing(n))
        deliver(edge.toReader);
    else
      for (int32_t e : incoming(n))
        deliver(edges[e].toMaker);
    return changed;
  }

  /// Returns the cost of one option of a node by itself.
  double ownCost(int32_t n, int32_t option) const {
    if (flows == Flows::declared && graph.node(n).isFlow && option > 0)
      return never;
    return static_cast<float>(graph.node(n).weight * graph.optionsOf(n).costs[option]);
  }

  /// Computes the messages of a node to its makers or its readers, and appends them to `answers`.
  void compute(int32_t n, bool forward) {
    const OptionSet &options = graph.optionsOf(n);
    costs.resize(options.size());
    for (int32_t o = 0; o < options.size(); ++o)
      costs[o] = static_cast<float>(ownCost(n, o));
    auto add = [&](const OptionSet::Side &side, int32_t number) {
      const Message &message = messages[number];
      for (size_t o = 0; o < costs.size() && !message.empty(); ++o)
        costs[o] += message[side.indexOf[o]];
    };
    for (const Edge &edge : outgoing(n))
      add(madeSide(edge), edge.toMaker);
    for (int32_t e : incoming(n))
      add(readSide(edges[e]), edges[e].toReader);
    float share =
        1.0F / static_cast<float>(std::max({outgoing(n).size(), incoming(n).size(), size_t{1}}));
    for (float &cost : costs)
      cost = cost < never ? share * cost : never;
    if (forward)
      for (const Edge &edge : outgoing(n))
        answers.push_back(across(edge, forward));
    else
      for (int32_t e : incoming(n))
        answers.push_back(across(edges[e], forward));
  }

  /// Returns the message that a node whose options have `costs` sends along an edge.
  int32_t across(const Edge &edge, bool forward) {
    const OptionSet::Side &own = forward ? madeSide(edge) : readSide(edge);
    least.assign(own.layouts.size(), std::numeric_limits<float>::max());
    for (size_t o = 0; o < costs.size(); ++o)
      least[own.indexOf[o]] = std::min(least[own.indexOf[o]], costs[o]);
    const Message &back = messages[forward ? edge.toMaker : edge.toReader];
    for (size_t i = 0; i < back.size(); ++i)
      least[i] = least[i] < never && back[i] < never ? least[i] - back[i] : never;
    const MoveMatrix &matrix = matrices[edge.matrix];
    numSums += matrix.byMade.size();
    message.assign(forward ? matrix.numRead : matrix.numMade, std::numeric_limits<float>::max());
    minPlus(least, (forward ? matrix.byMade : matrix.byRead).data(), edge.weight,
            absl::MakeSpan(message));
    float smallest = *std::min_element(message.begin(), message.end());
    for (float &entry : message)
      entry = entry < never ? entry - smallest : never;
    return messages.intern(message);
  }

  /// Lets a node take its best option, as the messages from its readers and the options of its
  /// makers say.
  void pick(int32_t n, PlanState &state) {
    const OptionSet &options = graph.optionsOf(n);
    if (options.size() == 1)
      return;
    auto madeBy = [&](const Edge &edge) {
      return madeSide(edge).indexOf[state.option(edge.maker)];
    };
    key.assign({likeness[n]});
    for (const Edge &edge : outgoing(n))
      key.push_back(edge.toMaker);
    for (int32_t e : incoming(n))
      key.push_back(madeBy(edges[e]));
    auto [number, isNew] = seen.number(key);
    if (!isNew)
      return state.set(n, picks[number]);
    std::vector<double> costs(options.size());
    for (int32_t o = 0; o < options.size(); ++o)
      costs[o] = ownCost(n, o);
    for (const Edge &edge : outgoing(n))
      if (const Message &message = messages[edge.toMaker]; !message.empty())
        for (int32_t o = 0; o < options.size(); ++o)
          costs[o] += message[madeSide(edge).indexOf[o]];
    for (int32_t e : incoming(n)) {
      const OptionSet::Side &side = readSide(edges[e]);
      size_t made = madeBy(edges[e]);
      for (int32_t o = 0; o < options.size(); ++o)
        costs[o] += edges[e].weight * matrices[edges[e].matrix].cost(made, side.indexOf[o]);
    }
    picks.push_back(
        static_cast<int32_t>(std::min_element(costs.begin(), costs.end()) - costs.begin()));
    state.set(n, picks.back());
  }

  const DecisionGraph &graph;
  MoveMatrices &matrices;
  Flows flows;
  std::vector<Edge> edges;            ///< By maker.
  std::vector<int32_t> firstOutgoing; ///< By node, in `edges`.
  std::vector<int32_t> byReader;      ///< Numbers of edges.
  std::vector<int32_t> firstIncoming; ///< By node, in `byReader`.
  std::vector<int32_t> likeness;      ///< By node.
  MessageTable messages;
  KeyNumbers sent;                  ///< What nodes sent messages for.
  std::vector<size_t> answerBegins; ///< By number of the key, in `answers`.
  std::vector<int32_t> answers;     ///< Numbers of messages.
  KeyNumbers seen;                  ///< What nodes picked options for.
  std::vector<int32_t> picks;       ///< By number of the key.
  std::vector<int32_t> key;
  Message costs, least, message;
  size_t numSums = 0; ///< Computed since the best plan.
};

} // namespace

std::vector<int32_t> passMessages(const DecisionGraph &graph, MoveMatrices &matrices, Flows flows) {
  return Passer(graph, matrices, flows).run();
}

} // namespace spmd
