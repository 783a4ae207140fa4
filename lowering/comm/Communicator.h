// How the members of a group come together.
#pragma once

#include "spmd/lowering/interpreter/Tensor.h"

#include "absl/types/span.h"

#include <optional>
#include <tuple>

namespace spmd {

/// A point in the execution of a program, the same on every device that gets there: for each active
/// function, outermost first, its number, the instruction and the iteration. Then the group.
using MeetingPoint = std::vector<int64_t>;

/// Where values from one device to another wait: a channel, who sends and who receives; -1 for the
/// host, through which any device may reach any other.
struct Mailbox {
  int64_t channel = 0, from = -1, to = -1;

  friend bool operator<(const Mailbox &a, const Mailbox &b) {
    return std::tie(a.channel, a.from, a.to) < std::tie(b.channel, b.from, b.to);
  }
};

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
  /// has arrived there before. `members` must stay until all have come.
  virtual absl::StatusOr<std::optional<Contributions>> arrive(const MeetingPoint &point,
                                                              absl::Span<const int64_t> members,
                                                              int64_t position,
                                                              std::vector<Tensor> tensors) = 0;

  /// Returns the meetings that miss a member, ordered by point.
  virtual std::vector<PendingMeeting> pending() const = 0;

  /// Leaves `tensors` in `box`, behind what lies there; or, if a device waits there, returns it, to
  /// which the caller hands `tensors` itself.
  virtual std::optional<int64_t> send(const Mailbox &box, const std::vector<Tensor> &tensors) = 0;

  /// Takes what has lain longest in `box`; if nothing does, notes that `device` waits there.
  virtual std::optional<std::vector<Tensor>> receive(const Mailbox &box, int64_t device) = 0;
};

/// Returns a communicator for devices that all live in this process.
std::unique_ptr<Communicator> makeInProcessCommunicator();

} // namespace spmd
