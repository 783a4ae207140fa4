// The text form of GSPMD's shardings.

#include "spmd/ir/sharding/Subset.h"
#include "spmd/ir/sharding/TileLexer.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

#include <algorithm>

namespace spmd {

namespace {

using Kind = TileSharding::Kind;

/// Reads a sharding from the front of a text. A function that returns false has set `error`.
class Reader : TileLexer {
public:
  explicit Reader(std::string_view text) : TileLexer(text) {}

  absl::StatusOr<TileSharding> read() {
    TileSharding sharding;
    bool ok = braced(sharding, 0);
    if (ok && (skipSpace(), at < text.size()))
      ok = fail("expected nothing more");
    if (!ok)
      return absl::InvalidArgumentError(error);
    if (absl::Status status = verify(sharding); !status.ok())
      return status;
    return sharding;
  }

private:
  static constexpr int deepest = 64;

  bool reductionAfter(TileSharding &sharding) {
    for (ReductionKind kind : allReductionKinds)
      if (word(nameOf(kind))) {
        sharding.reduction = kind;
        break;
      }
    return true;
  }

  //===- Shardings -----------------------------------------------------------===//

  bool braced(TileSharding &sharding, int depth) {
    if (depth > deepest)
      return fail("tuples are nested too deeply");
    if (!expect("{"))
      return false;
    if (peek("{") || peek("}"))
      return tuple(sharding, depth);
    return single(sharding) && suffixes(sharding) && expect("}");
  }

  bool tuple(TileSharding &sharding, int depth) {
    sharding.kind = Kind::tuple;
    if (consume("}"))
      return true;
    do {
      consumeComment();
      if (!braced(sharding.elements.emplace_back(), depth + 1))
        return false;
    } while (consume(","));
    return expect("}");
  }

  /// Long tuples count their elements: `/*index=5*/`.
  void consumeComment() {
    while (consume("/*")) {
      size_t end = text.find("*/", at);
      at = end == std::string_view::npos ? text.size() : end + 2;
    }
  }

  bool single(TileSharding &sharding) {
    if (word("replicated"))
      return sharding.kind = Kind::replicated, true;
    if (word("manual"))
      return sharding.kind = Kind::manual, true;
    if (word("unknown"))
      return sharding.kind = Kind::unknown, true;
    if (word("unreduced")) {
      sharding.kind = Kind::unreduced;
      return !consume("=") || reductionAfter(sharding);
    }
    if (word("maximal")) {
      sharding.kind = Kind::maximal;
      return expect("device") && expect("=") && integer(sharding.device);
    }
    if (word("devices"))
      return tiled(sharding);
    if (word("maximal_mesh") || word("single_device")) {
      sharding.kind = Kind::maximal;
      return expect("[") && expect("device_id") && expect("=") && integer(sharding.device) &&
             expect("]");
    }
    if (word("mesh"))
      return named(sharding) && listSomeDevices(sharding);
    return fail("expected 'replicated', 'maximal', 'manual', 'unknown', 'unreduced', 'devices' or "
                "'mesh'");
  }

  bool tiled(TileSharding &sharding) {
    sharding.kind = Kind::tiled;
    if (!expect("=") || !integers("[", "]", sharding.tiles))
      return false;
    if (consume("<="))
      return transposedGrid(sharding.reshape, sharding.permutation);
    do {
      if (!integer(sharding.devices.emplace_back()))
        return false;
    } while (consume(","));
    return true;
  }

  bool transposedGrid(std::vector<int64_t> &reshape, std::vector<int64_t> &permutation) {
    if (!integers("[", "]", reshape))
      return false;
    if (consume("T"))
      return integers("(", ")", permutation);
    for (size_t i = 0; i < reshape.size(); ++i)
      permutation.push_back(i);
    return true;
  }

