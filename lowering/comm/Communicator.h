// How the members of a group come together.
#pragma once

#include "spmd/lowering/interpreter/Tensor.h"

#include "absl/types/span.h"

#include <optional>

namespace spmd {

/// A point in the execution of a program, the same on every device that gets there: for each active
/// function, outermost first, its number, the instruction and the iteration. Then the group.
using MeetingPoint = std::vector<int64_t>;

/// A group at a point, while members are missing.
struct PendingMeeting {
  MeetingPoint point;
  std::vector<int64_t> members;
  std::vector<bool> hasArrived; // By position in the group.
};

/// The rendezvous of collectives. Any number of threads may call it at once; nothing in it blocks.
class Communicator {
public:
  /// What each member brought, in group order.
  using Contributions = std::vector<std::vector<Tensor>>;

  virtual ~Communicator() = default;

  /// Brings `tensors` of member number `position` to `point`. Returns what all members brought if
  /// this one was the last, who then acts for the group; nothing otherwise. Internal if the member
  /// has arrived there before.
  virtual absl::StatusOr<std::optional<Contributions>> arrive(const MeetingPoint &point,
                                                              absl::Span<const int64_t> members,
                                                              int64_t position,
                                                              std::vector<Tensor> tensors) = 0;

  /// Returns the meetings that miss a member, ordered by point.
  virtual std::vector<PendingMeeting> pending() const = 0;
};

/// Returns a communicator for devices that all live in this process.
std::unique_ptr<Communicator> makeInProcessCommunicator();

} // namespace spmd
