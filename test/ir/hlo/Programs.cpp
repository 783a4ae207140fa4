#include "Programs.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace spmd::hlo {

std::vector<std::string> programs(const std::string &ending) {
  const char *given = std::getenv("SPMD_PROGRAMS");
  std::vector<std::string> found;
  for (const char *folder : {SPMD_HLO_DATA, given ? given : SPMD_PROGRAMS}) {
    if (!std::filesystem::exists(folder))
      continue;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(folder)) {
      std::string path = entry.path().string();
      if (path.size() > ending.size() &&
          path.compare(path.size() - ending.size(), ending.size(), ending) == 0)
        found.push_back(path);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string contents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string data(const std::string &name) {
  return contents(std::string(SPMD_HLO_DATA) + "/" + name);
}

std::string inModule(const std::string &instructions, const std::string &header) {
  return "HloModule m" + header + "\n\nENTRY main {\n" + instructions + "\n}\n";
}

} // namespace spmd::hlo
