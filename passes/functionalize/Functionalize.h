// The steps of functionalization, in order. Each works on one function and leaves a program of the
// same meaning.
#pragma once

#include "spmd/passes/functionalize/Effects.h"

namespace spmd {

/// Stands in the error of a buffer that is pinned twice, differently.
inline constexpr llvm::StringLiteral twoPinsText = "a buffer lies in one way";

/// Makes arguments that lie in one memory (`spmd.memory`) views of one buffer: of the argument that
/// is all of it, else of a new one, from which those that are written are filled at the end. Fails
/// after reporting arguments that overlap and are both written, or want the memory to lie in two
/// ways.
mlir::LogicalResult joinMemory(mlir::ModuleOp module);

/// Passes the buffers that are written in branches and bodies of loops through these as values:
///
///     while(..) { store t, b }        store (while(%c = load(b)) { b' = alloc; store %c, b';
///                                                                  store t, b'; return load(b')
///                                                                  }), b
///
/// so that from here on every buffer is written in its own block.
void carryBuffers(mlir::func::FuncOp func, const BufferEffects &effects);

/// Composes every load, store and call with its chain of views, so that buffers are only accessed
/// whole and in their own block:
///
///     load(view(b))        view applied to load(b)
///     store t, view(b)     store of load(b) with t written in place of what the view shows
///     call @f(view(b))     call of a buffer of its own; what it then holds is stored through the
///     view
///
/// A pin on a view or load becomes a constraint on the tensor that is shown.
void composeViews(mlir::func::FuncOp func, const BufferEffects &effects);

/// Removes stores whose tensor nobody can load, loads of what was loaded before and not written
/// since, and buffers without a use. Requires whole accesses.
void dropDeadStores(mlir::func::FuncOp func, const BufferEffects &effects);

/// Gives `func` a result for each buffer argument that is written: what the buffer holds at the
/// end, with the buffer's sharding. The argument is donated to it (`tf.aliasing_output`). One that
/// is donated already to what it holds has its result; any other donation of one that is written is
/// dropped with a warning. Of one that may not be (`spmd.not_donated`), the program writes a copy.
void returnContents(mlir::func::FuncOp func, const BufferEffects &effects);

/// Makes calls take and return tensors:
///
///     call @f(b)           store (call @f(load(b))), b
///
/// for the buffers that the callee writes. Requires that `buffersToValues` does the same to
/// callees.
void exposeCalls(mlir::func::FuncOp func, const BufferEffects &effects);

/// Makes the buffers of all functions values, or of those that are called: a load is what was
/// stored last. Buffer arguments become tensors; what a callee leaves in them, it returns. Stores
/// into a pinned buffer become constraints; all that an unpinned one holds in turn forms a sharding
/// group, so that it lies alike, as it would in the buffer.
///
/// Requires what the steps above leave, `returnContents` for the functions that nobody calls.
void buffersToValues(mlir::ModuleOp module, const BufferEffects &effects, bool ofCalleesOnly);

/// Makes the buffers that are left values once propagation has said how they lie. Only arguments
/// stay, and are read once at the start and written once at the end: what follows sees one program
/// in both modes.
///
/// Requires what `functionalize` leaves.
void forwardContents(mlir::ModuleOp module, const BufferEffects &effects);

/// Takes all steps but the last; without `toValues` the one before for callees only, so that the
/// buffers of other functions are accessed whole. Fails after reporting buffers that leave sight.
mlir::LogicalResult functionalize(mlir::ModuleOp module, bool toValues);

} // namespace spmd
