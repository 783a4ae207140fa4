// The communicator of devices that share one process: tables of meetings and mailboxes under a
// lock.
#include "spmd/lowering/comm/Communicator.h"

#include <deque>
#include <map>
#include <mutex>

namespace spmd {
namespace {

class InProcessCommunicator final : public Communicator {
public:
  absl::StatusOr<std::optional<Contributions>> arrive(const MeetingPoint &point,
                                                      absl::Span<const int64_t> members,
                                                      int64_t position,
                                                      std::vector<Tensor> tensors) override {
    std::lock_guard<std::mutex> lock(mutex);
    auto [it, isNew] = meetings.try_emplace(point);
    Meeting &meeting = it->second;
    if (isNew) {
      meeting.members = members;
      meeting.hasArrived.assign(members.size(), false);
      meeting.contributions.resize(members.size());
    }
    if (meeting.hasArrived[position])
      return absl::InternalError("a device has come to the same meeting twice");
    meeting.hasArrived[position] = true;
    meeting.contributions[position] = std::move(tensors);
    if (++meeting.numArrived < meeting.members.size())
      return std::optional<Contributions>();
    std::optional<Contributions> all = std::move(meeting.contributions);
    meetings.erase(it);
    return all;
  }

  std::vector<PendingMeeting> pending() const override {
    std::lock_guard<std::mutex> lock(mutex);
    std::vector<PendingMeeting> out;
    for (const auto &[point, meeting] : meetings)
      out.push_back({point, {meeting.members.begin(), meeting.members.end()}, meeting.hasArrived});
    return out;
  }

  std::optional<int64_t> send(const Mailbox &box, const std::vector<Tensor> &tensors) override {
    std::lock_guard<std::mutex> lock(mutex);
    Queue &queue = boxes[box];
    if (queue.waiting.empty()) {
      queue.sent.push_back(tensors);
      return std::nullopt;
    }
    int64_t device = queue.waiting.front();
    queue.waiting.pop_front();
    return device;
  }

  std::optional<std::vector<Tensor>> receive(const Mailbox &box, int64_t device) override {
    std::lock_guard<std::mutex> lock(mutex);
    Queue &queue = boxes[box];
    if (queue.sent.empty()) {
      queue.waiting.push_back(device);
      return std::nullopt;
    }
    std::vector<Tensor> tensors = std::move(queue.sent.front());
    queue.sent.pop_front();
    return tensors;
  }

private:
  struct Queue {
    std::deque<std::vector<Tensor>> sent;
    std::deque<int64_t> waiting;
  };
  struct Meeting {
    absl::Span<const int64_t> members;
    std::vector<bool> hasArrived;
    Contributions contributions;
    size_t numArrived = 0;
  };

  mutable std::mutex mutex;
  std::map<MeetingPoint, Meeting> meetings;
  std::map<Mailbox, Queue> boxes;
};

} // namespace

std::unique_ptr<Communicator> makeInProcessCommunicator() {
  return std::make_unique<InProcessCommunicator>();
}

} // namespace spmd
