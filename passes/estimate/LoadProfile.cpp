#include "spmd/passes/estimate/Estimate.h"

#include "spmd/dialect/spmd/FileReporter.h"
#include "spmd/dialect/spmd/TextFiles.h"

#include "llvm/ADT/StringExtras.h"

namespace spmd {

static std::string shippedNames() {
  std::string names;
  for (const ShippedProfile &each : shippedProfiles())
    names += (names.empty() ? "" : ", ") + std::string(each.name);
  return names;
}

std::optional<DeviceProfile> loadProfile(mlir::MLIRContext &context, llvm::StringRef name) {
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::string_view text;
  for (const ShippedProfile &each : shippedProfiles())
    if (each.name == std::string_view(name))
      text = each.text;
  if (text.empty()) {
    std::string why;
    buffer = openTextFile(name, why);
    if (!buffer) {
      reportUnreadable(context, name, "the device profile",
                       why + "; a file, or one of " + shippedNames() + " is needed");
      return std::nullopt;
    }
    text = std::string_view(buffer->getBuffer());
  }
  FileReporter reporter(context, name.str());
  std::vector<FileFinding> findings;
  std::optional<DeviceProfile> profile = readProfile(text, std::string_view(name), findings);
  for (const FileFinding &finding : findings)
    reporter.error(finding.place) << finding.message;
  if (mlir::failed(reporter.report()))
    return std::nullopt;
  return profile;
}

} // namespace spmd