  bool suffixes(TileSharding &sharding) {
    while (true) {
      consume(",");
      if (word("last_tile_dim_replicate"))
        sharding.subgroups.push_back(Subgroup::replicated);
      else if (word("last_tile_dims")) {
        if (!expect("=") || !subgroups(sharding))
          return false;
      } else if (word("unreduced")) {
        if (consume("="))
          reductionAfter(sharding);
      } else if (word("metadata")) {
        if (!expect("=") || !metadata(sharding.reduction))
          return false;
      } else if (word("shard_as") || word("shard_like")) {
        int64_t id = 0;
        if (!integer(id))
          return false;
        sharding.group = id;
      } else {
        return true;
      }
    }
  }

  bool subgroups(TileSharding &sharding) {
    if (!expect("{"))
      return false;
    if (consume("}"))
      return true;
    do {
      if (word("replicated"))
        sharding.subgroups.push_back(Subgroup::replicated);
      else if (word("manual"))
        sharding.subgroups.push_back(Subgroup::manual);
      else if (word("unreduced"))
        sharding.subgroups.push_back(Subgroup::unreduced);
      else
        return fail("expected 'replicated', 'manual' or 'unreduced'");
    } while (consume(","));
    return expect("}");
  }

  //===- Named axes ----------------------------------------------------------===//

  bool quotedName(std::string &name) {
    if (!consume("'") && !consume("\""))
      return fail("expected the name of an axis, in quotes");
    char quote = text[at - 1];
    size_t end = text.find(quote, at);
    if (end == std::string_view::npos)
      return fail("the name of the axis has no closing quote");
    name = std::string(text.substr(at, end - at));
    at = end + 1;
    return true;
  }

  bool mesh(Mesh &mesh) {
    std::vector<MeshAxis> axes;
    if (!expect("["))
      return false;
    while (!consume("]")) {
      MeshAxis &axis = axes.emplace_back();
      if (!quotedName(axis.name) || !expect("=") || !integer(axis.size))
        return false;
      if (!consume(",") && !peek("]"))
        return fail("expected ',' or ']'");
    }
    std::vector<int64_t> ids;
    size_t before = at;
    consume(",");
    if (!word("device_ids"))
      at = before;
    else if (!expect("=") || !deviceIds(ids))
      return false;
    someDevices.clear();
    if (areSome(axes, ids))
      std::swap(ids, someDevices);
    absl::StatusOr<Mesh> made = Mesh::create(std::move(axes), std::move(ids));
    if (!made.ok())
      return fail(std::string(made.status().message()));
    mesh = *std::move(made);
    return true;
  }

  /// Whether `ids` are as many as the mesh has devices, each once, but not 0..N-1.
  static bool areSome(const std::vector<MeshAxis> &axes, std::vector<int64_t> ids) {
    int64_t count = 1;
    for (const MeshAxis &axis : axes)
      count = axis.size > 0 && axis.size <= (1 << 24) && count <= (1 << 24) ? count * axis.size : 0;
    std::sort(ids.begin(), ids.end());
    bool areDistinct = std::adjacent_find(ids.begin(), ids.end()) == ids.end();
    return !axes.empty() && !ids.empty() && areDistinct && ids.front() >= 0 &&
           ids.back() < int64_t{1} << 31 && static_cast<int64_t>(ids.size()) == count &&
           ids.back() >= count;
  }

  bool deviceIds(std::vector<int64_t> &ids) {
    if (!expect("("))
      return false;
    if (!peek("["))
      return integersUntil(")", ids);
    TileSharding grid;
    grid.kind = Kind::tiled;
    if (!transposedGrid(grid.reshape, grid.permutation) || !expect(")"))
      return false;
    int64_t count = 1;
    for (int64_t size : grid.reshape)
      count = size > 0 && count <= (1 << 24) ? count * size : 0;
    grid.tiles = {count};
    if (absl::Status status = verify(grid); !status.ok() || count > (1 << 20))
      return fail("the device ids are no transposed grid of at most 1048576 devices");
    ids = devicesOf(grid);
    return true;
  }
  bool integersUntil(std::string_view close, std::vector<int64_t> &values) {
    do {
      if (!integer(values.emplace_back()))
        return false;
    } while (consume(","));
    return expect(close);
  }

