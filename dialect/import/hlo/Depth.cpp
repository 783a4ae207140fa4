#include "spmd/dialect/import/hlo/Depth.h"

namespace spmd {

size_t findTooDeep(llvm::StringRef text) {
  size_t depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '"') {
      for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
        at += text[at] == '\\' ? 1 : 0;
    } else if (c == '/' && text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '(' || c == '[' || c == '{' || c == '<') {
      if (++depth > maxDepth)
        return at;
    } else if (c == ')' || c == ']' || c == '}' || (c == '>' && at > 0 && text[at - 1] != '-')) {
      depth -= depth > 0 ? 1 : 0;
    }
  }
  return llvm::StringRef::npos;
}

} // namespace spmd
