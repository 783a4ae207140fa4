// How GSPMD writes a sharding: a grid of tiles, and which device holds which.
//
//     {devices=[2,1,4]<=[8] last_tile_dim_replicate}     rows in 2 tiles, each on 4 devices
//     {devices=[4,2]0,2,4,6,1,3,5,7}                     the devices one by one, row by row
//     {devices=[4,2]<=[2,4]T(1,0)}                       the same: 0..7 as a 2x4 grid, transposed
//     {devices=[1,4,2]<=[8] last_tile_dims={manual, replicated}}
//     {unreduced metadata={op_type="sdy::reduction_op" op_name="MAX"}}
//     {replicated}  {manual}  {unknown shard_as 1}  {maximal device=3}  {{replicated}, {manual}}
//     {mesh['x'=2,'y'=4] [{'x'},{'y':(1)2,?}], manual={'x'}}
//
// Such a sharding names no axes. `meshFor` finds axes that express all those of a program, and
// `placeOn` says one in these axes; `tilesOf` goes back.
#pragma once

#include "spmd/ir/sharding/Spec.h"

namespace spmd {

/// What the devices that share a tile, and differ along one of the last dims of the grid, hold.
enum class Subgroup : uint8_t { replicated, manual, unreduced };

/// The type of the metadata that says how shares combine, where they do not sum up.
inline constexpr std::string_view reductionMetadata = "sdy::reduction_op";

/// A sharding in GSPMD's notation.
struct TileSharding {
  enum class Kind : uint8_t {
    replicated,
    maximal,
    manual,
    unknown,
    unreduced,
    tiled,
    named,
    tuple
  };
  Kind kind = Kind::replicated;

  /// maximal: the one device.
  int64_t device = 0;
  /// tiled: the grid; its last dims are those of `subgroups`, the others those of the tensor.
  std::vector<int64_t> tiles;
  std::vector<Subgroup> subgroups;
  /// tiled: the devices of the grid, last dim fastest. Either one by one, or 0..N-1 in a grid
  /// `reshape` whose dims are then transposed by `permutation`.
  std::vector<int64_t> devices, reshape, permutation;
  /// How shares combine, where something is unreduced.
  ReductionKind reduction = ReductionKind::sum;
  /// named: the mesh and what is said on it.
  Mesh mesh;
  ShardingSpec spec;
  std::vector<AxisSpec> manualAxes;
  /// named: no dim is sharded, whatever the rank; the value is replicated, or manual or unreduced
  /// along all axes.
  bool isForAnyRank = false;
  /// tuple: one for each leaf.
  std::vector<TileSharding> elements;
  /// Values of one such group lie alike.
  std::optional<int64_t> group;

  /// Returns how many dims of a tensor the sharding speaks of.
  int64_t rank() const { return tiles.size() - subgroups.size(); }
  /// Returns the number of devices, or 0 if the sharding does not say.
  int64_t numDevices() const;
  /// Whether devices that are listed one by one are 0..N-1. Requires one that verifies.
  bool namesAllDevices() const;
  /// Returns the text form, with braces.
  std::string str() const;
};

/// Reads all of `text`. InvalidArgument, with the column, if it is none; so are sizes that do not
/// fit each other, and a device that is named twice. Devices need not be 0..N-1 (see Subset.h).
absl::StatusOr<TileSharding> tileShardingFromText(std::string_view text);

/// Checks what `tileShardingFromText` promises, for a sharding that comes from elsewhere.
absl::Status verify(const TileSharding &sharding);

/// Returns the devices of a tiled sharding in the order of its grid. Requires one that verifies.
std::vector<int64_t> devicesOf(const TileSharding &sharding);

/// Returns the mesh with the fewest axes that can express all of `shardings`: that of the first
/// named one where it will do, else axes "axis_0", "axis_1", .., major first. Tuples are looked
/// into.
///
/// `numDevices` may be 0 if only the shardings tell. InvalidArgument, naming two that do not go
/// together, if their devices differ in number or no mesh has axes for both.
absl::StatusOr<Mesh> meshFor(absl::Span<const TileSharding *const> shardings, int64_t numDevices);

/// Returns the mesh of `meshFor`, or, where devices stand in orders that no one mesh has axes for,
/// the fewest that were found one after the other: each sharding is on one of them. The status of
/// `meshFor` if it takes more than 8.
absl::StatusOr<std::vector<Mesh>> meshesFor(absl::Span<const TileSharding *const> shardings,
                                            int64_t numDevices);

/// A sharding on a mesh, and the axes along which the value is local already.
struct PlacedTiles {
  Sharding sharding;
  AxisList manual; ///< In mesh order.
  /// The one device of several that holds the value. It stands for a mesh of its own.
  std::optional<int64_t> device;
};

/// Returns `sharding`, of a tensor of rank `rank`, on `mesh`. An unknown one, and one on a single
/// device, leaves all dims open.
///
/// InvalidArgument if the ranks or numbers of devices differ, the mesh has no such axes or no such
/// device, or the sharding is a tuple.
absl::StatusOr<PlacedTiles> placeOn(const Mesh &mesh, const TileSharding &sharding, int64_t rank);

/// Returns whether `mesh` has axes for the sharding of one tensor, and whole ones for what is
/// manual: parts of axes cannot be.
bool hasAxesFor(const Mesh &mesh, const TileSharding &sharding);

/// Returns what `sharding` means, where the value is local along `manual`, in GSPMD's notation:
/// as a transposed grid, or with the devices one by one where the mesh says which they are or
/// `oneByOne`. Open dims and priorities have no such notation and are dropped.
TileSharding tilesOf(const Mesh &mesh, const Sharding &sharding,
                     absl::Span<const AxisRef> manual = {}, bool oneByOne = false);

} // namespace spmd
