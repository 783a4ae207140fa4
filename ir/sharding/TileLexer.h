// Words, numbers and metadata of GSPMD's shardings.
#pragma once

#include "spmd/ir/sharding/TileSharding.h"

#include <string>
#include <string_view>
#include <vector>

namespace spmd {

/// Reads pieces from the front of a text. A function that returns false has set `error`, unless its
/// comment says otherwise.
class TileLexer {
protected:
  explicit TileLexer(std::string_view text) : text(text) {}

  void skipSpace();
  /// Returns whether `what` comes next.
  bool peek(std::string_view what);
  /// Consumes `what` if it comes next. Sets no error.
  bool consume(std::string_view what);
  bool expect(std::string_view what);
  /// Consumes `what` if it comes next and no longer word does. Sets no error.
  bool word(std::string_view what);
  bool integer(int64_t &value);
  bool integers(std::string_view open, std::string_view close, std::vector<int64_t> &values);
  /// Reads a text in double quotes.
  bool quotedText(std::string &value);
  /// Reads `{op_name="a"}`, or a list of such. Sets `reduction` if one says how shares combine; all
  /// others have no meaning.
  bool metadata(ReductionKind &reduction);
  /// Sets `error` to the first message, with its column. Returns false.
  bool fail(const std::string &message);

  std::string_view text;
  size_t at = 0;
  std::string error;

private:
  bool metadataEntry(ReductionKind &reduction);
  bool skipPiece();
  bool skipBraces();
};

} // namespace spmd
