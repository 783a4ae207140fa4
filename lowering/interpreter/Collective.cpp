#include "spmd/lowering/interpreter/Collective.h"

#include "spmd/lowering/interpreter/Combiner.h"
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/RaggedAllToAll.h"
#include "spmd/lowering/interpreter/StridedCopy.h"

#include <cstring>
#include <numeric>

namespace spmd {
namespace {

using RunFunction = std::function<absl::StatusOr<MemberTensors>(int32_t, const MemberTensors &)>;

std::vector<TypeRef> refsOf(const std::vector<TensorType> &types) {
  std::vector<TypeRef> refs;
  for (const TensorType &type : types)
    refs.emplace_back(type);
  return refs;
}

/// Returns the size that all groups have. InvalidArgument if they differ or there are none.
absl::StatusOr<int64_t> commonSize(const ReplicaGroups &groups) {
  if (groups.empty() || groups[0].empty())
    return invalid("has no groups");
  for (const auto &group : groups)
    if (group.size() != groups[0].size())
      return invalid("has groups of ", groups[0].size(), " and of ", group.size(), " devices");
  return groups[0].size();
}

/// Returns `type` with `dim` of another size.
TensorType resized(TensorType type, int64_t dim, int64_t size) {
  type.shape[dim] = size;
  return type;
}

/// Returns a copy of a box of `shape` between tensors of types `from` and `to`.
CopyBox boxOf(const Ints &shape, const TensorType &from, const TensorType &to) {
  return {shape, rowMajorStrides(from.shape), rowMajorStrides(to.shape)};
}

/// Copies all of `part` to offset `at` of dim `dim` in `whole`, or back if `isSplit`.
void copyPart(const Tensor &part, const Tensor &whole, int64_t dim, int64_t at, bool isSplit) {
  if (part.numElements() == 0)
    return;
  int64_t bytes = storedBytes(part.type().element);
  int64_t offset = at * rowMajorStrides(whole.type().shape)[dim] * bytes;
  if (isSplit)
    copyBox(boxOf(part.type().shape, whole.type(), part.type()), bytes, whole.data() + offset,
            part.mutableData());
  else
    copyBox(boxOf(part.type().shape, part.type(), whole.type()), bytes, part.data(),
            whole.mutableData() + offset);
}

absl::StatusOr<RunFunction> prepareAllGather(const KernelRequest &request,
                                             const ReplicaGroups &groups) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(request.results.size(), request.operands.size()));
  SPMD_ASSIGN_OR_RETURN(int64_t size, commonSize(groups));
  SPMD_ASSIGN_OR_RETURN(int64_t dim, request.attributes().get<int64_t>("all_gather_dim"));
  for (size_t i = 0; i < request.operands.size(); ++i) {
    const TensorType &type = request.operands[i];
    if (dim < 0 || dim >= type.rank())
      return invalid("attribute 'all_gather_dim' is dim ", dim, " of a tensor of rank ",
                     type.rank());
    SPMD_RETURN_IF_ERROR(
        expectType("result", request.results[i], resized(type, dim, type.shape[dim] * size)));
  }
  return RunFunction([dim, types = refsOf(request.results)](
                         int32_t, const MemberTensors &in) -> absl::StatusOr<MemberTensors> {
    std::vector<Tensor> shared;
    for (size_t i = 0; i < types.size(); ++i) {
      SPMD_ASSIGN_OR_RETURN(Tensor whole, Tensor::allocate(types[i]));
      for (size_t member = 0; member < in.size(); ++member)
        copyPart(in[member][i], whole, dim, member * in[member][i].type().shape[dim], false);
      shared.push_back(std::move(whole));
    }
    return MemberTensors(in.size(), shared);
  });
}

/// Returns operand `i` of all members combined, in group order.
absl::StatusOr<Tensor> reduced(const MemberTensors &in, size_t i, const Combiner &combiner) {
  const Tensor &first = in[0][i];
  SPMD_ASSIGN_OR_RETURN(Tensor sum, Tensor::allocate(first.typeRef()));
  if (sum.sizeInBytes() > 0)
    std::memcpy(sum.mutableData(), first.data(), sum.sizeInBytes());
  for (size_t member = 1; member < in.size(); ++member)
    SPMD_RETURN_IF_ERROR(
        combiner.combine(sum.numElements(), {sum.mutableData()}, {in[member][i].data()}));
  return sum;
}

absl::StatusOr<std::vector<Combiner>> combinersOf(const KernelRequest &request) {
  SPMD_ASSIGN_OR_RETURN(int32_t body, request.bodyIndex());
  std::vector<Combiner> combiners;
  for (const TensorType &type : request.results) {
    SPMD_ASSIGN_OR_RETURN(Combiner combiner, Combiner::create(request.program, body, {type.element},
                                                              request.registry));
    combiners.push_back(std::move(combiner));
  }
  return combiners;
}

