// What is wrong in a file that people write, and where.
#pragma once

#include <cstdint>
#include <string>

namespace spmd {

/// A place in a file. Line and column count from 1; 0 for the file as a whole.
struct FilePlace {
  int32_t line = 0;
  int32_t column = 0;
};

/// Something in a file that is wrong, in the grammar of diagnostics.
struct FileFinding {
  FilePlace place;
  std::string message;
};

} // namespace spmd
