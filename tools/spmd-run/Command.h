// The command line of `spmd-run`.
#pragma once

namespace spmd {

/// Does what the arguments of `spmd-run` say, and returns its exit code. Options are globals: once
/// per process.
int runCommand(int argc, char **argv);

} // namespace spmd
