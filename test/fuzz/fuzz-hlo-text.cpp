// Fuzzes the reader of HLO text and what follows it: whatever the text, no crash; a module that is
// accepted and verifies prints as text of the same module; it is imported or refused with a
// message.

#include "HloTarget.h"

using namespace spmd;

static std::string bytesOf(const hlo::HloModuleProto &module) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true); // Maps have no order.
    module.SerializeToCodedStream(&coded);
  }
  return bytes;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  absl::StatusOr<hlo::HloModuleProto> module =
      hlo::parseHloText({reinterpret_cast<const char *>(data), size});
  if (!module.ok()) {
    if (module.status().message().empty())
      fuzz::fail("rejected without a message", "", "");
    return 0;
  }
  fuzz::checkModule(*module);
  if (!hlo::verify(*module).ok())
    return 0;
  std::string printed = hlo::printHlo(*module);
  absl::StatusOr<hlo::HloModuleProto> again = hlo::parseHloText(printed);
  if (!again.ok())
    fuzz::fail("what was printed is rejected", printed, again.status().ToString());
  if (bytesOf(*again) != bytesOf(*module))
    fuzz::fail("printed and read again, it differs", printed, hlo::printHlo(*again));
  return 0;
}