absl::StatusOr<RunFunction> prepareAllReduce(const KernelRequest &request, const ReplicaGroups &) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(request.results.size(), request.operands.size()));
  for (size_t i = 0; i < request.operands.size(); ++i)
    SPMD_RETURN_IF_ERROR(expectType("result", request.results[i], request.operands[i]));
  SPMD_ASSIGN_OR_RETURN(std::vector<Combiner> combiners, combinersOf(request));
  return RunFunction([combiners = std::move(combiners)](
                         int32_t, const MemberTensors &in) -> absl::StatusOr<MemberTensors> {
    std::vector<Tensor> shared;
    for (size_t i = 0; i < combiners.size(); ++i) {
      SPMD_ASSIGN_OR_RETURN(Tensor sum, reduced(in, i, combiners[i]));
      shared.push_back(std::move(sum));
    }
    return MemberTensors(in.size(), shared);
  });
}

absl::StatusOr<RunFunction> prepareReduceScatter(const KernelRequest &request,
                                                 const ReplicaGroups &groups) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(1, 1));
  const TensorType &type = request.operands[0];
  SPMD_ASSIGN_OR_RETURN(int64_t size, commonSize(groups));
  SPMD_ASSIGN_OR_RETURN(int64_t dim, dimOf(request.attributes(), "scatter_dimension", type.rank()));
  if (type.shape[dim] % size != 0)
    return invalid("dim ", dim, " of size ", type.shape[dim], " does not divide by ", size);
  SPMD_RETURN_IF_ERROR(
      expectType("result", request.results[0], resized(type, dim, type.shape[dim] / size)));
  SPMD_ASSIGN_OR_RETURN(std::vector<Combiner> combiners, combinersOf(request));
  return RunFunction([dim, combiners = std::move(combiners), types = refsOf(request.results)](
                         int32_t, const MemberTensors &in) -> absl::StatusOr<MemberTensors> {
    SPMD_ASSIGN_OR_RETURN(Tensor sum, reduced(in, 0, combiners[0]));
    MemberTensors out;
    for (size_t member = 0; member < in.size(); ++member) {
      SPMD_ASSIGN_OR_RETURN(Tensor part, Tensor::allocate(types[0]));
      copyPart(part, sum, dim, member * types[0]->shape[dim], true);
      out.push_back({std::move(part)});
    }
    return out;
  });
}

absl::StatusOr<RunFunction> prepareAllToAll(const KernelRequest &request,
                                            const ReplicaGroups &groups) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(request.results.size(), request.operands.size()));
  SPMD_ASSIGN_OR_RETURN(int64_t size, commonSize(groups));
  SPMD_ASSIGN_OR_RETURN(int64_t split, request.attributes().get<int64_t>("split_dimension"));
  SPMD_ASSIGN_OR_RETURN(int64_t concat, request.attributes().get<int64_t>("concat_dimension"));
  SPMD_ASSIGN_OR_RETURN(int64_t count, request.attributes().getOr<int64_t>("split_count", size));
  if (count != size)
    return invalid("attribute 'split_count' is ", count, ", the groups have ", size, " devices");
  std::vector<TensorType> parts;
  for (size_t i = 0; i < request.operands.size(); ++i) {
    const TensorType &type = request.operands[i];
    if (split < 0 || split >= type.rank() || concat < 0 || concat >= type.rank())
      return invalid("splits dim ", split, " and concatenates dim ", concat, " of ", type.str());
    if (type.shape[split] % size != 0)
      return invalid("dim ", split, " of size ", type.shape[split], " does not divide by ", size);
    TensorType part = resized(type, split, type.shape[split] / size);
    SPMD_RETURN_IF_ERROR(
        expectType("result", request.results[i], resized(part, concat, part.shape[concat] * size)));
    parts.push_back(part);
  }
  return RunFunction([=, types = refsOf(request.results)](
                         int32_t, const MemberTensors &in) -> absl::StatusOr<MemberTensors> {
    MemberTensors out(in.size());
    for (size_t to = 0; to < in.size(); ++to)
      for (size_t i = 0; i < types.size(); ++i) {
        SPMD_ASSIGN_OR_RETURN(Tensor whole, Tensor::allocate(types[i]));
        Ints outStrides = rowMajorStrides(types[i]->shape);
        int64_t bytes = storedBytes(types[i]->element);
        for (size_t from = 0; from < in.size() && whole.numElements() > 0; ++from) {
          const Tensor &source = in[from][i];
          Ints inStrides = rowMajorStrides(source.type().shape);
          copyBox({parts[i].shape, inStrides, outStrides}, bytes,
                  source.data() + to * parts[i].shape[split] * inStrides[split] * bytes,
                  whole.mutableData() + from * parts[i].shape[concat] * outStrides[concat] * bytes);
        }
        out[to].push_back(std::move(whole));
      }
    return out;
  });
}

