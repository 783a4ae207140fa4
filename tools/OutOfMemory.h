// What a tool does where memory runs out.
#pragma once

namespace spmd {

/// From now on, memory that cannot be had ends the tool with a message and exit code 1, on any
/// thread. Files that are being written stay as they were.
void reportLostMemory();

} // namespace spmd
