// What `spmd-opt --spmd-explain` was asked for.
#pragma once

#include "spmd/passes/Options.h"
#include "spmd/passes/explain/Explanation.h"

#include "llvm/ADT/StringSet.h"

#include <optional>
#include <string>
#include <vector>

namespace spmd {

struct ExplainRequest {
  std::vector<std::string> values; ///< `value=NAME`, any number of times.
  bool missing = false;            ///< `missing`: every value without a sharding.
  bool asJson = false;             ///< `format=json`
  bool asPicture = false;          ///< `format=picture`
  bool alone = false;              ///< `alone`: the program as it is written.
  std::string plan;                ///< `plan=FILE`, put on the program first.
  std::string path;                ///< Of the file.
  llvm::StringSet<> written;       ///< What the file calls its values: see `writtenNamesIn`.
  Conflicts conflicts = Conflicts::classes;
  std::optional<ToldRepeatedWork> repeatedWork; ///< Told with what is missing.
};

/// Reads `value=NAME value=NAME missing format=text|json|picture conflicts=classes|shardy alone
/// plan=FILE`, words with blanks or commas between. A name with blanks stands in double quotes.
/// Returns false after setting `error` to what is wrong.
bool parseRequest(llvm::StringRef text, ExplainRequest &request, std::string &error);

} // namespace spmd