/// How broadcasts and reductions to one member find it: for each operand the first of the group,
/// or, with dynamic roots, the one that the last operand names by its position.
struct Roots {
  size_t count; ///< Of operands other than the roots.
  bool dynamic;

  static absl::StatusOr<Roots> create(const KernelRequest &request) {
    SPMD_ASSIGN_OR_RETURN(bool dynamic,
                          request.attributes().getOr<bool>("has_dynamic_root", false));
    Roots roots{request.results.size(), dynamic};
    SPMD_RETURN_IF_ERROR(request.expectCounts(roots.count + dynamic, roots.count));
    for (size_t i = 0; i < roots.count; ++i)
      SPMD_RETURN_IF_ERROR(expectType("result", request.results[i], request.operands[i]));
    if (dynamic)
      SPMD_RETURN_IF_ERROR(expectType("roots", request.operands.back(),
                                      {ElementType::i32, {static_cast<int64_t>(roots.count)}}));
    return roots;
  }

  absl::StatusOr<size_t> of(size_t i, const MemberTensors &in) const {
    int32_t root = dynamic ? in[0].back().as<int32_t>()[i] : 0;
    if (root < 0 || root >= static_cast<int64_t>(in.size()))
      return invalid("root of operand ", i, " is ", root, " in a group of ", in.size());
    for (size_t member = 1; dynamic && member < in.size(); ++member)
      if (int32_t other = in[member].back().as<int32_t>()[i]; other != root)
        return invalid("members of a group name ", root, " and ", other, " as root of operand ", i);
    return root;
  }
};

absl::StatusOr<RunFunction> prepareBroadcast(const KernelRequest &request, const ReplicaGroups &) {
  SPMD_ASSIGN_OR_RETURN(Roots roots, Roots::create(request));
  return RunFunction([roots](int32_t, const MemberTensors &in) -> absl::StatusOr<MemberTensors> {
    std::vector<Tensor> shared;
    for (size_t i = 0; i < roots.count; ++i) {
      SPMD_ASSIGN_OR_RETURN(size_t root, roots.of(i, in));
      shared.push_back(in[root][i]);
    }
    return MemberTensors(in.size(), shared);
  });
}

/// Like all_reduce, but all members other than the root get zeros.
absl::StatusOr<RunFunction> prepareCollectiveReduce(const KernelRequest &request,
                                                    const ReplicaGroups &) {
  SPMD_ASSIGN_OR_RETURN(Roots roots, Roots::create(request));
  SPMD_ASSIGN_OR_RETURN(std::vector<Combiner> combiners, combinersOf(request));
  return RunFunction([roots, combiners = std::move(combiners), types = refsOf(request.results)](
                         int32_t, const MemberTensors &in) -> absl::StatusOr<MemberTensors> {
    MemberTensors out(in.size());
    for (size_t i = 0; i < roots.count; ++i) {
      SPMD_ASSIGN_OR_RETURN(size_t root, roots.of(i, in));
      SPMD_ASSIGN_OR_RETURN(Tensor sum, reduced(in, i, combiners[i]));
      SPMD_ASSIGN_OR_RETURN(Tensor zeros, Tensor::zeros(types[i]));
      for (size_t member = 0; member < in.size(); ++member)
        out[member].push_back(member == root ? sum : zeros);
    }
    return out;
  });
}

/// Returns the source of each target. InvalidArgument if a device sends or receives twice.
absl::StatusOr<Ints> sourcesOf(const KernelRequest &request) {
  SPMD_ASSIGN_OR_RETURN(Ints pairs, request.attributes().get<Ints>("source_target_pairs"));
  int64_t numDevices = request.program.numDevices;
  if (pairs.size() % 2 != 0)
    return invalid("attribute 'source_target_pairs' has ", pairs.size(),
                   " entries; expected pairs");
  Ints sources(numDevices, -1);
  std::vector<bool> sends(numDevices, false);
  for (size_t i = 0; i < pairs.size(); i += 2) {
    int64_t source = pairs[i], target = pairs[i + 1];
    if (std::min(source, target) < 0 || std::max(source, target) >= numDevices)
      return invalid("pair ", source, " -> ", target, " names a device that is none of the ",
                     numDevices);
    if (sends[source] || sources[target] >= 0)
      return invalid("device ", sends[source] ? source : target,
                     sends[source] ? " sends twice" : " receives twice");
    sends[source] = true;
    sources[target] = source;
  }
  return sources;
}

