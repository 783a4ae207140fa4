// RUN: spmd-opt %s --spmd-check-rules=meshes=2x0 --verify-diagnostics -o %t

// expected-error @below {{mesh '2x0' is none; write the sizes of its axes, as in 2x3}}
module {
}
