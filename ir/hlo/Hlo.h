// HLO modules, as text and as bytes.
//
// HLO is XLA's input language; PyTorch/XLA and JAX both write it. It has a text form and a wire
// form. The wire's message, HloModuleProto, is the one in-memory form here:
//
//     text  --parseHloText-->  HloModuleProto  --printHlo-->  text
//     bytes --parseHloProto-->
//
// Printing what was parsed and parsing it again gives the same message; see docs/hlo.md.
#pragma once

#include "spmd/ir/hlo/hlo.pb.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <google/protobuf/arena.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace spmd::hlo {

/// A module and the memory that all of it lies in. It is read, walked and freed in a third of the
/// time that one takes whose parts lie apart, and at the same pace however large it is.
class StoredModule {
public:
  StoredModule();

  HloModuleProto &operator*() const { return *module; }
  HloModuleProto *operator->() const { return module; }

private:
  std::unique_ptr<google::protobuf::Arena> memory;
  HloModuleProto *module;
};

/// The type of the metadata of a sharding that says how the shares of an unreduced value combine;
/// the name is SUM, MAX or MIN.
inline constexpr std::string_view reductionMetadata = "sdy::reduction_op";

/// Where the instructions and computations of a module begin in the text that it was read from.
class TextPlaces {
public:
  /// Both count from 1; columns are bytes.
  struct Place {
    uint32_t line = 1, column = 1;
  };

  /// Returns the place of the instruction or computation with an id; the start of the text if it
  /// has none. What stands in place of an operand is where its user is.
  Place of(int64_t id) const {
    return id > 0 && id < static_cast<int64_t>(places.size()) ? places[id] : Place();
  }

  std::vector<Place> places; ///< By id.
};

/// Reads the module that `text` describes into `module`, which is empty, and where all of it stands
/// into `places`, if given.
///
/// Accepts names with and without `%`, operands with and without their shapes, computations in any
/// order, shardings in all three notations. Callees come before their callers in the result and
/// operands before their users; ids count from 1 through the module. A constant's elements are in
/// row-major order whatever its layout in memory, and those of an elided literal, `{...}`, are
/// absent. InvalidArgument with `line:column: message` otherwise. Linear in the size of the text.
absl::Status parseHloText(std::string_view text, HloModuleProto &module,
                          TextPlaces *places = nullptr);
absl::StatusOr<HloModuleProto> parseHloText(std::string_view text);

/// Returns the one sharding that `text` describes: `{devices=[2,4]<=[8]}`, with or without the
/// outer braces.
absl::StatusOr<OpSharding> parseHloSharding(std::string_view text);

/// Returns the one sharding that `bytes` are the message of. InvalidArgument if they are none: with
/// fields or kinds that no sharding has, or not as they are written. (Nearly any text is a
/// message.)
absl::StatusOr<OpSharding> parseHloShardingProto(std::string_view bytes);

/// How a module is spelled.
struct PrintOptions {
  /// `%name`, and the types of its parameters behind the name of a computation.
  bool percent = true;
  /// The shape of each operand before its name.
  bool operandShapes = false;
  /// Where an instruction comes from in the user's program.
  bool metadata = true;
  /// A constant with more elements than this is elided, `{...}`; negative for none.
  int64_t mostElements = -1;
};

/// Returns the text of a module. The module need not be well-formed: what it refers to and does not
/// exist is printed as `<id>`.
std::string printHlo(const HloModuleProto &module, const PrintOptions &options = {});

/// Returns the text of one sharding, with its outer braces.
std::string printHloSharding(const OpSharding &sharding);

/// Reads the module in `bytes`: an HloModuleProto, or the one inside an HloProto or HloSnapshot.
/// InvalidArgument if they are none of these. Does not verify the module.
absl::Status parseHloProto(std::string_view bytes, HloModuleProto &module);
absl::StatusOr<HloModuleProto> parseHloProto(std::string_view bytes);

/// OK if the module can be worked with: what it refers to exists, nothing depends on itself, shapes
/// and literals and shardings have sizes that fit each other and the machine. InvalidArgument
/// otherwise, which names the computation and the instruction. Whether the types of operands suit
/// an op is left to who reads the op. If `places` are given, the message begins with that of the
/// instruction or computation, `line:column: `. Linear in the size of the module.
absl::Status verify(const HloModuleProto &module, const TextPlaces *places = nullptr);

} // namespace spmd::hlo
