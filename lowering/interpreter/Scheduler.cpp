#include "spmd/lowering/interpreter/Scheduler.h"

#include "spmd/lowering/interpreter/Helpers.h"
#include "spmd/lowering/interpreter/StatusMacros.h"

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace spmd {
namespace {

/// The devices that can run, and the threads that run them.
///
/// A device belongs to whoever took it off the queue, until it waits; from then on to the last
/// member of its group, who resumes all of them. All is over when the queue is empty and nobody
/// holds a device.
class Scheduler {
public:
  Scheduler(std::vector<Device> &devices, Communicator &communicator, const RunOptions &options)
      : devices(devices), communicator(communicator), denormals(options.denormals),
        budget(options.budget) {
    for (size_t device = 0; device < devices.size(); ++device)
      runnable.push_back(device);
  }

  /// Runs all on the calling thread; `threads` - 1 others help where there is enough to do.
  void run(int threads) {
    hasHelpers = threads > 1;
    Helpers helpers(threads - 1, [this] { work(/*isHelper=*/true); });
    work(/*isHelper=*/false);
  }

private:
  using Clock = std::chrono::steady_clock;
  /// Less work than this is done before another thread has woken up and started on it. Threads that
  /// share it anyway wait for each other at every collective, above all where one is interrupted.
  static constexpr Clock::duration worthHelp = std::chrono::microseconds(50);
  /// A device that runs longer than this was misjudged: others are taken meanwhile.
  static constexpr std::chrono::milliseconds patience{1};

  void work(bool isHelper) {
    DenormalScope scope(denormals);
    WorkScope workScope(budget);
    std::unique_lock<std::mutex> lock(mutex);
    while (true) {
      if (isHelper)
        awaitWork(lock);
      else
        changed.wait(lock, [&] { return !runnable.empty() || isOver(); });
      if (isOver())
        return;
      int64_t device = runnable.front();
      runnable.pop_front();
      ++numHeld;
      ++numTaken;
      lock.unlock();
      Clock::time_point start = hasHelpers ? Clock::now() : Clock::time_point();
      Resumed resumed = advance(device);
      Clock::duration taken = hasHelpers ? Clock::now() - start : Clock::duration::zero();
      lock.lock();
      --numHeld;
      longest = std::max(taken, longest - longest / 4);
      runnable.insert(runnable.end(), resumed.begin(), resumed.end());
      if (isOver() || isWorthHelp())
        changed.notify_all();
      else if (isHelper && !runnable.empty())
        changed.notify_all(); // The first thread may wait for this.
    }
  }

  bool isOver() const { return runnable.empty() && numHeld == 0; }

  /// Whether what waits in the queue beyond its first may take long: each as long as the longest
  /// run of late.
  bool isWorthHelp() const {
    return runnable.size() > 1 && longest * static_cast<int64_t>(runnable.size()) >= worthHelp;
  }

  /// Returns once all is over, or there is enough to do, or nobody has taken what there is for
  /// long.
  void awaitWork(std::unique_lock<std::mutex> &lock) {
    while (!isOver() && !isWorthHelp()) {
      int64_t before = numTaken;
      changed.wait_for(lock, patience, [&] { return isOver() || isWorthHelp(); });
      if (numTaken == before && !runnable.empty())
        return;
    }
  }

  /// Devices that can run now.
  using Resumed = absl::InlinedVector<int64_t, 16>;

  /// Runs `id` until it waits or ends. Returns who can run now: its group, if it came last.
  Resumed advance(int64_t id) {
    Device &device = devices[id];
    if (device.advance() != Device::State::waiting)
      return {};
    if (device.waitingAt().kind == PreparedInstruction::Kind::send)
      return send(id);
    if (device.waitingAt().kind == PreparedInstruction::Kind::receive)
      return receive(id);
    return meet(id);
  }

  /// Hands on what the device sends, which does not wait; who gets it can run too.
  Resumed send(int64_t id) {
    Device &device = devices[id];
    Resumed resumed = {id};
    if (const std::optional<Mailbox> &box = device.waitingAt().mailboxes[id]) {
      std::vector<Tensor> tensors = device.contribution();
      if (std::optional<int64_t> receiver = communicator.send(*box, tensors)) {
        if (hand(*receiver, std::move(tensors)))
          resumed.push_back(*receiver);
      }
    }
    device.resume({});
    return resumed;
  }

  /// Gives the device what lies in its mailbox; a device that nobody sends to gets zeros.
  Resumed receive(int64_t id) {
    Device &device = devices[id];
    const PreparedInstruction &instruction = device.waitingAt();
    std::vector<Tensor> tensors;
    if (const std::optional<Mailbox> &box = instruction.mailboxes[id]) {
      std::optional<std::vector<Tensor>> sent = communicator.receive(*box, id);
      if (!sent)
        return {}; // From here on, who sends may resume it.
      tensors = *std::move(sent);
    } else {
      for (TypeRef type : instruction.resultTypes)
        if (absl::StatusOr<Tensor> zeros = Tensor::zeros(type); zeros.ok())
          tensors.push_back(*std::move(zeros));
    }
    return hand(id, std::move(tensors)) ? Resumed{id} : Resumed();
  }

  /// Gives `tensors` to a device that receives. Returns whether it can run on.
  bool hand(int64_t id, std::vector<Tensor> tensors) {
    Device &device = devices[id];
    const PreparedInstruction &instruction = device.waitingAt();
    bool fits = tensors.size() == instruction.resultTypes.size();
    for (size_t i = 0; fits && i < tensors.size(); ++i)
      fits = tensors[i].typeRef() == instruction.resultTypes[i];
    if (fits)
      device.resume(std::move(tensors));
    else
      device.fail(invalid(instruction.description, ": what was sent has other types"));
    return fits;
  }

  /// Lets the device come to its collective.
  Resumed meet(int64_t id) {
    Device &device = devices[id];
    // Once it has arrived another thread may resume it: read what is needed first. The program
    // stays.
    const Collective *collective = device.waitingAt().collective.get();
    int32_t group = collective->groupOf[id];
    const std::vector<int64_t> &members = collective->groups[group];
    const std::string &description = device.waitingAt().description;
    auto arrived = communicator.arrive(device.meetingPoint(), members, collective->positionOf[id],
                                       device.contribution());
    if (!arrived.ok()) {
      device.fail(arrived.status());
      return {};
    }
    if (!*arrived)
      return {};
    absl::StatusOr<MemberTensors> results = collective->run(group, **arrived);
    arrived->reset(); // Frees what the members brought before they run on.
    for (size_t position = 0; position < members.size(); ++position) {
      Device &member = devices[members[position]];
      if (results.ok())
        member.resume(std::move((*results)[position]));
      else
        member.fail(absl::Status(results.status().code(),
                                 absl::StrCat(description, ": ", results.status().message())));
    }
    return results.ok() ? Resumed(members.begin(), members.end()) : Resumed();
  }

  std::vector<Device> &devices;
  Communicator &communicator;
  const Denormals denormals;
  WorkBudget *const budget;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<int64_t> runnable;
  int64_t numHeld = 0;  ///< Devices that a thread runs.
  int64_t numTaken = 0; ///< How often one was taken from the queue.
  Clock::duration longest{0};
  bool hasHelpers = false;
};

std::string listOf(const std::vector<int64_t> &ids) {
  return absl::StrCat(ids.size() == 1 ? "device " : "devices ", absl::StrJoin(ids, ", "));
}

/// Returns who waits at which op for whom, and where those are.
std::string describeDeadlock(const std::vector<Device> &devices, const Communicator &communicator) {
  std::vector<std::string> sentences;
  std::vector<int64_t> allMissing;
  for (const PendingMeeting &meeting : communicator.pending()) {
    std::vector<int64_t> waiting, missing;
    for (size_t i = 0; i < meeting.members.size(); ++i)
      (meeting.hasArrived[i] ? waiting : missing).push_back(meeting.members[i]);
    sentences.push_back(
        absl::StrCat(listOf(waiting), waiting.size() == 1 ? " waits at " : " wait at ",
                     devices[waiting[0]].waitingAt().description, " for ", listOf(missing)));
    allMissing.insert(allMissing.end(), missing.begin(), missing.end());
  }
  for (size_t id = 0; id < devices.size(); ++id)
    if (devices[id].state() == Device::State::waiting &&
        devices[id].waitingAt().kind == PreparedInstruction::Kind::receive)
      sentences.push_back(absl::StrCat("device ", id, " waits at ",
                                       devices[id].waitingAt().description,
                                       " for a value that nobody sends"));
  std::sort(allMissing.begin(), allMissing.end());
  allMissing.erase(std::unique(allMissing.begin(), allMissing.end()), allMissing.end());
  for (int64_t id : allMissing)
    if (devices[id].state() == Device::State::finished)
      sentences.push_back(absl::StrCat("device ", id, " has finished"));
  return absl::StrCat("deadlock: ", absl::StrJoin(sentences, "; "));
}

} // namespace

absl::Status runDevices(std::vector<Device> &devices, Communicator &communicator,
                        const RunOptions &options) {
  size_t useful = std::min(static_cast<size_t>(std::max(options.threads, 1)), devices.size());
  Scheduler(devices, communicator, options).run(static_cast<int>(useful));
  bool allFinished = true;
  for (const Device &device : devices) {
    if (device.state() == Device::State::failed)
      return device.status();
    allFinished &= device.state() == Device::State::finished;
  }
  if (allFinished)
    return absl::OkStatus();
  return absl::FailedPreconditionError(describeDeadlock(devices, communicator));
}

} // namespace spmd
