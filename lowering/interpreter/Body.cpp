#include "spmd/lowering/interpreter/Body.h"

#include "spmd/lowering/interpreter/Device.h"
#include "spmd/lowering/interpreter/StatusMacros.h"

#include <cstring>

namespace spmd {

absl::StatusOr<Body> Body::create(const DeviceProgram &program, int32_t index,
                                  const KernelRegistry &registry) {
  const Function &function = program.functions[index];
  Body body;
  for (int32_t i = 0; i < function.numArguments; ++i)
    body.arguments.push_back(function.values[i]);
  for (ValueId id : function.results)
    body.results.push_back(function.values[id]);
  for (const auto *types : {&body.arguments, &body.results})
    for (const TensorType &type : *types)
      if (type.rank() != 0)
        return invalid("body \"", function.name, "\" has a value of type ", type.str(),
                       "; expected scalars");
  absl::StatusOr<TileProgram> tiles = TileProgram::create(program, function, registry);
  if (tiles.ok()) {
    body.tiles = *std::move(tiles);
    return body;
  }
  absl::StatusOr<PreparedProgram> alone = PreparedProgram::prepare(program, index, registry);
  if (!alone.ok())
    return alone.status();
  body.alone = std::make_shared<const PreparedProgram>(*std::move(alone));
  return body;
}

std::vector<std::vector<int>> Body::reuse(const std::vector<bool> &isScalar) const {
  if (!alone)
    return tiles.reuse(isScalar);
  // Every element is read before its results are written.
  std::vector<std::vector<int>> candidates(results.size());
  for (size_t r = 0; r < results.size(); ++r)
    for (size_t i = 0; i < arguments.size(); ++i)
      if (!isScalar[i] && arguments[i].element == results[r].element)
        candidates[r].push_back(static_cast<int>(i));
  return candidates;
}

absl::Status Body::run(int64_t n, absl::Span<const void *const> inputs,
                       const std::vector<bool> &isScalar, absl::Span<void *const> outputs) const {
  if (alone)
    return runAlone(n, inputs, isScalar, outputs);
  tiles.run(n, inputs, outputs, isScalar);
  return absl::OkStatus();
}

absl::Status Body::runAlone(int64_t n, absl::Span<const void *const> inputs,
                            const std::vector<bool> &isScalar,
                            absl::Span<void *const> outputs) const {
  for (int64_t i = 0; i < n; ++i) {
    std::vector<Tensor> values;
    for (size_t a = 0; a < arguments.size(); ++a) {
      int64_t bytes = storedBytes(arguments[a].element);
      auto *element = static_cast<const std::byte *>(inputs[a]) + (isScalar[a] ? 0 : i * bytes);
      SPMD_ASSIGN_OR_RETURN(Tensor value, Tensor::fromBytes(arguments[a], element, bytes));
      values.push_back(std::move(value));
    }
    Device device(*alone, /*id=*/0, alone->entry, std::move(values), WorkScope::current(), nullptr);
    if (device.advance() != Device::State::finished)
      return device.status().ok() ? invalid("its body communicates, which a body cannot")
                                  : device.status();
    std::vector<Tensor> out = device.takeResults();
    for (size_t r = 0; r < out.size(); ++r) {
      int64_t bytes = storedBytes(results[r].element);
      std::memcpy(static_cast<std::byte *>(outputs[r]) + i * bytes, out[r].data(), bytes);
    }
  }
  return absl::OkStatus();
}

} // namespace spmd
