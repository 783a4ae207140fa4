// RUN: spmd-opt %s --split-input-file --verify-diagnostics

// Ops of such dialects are errors, each name once; so are values of their types.
func.func @ops() {
  // expected-error @below {{op 'other.make' is not known}}
  %0 = "other.make"() : () -> tensor<8xf32>
  %1 = "other.make"() {other.note = #other.note<"a">} : () -> tensor<8xf32>
  return
}

// -----

// expected-error @below {{type '!other.type<1>' is of a dialect that is not known}}
func.func @types(%arg0: !other.type<1>) { return }