  bool axis(TileSharding &sharding, AxisSpec &spec) {
    skipSpace();
    if (at < text.size() && absl::ascii_isdigit(text[at])) { // By number.
      int64_t index = 0;
      if (!integer(index))
        return false;
      if (index >= static_cast<int64_t>(sharding.mesh.axes().size()))
        return fail(absl::StrCat("the mesh has no axis number ", index));
      spec.name = sharding.mesh.axes()[index].name;
    } else if (!quotedName(spec.name)) {
      return false;
    }
    return !consume(":") ||
           (expect("(") && integer(spec.preSize) && expect(")") && integer(spec.size));
  }

  bool axes(TileSharding &sharding, std::vector<AxisSpec> &specs) {
    if (!expect("{"))
      return false;
    if (consume("}"))
      return true;
    do {
      if (!axis(sharding, specs.emplace_back()))
        return false;
    } while (consume(","));
    return expect("}");
  }

  bool namedDim(TileSharding &sharding, DimSpec &dim) {
    if (!expect("{"))
      return false;
    while (!consume("}")) {
      if (consume("?"))
        dim.open = true;
      else if (!axis(sharding, dim.axes.emplace_back()))
        return false;
      if (!consume(",") && !peek("}"))
        return fail("expected ',' or '}'");
    }
    return true;
  }

  /// Sets `axes` to all axes of the mesh: a word without axes speaks of the whole mesh.
  static bool forWholeMesh(TileSharding &sharding, Kind kind, std::vector<AxisSpec> &axes) {
    if (sharding.mesh.isEmpty())
      return sharding.kind = kind, true;
    for (const MeshAxis &axis : sharding.mesh.axes())
      axes.push_back({axis.name});
    return sharding.isForAnyRank = true;
  }

  /// A mesh over some of the program's devices has no form of its own.
  bool listSomeDevices(TileSharding &sharding) {
    if (someDevices.empty())
      return true;
    if (absl::Status status = verify(sharding); !status.ok())
      return fail(std::string(status.message()));
    absl::StatusOr<TileSharding> listed = onDevices(sharding, someDevices);
    if (!listed.ok())
      return fail(std::string(listed.status().message()));
    sharding = *std::move(listed);
    return true;
  }

  bool named(TileSharding &sharding) {
    sharding.kind = Kind::named;
    if (!mesh(sharding.mesh))
      return false;
    if (sharding.mesh.isEmpty())
      sharding.kind = Kind::replicated;
    consume(",");
    if (word("manual"))
      return forWholeMesh(sharding, Kind::manual, sharding.manualAxes);
    if (word("unreduced")) {
      if (consume("="))
        reductionAfter(sharding);
      sharding.spec.kind = sharding.reduction;
      return forWholeMesh(sharding, Kind::unreduced, sharding.spec.unreduced);
    }
    if (word("replicated") || !consume("["))
      return sharding.isForAnyRank = true;
    while (!consume("]")) {
      if (!namedDim(sharding, sharding.spec.dims.emplace_back()))
        return false;
      if (!consume(",") && !peek("]"))
        return fail("expected ',' or ']'");
    }
    return namedSuffixes(sharding);
  }

  bool namedSuffixes(TileSharding &sharding) {
    while (consume(",")) {
      if (word("replicated")) {
        if (!expect("=") || !axes(sharding, sharding.spec.replicated))
          return false;
      } else if (word("unreduced")) {
        if (!expect("=") || !reductionAfter(sharding) || !axes(sharding, sharding.spec.unreduced))
          return false;
        sharding.spec.kind = sharding.reduction;
      } else if (word("manual")) {
        if (!expect("=") || !axes(sharding, sharding.manualAxes))
          return false;
      } else if (word("metadata")) {
        ReductionKind ignored; // The axes say already how they reduce.
        if (!expect("=") || !metadata(ignored))
          return false;
      } else {
        return fail("expected 'replicated', 'unreduced' or 'manual'");
      }
    }
    return true;
  }

  std::vector<int64_t> someDevices; ///< Of the mesh that was read last, if it has not all.
};

} // namespace

absl::StatusOr<TileSharding> tileShardingFromText(std::string_view text) {
  return Reader(text).read();
}

} // namespace spmd
