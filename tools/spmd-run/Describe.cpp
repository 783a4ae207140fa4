#include "spmd/tools/spmd-run/Describe.h"

#include "spmd/lowering/program/Peak.h"

namespace spmd {

void describeProgram(const DeviceProgram &program, RunReport &report) {
  report.program = program.name;
  report.numDevices = program.numDevices;
  report.traffic = trafficOf(program);
  report.peakBytes = peakBytes(program);
  for (const auto *side : {&program.arguments, &program.results})
    for (const Boundary &boundary : *side) {
      if (boundary.known != Known::part)
        report.mesh = boundary.mesh;
      report.globalBytes += boundary.global.sizeInBytes();
    }
  const Function &entry = program.functions[program.entry];
  for (int32_t i = 0; i < entry.numArguments; ++i)
    report.localBytes += entry.values[i].sizeInBytes();
  for (ValueId result : entry.results)
    report.localBytes += entry.values[result].sizeInBytes();
}

} // namespace spmd
