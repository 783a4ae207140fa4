// What the doctor found, in words.
#pragma once

#include "spmd/dialect/spmd/ValueSharding.h"

#include <string>
#include <vector>

namespace spmd {

/// One known failure mode that a program contains.
struct Finding {
  /// Something else in the program that has to do with it.
  struct Note {
    std::string location, text;
  };
  std::string kind;     ///< "bare-marker", "two-pins" and so on: the headings of docs/doctor.md.
  std::string location; ///< "file:line:column", or as MLIR prints what is none.
  std::string message;
  std::vector<Note> notes = {};
  std::string fix = ""; ///< What to write or do.
};

using Findings = std::vector<Finding>;

/// A diagnostic that the compiler gave on its way; its notes are in order.
struct Report {
  bool isError;
  mlir::Location place;
  std::string message;
  struct Note {
    mlir::Location place;
    std::string text;
  };
  std::vector<Note> notes;
};

/// Returns `%x` as the text calls it, else "argument 0 of @main".
std::string nameOf(mlir::Value value);

/// Returns "1,234 bytes".
std::string sizeText(double bytes);

/// Returns the bytes of the whole tensor behind `value`.
double bytesOf(mlir::Value value);

/// Whether an axis splits some dim.
bool isSplit(ValueSharding sharding);

} // namespace spmd
