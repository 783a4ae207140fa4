// The HLO modules that tests read: those in data/, and all programs of a capture where there is
// one.
#pragma once

#include <string>
#include <vector>

namespace spmd::hlo {

/// Returns the files below data/, $SPMD_PROGRAMS or ../shared/programs whose name ends in `ending`,
/// sorted.
std::vector<std::string> programs(const std::string &ending);

/// Returns what stands in a file.
std::string contents(const std::string &path);

/// Returns what stands in a file of data/.
std::string data(const std::string &name);

/// A module around instructions: `header` goes behind its name, the last line is the root.
std::string inModule(const std::string &instructions, const std::string &header = "");

} // namespace spmd::hlo
