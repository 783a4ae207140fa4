// Shardings and groups of devices: text to messages.

#include "spmd/ir/hlo/text/FieldText.h"
#include "spmd/ir/hlo/text/ShardingText.h"

#include "absl/strings/str_cat.h"

#include <utility>

namespace spmd::hlo {

using AxisList = google::protobuf::RepeatedPtrField<AxisRefProto>;

//===- Meshes and axes ------------------------------------------------------===//

/// Reads `<=[4,2]T(1,0)` behind its arrow: dims, then how they are transposed.
template <typename Dims, typename Permutation>
static bool parseIota(Lexer &lexer, Dims &dims, Permutation &permutation) {
  if (!parseIntegers(lexer, '[', ']', dims, "the size of a dim of the iota"))
    return false;
  if (lexer.consume('T'))
    return parseIntegers(lexer, '(', ')', permutation, "a dim of the iota");
  if (dims.size() != 1)
    return lexer.failExpected("'T', the order of the iota's dims");
  permutation.Add(0);
  return true;
}

/// Reads the name of an axis in single or double quotes.
static bool parseAxisName(Lexer &lexer, std::string &name) {
  if (lexer.peek() == '"')
    return lexer.quoted(name);
  if (!lexer.consume('\''))
    return lexer.failExpected("the name of an axis in quotes");
  const char *start = lexer.position();
  while (lexer.peek() != '\'' && lexer.remaining() > 0)
    lexer.moveTo(lexer.position() + 1);
  name.assign(start, lexer.position());
  return lexer.expect('\'');
}

static bool parseDeviceIds(Lexer &lexer, MeshProto &mesh) {
  if (!lexer.expect('('))
    return false;
  if (lexer.peek() == '[') {
    auto &iota = *mesh.mutable_iota_transform();
    return parseIota(lexer, *iota.mutable_reshape_dims(), *iota.mutable_transpose_perm()) &&
           lexer.expect(')');
  }
  do {
    int64_t id;
    if (!lexer.integer(id, "a device"))
      return false;
    mesh.add_device_ids(id);
  } while (lexer.consume(','));
  return lexer.expect(')');
}

bool parseMesh(Lexer &lexer, MeshProto &mesh) {
  bool read = parseList(lexer, '[', ']', [&] {
    MeshProto::MeshAxis &axis = *mesh.add_axes();
    int64_t size;
    if (!parseAxisName(lexer, *axis.mutable_name()) || !lexer.expect('=') ||
        !lexer.integer(size, "the size of the axis"))
      return false;
    axis.set_size(size);
    return true;
  });
  if (!read)
    return false;
  const char *start = lexer.position();
  if (!lexer.consume(',') || !lexer.consumeWord("device_ids")) {
    lexer.moveTo(start);
    return true;
  }
  return lexer.expect('=') && parseDeviceIds(lexer, mesh);
}

/// Reads `'x'`, `'x':(1)2`, or the number of an axis.
static bool parseAxis(Lexer &lexer, const MeshProto &mesh, AxisRefProto &axis) {
  const char *start = lexer.position();
  int64_t index = 0;
  if (lexer.peek() == '\'' || lexer.peek() == '"') {
    std::string name;
    if (!parseAxisName(lexer, name))
      return false;
    while (index < mesh.axes_size() && mesh.axes(index).name() != name)
      ++index;
    if (index == mesh.axes_size())
      return lexer.failAt(start, absl::StrCat("the mesh has no axis '", name, "'"));
  } else {
    if (!lexer.integer(index, "an axis"))
      return false;
    if (index < 0 || index >= mesh.axes_size())
      return lexer.failAt(start, absl::StrCat("the mesh has no axis ", index));
  }
  axis.set_mesh_axis_index(index);
  if (!lexer.consume(':'))
    return true;
  int64_t preSize, size;
  if (!lexer.expect('(') || !lexer.integer(preSize, "the size before the sub-axis") ||
      !lexer.expect(')') || !lexer.integer(size, "the size of the sub-axis"))
    return false;
  axis.mutable_sub_axis_info()->set_pre_size(preSize);
  axis.mutable_sub_axis_info()->set_size(size);
  return true;
}

bool parseAxes(Lexer &lexer, const MeshProto &mesh, AxisList &axes) {
  return parseList(lexer, '{', '}', [&] { return parseAxis(lexer, mesh, *axes.Add()); });
}

//===- V3 -------------------------------------------------------------------===//

static bool parseDimSharding(Lexer &lexer, NamedShardingProto &named) {
  NamedShardingProto::DimensionSharding &dim = *named.add_dim_shardings();
  dim.set_is_closed(true);
  return parseList(lexer, '{', '}', [&] {
    if (!dim.is_closed())
      return lexer.failExpected("'}' after '?'");
    if (lexer.consume('?')) {
      dim.set_is_closed(false);
      return true;
    }
    return parseAxis(lexer, named.mesh(), *dim.add_axes());
  });
}

static bool parseReduction(Lexer &lexer, NamedShardingProto &named) {
  bool brackets = lexer.consume('[');
  if (lexer.consumeWord("max"))
    named.set_reduction_op(NamedShardingProto::MAX);
  else if (lexer.consumeWord("min"))
    named.set_reduction_op(NamedShardingProto::MIN);
  else if (!lexer.consumeWord("sum") && brackets)
    return lexer.failExpected("'sum', 'max' or 'min'");
  return !brackets || lexer.expect(']');
}

static void addAllAxes(const MeshProto &mesh, AxisList &axes) {
  for (int i = 0; i < mesh.axes_size(); ++i)
    axes.Add()->set_mesh_axis_index(i);
}

static bool parseMetadata(Lexer &lexer, google::protobuf::RepeatedPtrField<OpMetadata> &metadata) {
  const char *start = lexer.position();
  if (!lexer.expect('{'))
    return false;
  bool list = lexer.peek() == '{';
  lexer.moveTo(start);
  if (!list)
    return parseFields(lexer, *metadata.Add());
  return parseList(lexer, '{', '}', [&] { return parseFields(lexer, *metadata.Add()); });
}

/// Reads one item behind the mesh.
static bool parseNamedItem(Lexer &lexer, NamedShardingProto &named) {
  if (lexer.peek() == '[')
    return parseList(lexer, '[', ']', [&] { return parseDimSharding(lexer, named); });
  const char *start = lexer.position();
  std::string_view word = lexer.word();
  bool hasValue = !word.empty() && lexer.consume('=');
  if (word == "metadata" && hasValue)
    return parseMetadata(lexer, *named.mutable_metadata());
  if (word == "replicated")
    return !hasValue || parseAxes(lexer, named.mesh(), *named.mutable_replicated_axes());
  AxisList *axes = word == "manual"      ? named.mutable_manual_axes()
                   : word == "unreduced" ? named.mutable_unreduced_axes()
                                         : nullptr;
  if (!axes) {
    lexer.moveTo(start);
    return lexer.failExpected(
        "the shardings of dims in brackets, or 'replicated', 'unreduced', 'manual'");
  }
  if (word == "unreduced" && hasValue && !parseReduction(lexer, named))
    return false;
  if (hasValue && lexer.peek() == '{')
    return parseAxes(lexer, named.mesh(), *axes);
  // Alone, the word speaks of the whole mesh.
  addAllAxes(named.mesh(), *axes);
  return true;
}

static bool parseNamed(Lexer &lexer, NamedShardingProto &named) {
  if (!parseMesh(lexer, *named.mutable_mesh()))
    return false;
  while (lexer.peek() != '}') {
    lexer.consume(',');
    if (!parseNamedItem(lexer, named))
      return false;
  }
  return true;
}

/// Reads `[device_id=3]`.
static bool parseMaximalMesh(Lexer &lexer, NamedShardingProto &named) {
  int64_t device;
  if (!lexer.expect('[') || !lexer.consumeWord("device_id") || !lexer.expect('=') ||
      !lexer.integer(device, "a device") || !lexer.expect(']'))
    return lexer.failExpected("'[device_id=', a device and ']'");
  named.mutable_mesh()->add_device_ids(device);
  return true;
}

//===- V1, V2 ---------------------------------------------------------------===//

static constexpr struct {
  std::string_view word;
  OpSharding::Type type;
} simpleTypes[] = {{"replicated", OpSharding::REPLICATED},
                   {"manual", OpSharding::MANUAL},
                   {"unknown", OpSharding::UNKNOWN},
                   {"unreduced", OpSharding::UNREDUCED},
                   {"maximal", OpSharding::MAXIMAL}};

/// Reads what stands behind `devices=`.
static bool parseTiles(Lexer &lexer, OpSharding &sharding) {
  sharding.set_type(OpSharding::OTHER);
  if (!parseIntegers(lexer, '[', ']', *sharding.mutable_tile_assignment_dimensions(),
                     "a number of tiles"))
    return false;
  if (lexer.consume(std::string_view("<=")))
    return parseIota(lexer, *sharding.mutable_iota_reshape_dims(),
                     *sharding.mutable_iota_transpose_perm());
  do {
    int64_t device;
    if (!lexer.integer(device, "a device"))
      return false;
    sharding.add_tile_assignment_devices(device);
  } while (lexer.consume(','));
  return true;
}

static bool parseLastTileDims(Lexer &lexer, OpSharding &sharding) {
  return parseList(lexer, '{', '}', [&] {
    const char *start = lexer.position();
    std::string_view word = lexer.word();
    for (auto [name, type] : simpleTypes)
      if (word == name && type != OpSharding::MAXIMAL) {
        sharding.add_last_tile_dims(type);
        return true;
      }
    lexer.moveTo(start);
    return lexer.failExpected("'replicated', 'manual', 'unreduced' or 'unknown'");
  });
}

static bool parseGroup(Lexer &lexer, OpSharding &sharding, OpSharding::ShardGroupType type) {
  int64_t id;
  if (!lexer.integer(id, "the number of a shard group"))
    return false;
  sharding.set_is_shard_group(true);
  sharding.set_shard_group_type(type);
  sharding.set_shard_group_id(id);
  return true;
}

static bool parseMaximalDevice(Lexer &lexer, OpSharding &sharding) {
  int64_t device;
  if (!lexer.integer(device, "a device"))
    return false;
  sharding.set_type(OpSharding::MAXIMAL);
  sharding.add_tile_assignment_dimensions(1);
  sharding.add_tile_assignment_devices(device);
  return true;
}

/// Releases of XLA differ in the word for a mesh of one device.
static bool isSingleDevice(std::string_view word) {
  return word == "maximal_mesh" || word == "single_device";
}

/// Whether an item with this word says how a value lies; of these a sharding has one.
static bool saysLayout(std::string_view word) {
  for (auto [name, type] : simpleTypes)
    if (word == name)
      return true;
  return word == "devices" || word == "mesh" || isSingleDevice(word);
}

/// Reads one item of a sharding that is no tuple. `hasLayout` tells whether one before it said how
/// the value lies.
static bool parseItem(Lexer &lexer, OpSharding &sharding, bool &hasLayout) {
  const char *start = lexer.position();
  std::string_view word = lexer.word();
  if (saysLayout(word) && std::exchange(hasLayout, true))
    return lexer.failAt(start, "the sharding says already how the value lies");
  for (auto [name, type] : simpleTypes)
    if (word == name) {
      sharding.set_type(type);
      return true;
    }
  if (word == "mesh")
    return parseNamed(lexer, *sharding.mutable_named_sharding());
  if (isSingleDevice(word))
    return parseMaximalMesh(lexer, *sharding.mutable_named_sharding());
  if (word == "last_tile_dim_replicate") {
    sharding.set_replicate_on_last_tile_dim(true);
    return true;
  }
  if (word == "shard_as")
    return parseGroup(lexer, sharding, OpSharding::AS);
  if (word == "shard_like")
    return parseGroup(lexer, sharding, OpSharding::LIKE);
  if (!word.empty() && lexer.consume('=')) {
    if (word == "devices")
      return parseTiles(lexer, sharding);
    if (word == "device") {
      bool isMaximal = sharding.type() == OpSharding::MAXIMAL;
      if ((std::exchange(hasLayout, true) && !isMaximal) ||
          !sharding.tile_assignment_devices().empty())
        return lexer.failAt(start, "the sharding says already how the value lies");
      return parseMaximalDevice(lexer, sharding);
    }
    if (word == "last_tile_dims")
      return parseLastTileDims(lexer, sharding);
    if (word == "metadata")
      return parseMetadata(lexer, *sharding.mutable_metadata());
  }
  lexer.moveTo(start);
  return lexer.failExpected("a sharding");
}

bool parseSharding(Lexer &lexer, OpSharding &sharding) {
  Lexer::Nesting nesting(lexer);
  if (!nesting.check() || !lexer.expect('{'))
    return false;
  if (lexer.consume('}')) {
    sharding.set_type(OpSharding::TUPLE);
    return true;
  }
  if (lexer.peek() == '{') {
    sharding.set_type(OpSharding::TUPLE);
    do {
      if (!parseSharding(lexer, *sharding.add_tuple_shardings()))
        return false;
    } while (lexer.consume(','));
    return lexer.expect('}');
  }
  bool hasLayout = false;
  while (!lexer.consume('}')) {
    const char *start = lexer.position();
    if (!parseItem(lexer, sharding, hasLayout))
      return false;
    if (sharding.type() != OpSharding::OTHER &&
        (sharding.replicate_on_last_tile_dim() || !sharding.last_tile_dims().empty()))
      return lexer.failAt(start, "what the last tile dims mean stands behind 'devices='");
    lexer.consume(',');
  }
  return true;
}

//===- Groups ---------------------------------------------------------------===//

bool parseReplicaGroups(Lexer &lexer, HloInstructionProto &instruction) {
  if (lexer.consumeWord("mesh")) {
    auto &groups = *instruction.mutable_mesh_axes_replica_group_list();
    if (!parseMesh(lexer, *groups.mutable_mesh()))
      return false;
    lexer.consume(',');
    return parseAxes(lexer, groups.mesh(), *groups.mutable_axes());
  }
  if (lexer.peek() == '[') {
    auto &groups = *instruction.mutable_iota_collective_device_list();
    int64_t count, size;
    if (!lexer.expect('[') || !lexer.integer(count, "the number of groups") || !lexer.expect(',') ||
        !lexer.integer(size, "the size of a group") || !lexer.expect(']'))
      return false;
    if (!lexer.consume(std::string_view("<=")))
      return lexer.failExpected("'<='");
    groups.set_num_replica_groups(count);
    groups.set_num_devices_per_group(size);
    return parseIota(lexer, *groups.mutable_iota_reshape_dims(),
                     *groups.mutable_iota_transpose_perm());
  }
  auto &groups = *instruction.mutable_collective_device_list();
  return parseList(lexer, '{', '}', [&] {
    return parseIntegers(lexer, '{', '}', *groups.add_replica_groups()->mutable_replica_ids(),
                         "a device");
  });
}

} // namespace spmd::hlo