/// Groups devices that exchange data, so that only those wait for each other.
ReplicaGroups componentsOf(const Ints &sources) {
  Ints leader(sources.size());
  std::iota(leader.begin(), leader.end(), 0);
  auto find = [&](int64_t device) {
    while (leader[device] != device)
      device = leader[device] = leader[leader[device]];
    return device;
  };
  for (size_t target = 0; target < sources.size(); ++target)
    if (sources[target] >= 0) {
      int64_t a = find(target), b = find(sources[target]);
      leader[std::max(a, b)] = std::min(a, b);
    }
  ReplicaGroups groups;
  std::vector<int64_t> groupOf(sources.size(), -1);
  for (size_t device = 0; device < sources.size(); ++device) {
    int64_t &group = groupOf[find(device)];
    if (group < 0) {
      group = groups.size();
      groups.emplace_back();
    }
    groups[group].push_back(device);
  }
  return groups;
}

absl::StatusOr<RunFunction> preparePermute(const KernelRequest &request, const Ints &sources,
                                           const ReplicaGroups &groups) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(1, 1));
  SPMD_RETURN_IF_ERROR(expectType("result", request.results[0], request.operands[0]));
  // By group: the position of each member's source, or -1.
  std::vector<std::vector<int64_t>> positions;
  for (const auto &group : groups) {
    std::vector<int64_t> &own = positions.emplace_back();
    for (int64_t device : group) {
      auto it = std::lower_bound(group.begin(), group.end(), sources[device]);
      own.push_back(sources[device] < 0 ? -1 : it - group.begin());
    }
  }
  return RunFunction([positions, types = refsOf(request.results)](
                         int32_t group, const MemberTensors &in) -> absl::StatusOr<MemberTensors> {
    MemberTensors out(in.size());
    for (size_t to = 0; to < in.size(); ++to) {
      if (int64_t from = positions[group][to]; from >= 0) {
        out[to] = in[from];
        continue;
      }
      SPMD_ASSIGN_OR_RETURN(Tensor zeros, Tensor::zeros(types[0]));
      out[to].push_back(std::move(zeros));
    }
    return out;
  });
}

struct Entry {
  const char *op;
  absl::StatusOr<RunFunction> (*prepare)(const KernelRequest &, const ReplicaGroups &);
};
constexpr Entry entries[] = {{"all_gather", prepareAllGather},
                             {"all_reduce", prepareAllReduce},
                             {"all_to_all", prepareAllToAll},
                             {"collective_broadcast", prepareBroadcast},
                             {"collective_reduce", prepareCollectiveReduce},
                             {"ragged_all_to_all", prepareRaggedAllToAll},
                             {"reduce_scatter", prepareReduceScatter}};

} // namespace

bool isCollective(const std::string &op) {
  return op == "collective_permute" ||
         std::any_of(std::begin(entries), std::end(entries),
                     [&](const Entry &entry) { return entry.op == op; });
}

static absl::StatusOr<Collective> prepare(const KernelRequest &request) {
  Collective out;
  int64_t numDevices = request.program.numDevices;
  if (request.instruction.op == "collective_permute") {
    SPMD_ASSIGN_OR_RETURN(Ints sources, sourcesOf(request));
    out.groups = componentsOf(sources);
    SPMD_ASSIGN_OR_RETURN(out.run, preparePermute(request, sources, out.groups));
  } else {
    if (request.instruction.groups >= 0)
      out.groups = request.program.groups[request.instruction.groups];
    else
      std::iota(out.groups.emplace_back(numDevices).begin(), out.groups[0].end(), 0);
    for (const Entry &entry : entries)
      if (request.instruction.op == entry.op) {
        SPMD_ASSIGN_OR_RETURN(out.run, entry.prepare(request, out.groups));
      }
  }
  out.othersGetZeros = request.instruction.op == "collective_broadcast" ||
                       request.instruction.op == "collective_reduce";
  out.groupOf.assign(numDevices, -1);
  out.positionOf.assign(numDevices, -1);
  for (size_t g = 0; g < out.groups.size(); ++g)
    for (size_t p = 0; p < out.groups[g].size(); ++p) {
      out.groupOf[out.groups[g][p]] = g;
      out.positionOf[out.groups[g][p]] = p;
    }
  return out;
}

absl::StatusOr<Collective> prepareCollective(const KernelRequest &request) {
  absl::StatusOr<Collective> collective = prepare(request);
  if (!collective.ok())
    return absl::Status(
        collective.status().code(),
        absl::StrCat(describe(request.instruction), ": ", collective.status().message()));
  return collective;
}

} // namespace spmd
