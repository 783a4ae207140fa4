#include "spmd/ir/plan/Glob.h"

namespace spmd {

bool Glob::matches(std::string_view name) const {
  // What follows the last star is tried at each place after the one it was tried at before; earlier
  // stars need no second try, since the later one takes up whatever they leave.
  size_t p = 0, n = 0, star = std::string::npos, tried = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      tried = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string::npos) {
      p = star + 1;
      n = ++tried;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*')
    ++p;
  return p == pattern.size();
}

} // namespace spmd
