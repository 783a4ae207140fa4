#include "spmd/passes/explain/Request.h"

#include "llvm/ADT/SmallVector.h"

namespace spmd {

/// Reads one word; returns false if it is none that is known.
static bool readWord(llvm::StringRef word, ExplainRequest &request) {
  auto [key, value] = word.split('=');
  if (key == "value" && !value.empty()) {
    if (value.size() > 2 && value.front() == '"' && value.find('"', 1) == value.size() - 1)
      value = value.drop_front().drop_back();
    request.values.push_back(value.str());
  } else if (key == "plan" && !value.empty()) {
    request.plan = value.str();
  } else if (word == "missing") {
    request.missing = true;
  } else if (word == "alone") {
    request.alone = true;
  } else if (word == "format=text" || word == "format=json" || word == "format=picture") {
    request.asJson = value == "json";
    request.asPicture = value == "picture";
  } else if (word == "conflicts=classes" || word == "conflicts=shardy")
    request.conflicts = value == "shardy" ? Conflicts::shardy : Conflicts::classes;
  else
    return false;
  return true;
}

/// Whether a word ends before `rest`: at a blank, or at a comma that a further word follows.
static bool isEnd(llvm::StringRef rest) {
  bool isComma = rest.consume_front(",");
  for (llvm::StringRef next : {"value=", "missing", "format=", "conflicts=", "plan=", "alone"})
    if (isComma && rest.starts_with(next))
      return true;
  return !isComma && rest.starts_with(" ");
}

/// Splits `text` into words; what stands in double quotes is one word, or part of one.
static bool splitWords(llvm::StringRef text, llvm::SmallVectorImpl<llvm::StringRef> &words) {
  while (!(text = text.ltrim(" ,")).empty()) {
    bool isQuoted = false;
    size_t end = 0;
    for (; end < text.size() && (isQuoted || !isEnd(text.substr(end))); ++end)
      isQuoted ^= text[end] == '"';
    if (isQuoted)
      return false;
    words.push_back(text.take_front(end));
    text = text.drop_front(end);
  }
  return true;
}

bool parseRequest(llvm::StringRef text, ExplainRequest &request, std::string &error) {
  llvm::SmallVector<llvm::StringRef> words;
  if (!splitWords(text, words)) {
    error = "a double quote is not closed";
    return false;
  }
  for (llvm::StringRef word : words)
    if (!readWord(word, request)) {
      error = ("'" + word +
               "' is not known; expected value=NAME, missing, format=text|json|picture, "
               "conflicts=classes|shardy, plan=FILE or alone")
                  .str();
      if (!request.values.empty() && !word.contains('='))
        error += "; a name with blanks stands in double quotes: value=\"" + request.values.back() +
                 " " + word.str() + "\"";
      return false;
    }
  if (!request.values.empty() || request.missing)
    return true;
  error = "nothing to explain is named; expected value=NAME, or missing";
  return false;
}

} // namespace spmd
