#include "spmd/passes/explain/Places.h"
#include "spmd/passes/why/Columns.h"
#include "spmd/passes/why/Why.h"

namespace spmd {

/// What moves, in a few words.
static std::string movedText(const WhyCollective &each) {
  if (each.causes.empty())
    return "written in the program";
  const WhyCause &first = each.causes.front();
  std::string text = first.from.empty()    ? first.reason + " (" + first.userLocation + ")"
                     : first.value.empty() ? "what is made at " + first.valueLocation
                                           : first.value + " (" + first.valueLocation + ")";
  if (each.causes.size() > 1)
    text += " and " + std::to_string(each.causes.size() - 1) + " more";
  return text;
}

static std::string leastText(const WhyCollective &each) {
  if (each.sharesMoveWith >= 0)
    return "see " + std::to_string(each.sharesMoveWith + 1);
  return each.least ? withCommas(*each.least) : "?";
}

static void printTable(const WhyReport &report, llvm::raw_ostream &os) {
  std::vector<std::vector<std::string>> rows = {
      {"#", "kind", "group", "runs", "wire bytes", "at least", "  what moves"}};
  for (const WhyCollective &each : report.collectives)
    rows.push_back({std::to_string(rows.size()), each.kind, std::to_string(each.groupSize),
                    std::to_string(each.runs) + (each.hasUnknownTrips ? "+" : ""),
                    withCommas(each.wireBytes), leastText(each), "  " + movedText(each)});
  os << "\n";
  printColumns(rows, {{4}, {20, /*isLeft=*/true}, {4}, {4}, {14}, {14}}, /*indent=*/0, os);
}

static void printCause(const WhyCause &cause, llvm::raw_ostream &os) {
  std::string role = cause.reason + " (" + cause.userLocation + ")";
  if (cause.from.empty()) {
    os << "  " << role << "\n";
    return;
  }
  std::string value = cause.value.empty() ? "what is made at " + cause.valueLocation
                                          : cause.value + " (" + cause.valueLocation + ")";
  if (llvm::StringRef(cause.reason).starts_with("result "))
    os << "  " << value << " is made as " << cause.from << ", and propagation wants it as "
       << cause.to << "\n";
  else
    os << "  " << value << " lies as " << cause.from << "; " << role << " wants it as " << cause.to
       << "\n";
  for (const WhyChain &chain : cause.chains) {
    os << "    " << chain.text << ":\n";
    for (const ToldLink &link : chain.chain) {
      os << "      " << link.text << "\n";
      for (const ToldRival &rival : link.rivals)
        os << "        " << rival.text << "\n";
    }
  }
}

static void printBlock(const WhyReport &report, size_t number, const WhyCollective &each,
                       llvm::raw_ostream &os) {
  os << "\n#" << number << " " << each.kind << ", "
     << bytesText(static_cast<double>(each.wireBytes));
  if (each.sharesMoveWith >= 0)
    os << "; part of the move of #" << each.sharesMoveWith + 1;
  else if (each.least)
    os << "; at least " << withCommas(*each.least);
  os << "\n";
  if (each.causes.empty())
    os << "  the program itself says so\n";
  for (const WhyCause &cause : each.causes)
    printCause(cause, os);
  for (const WhyAdvice &advice : each.advice) {
    os << "  to move less, write: " << advice.write << "\n    then " << withCommas(advice.wireBytes)
       << " of " << bytesText(static_cast<double>(report.wireBytes))
       << " move in all; arguments and results take " << withCommas(advice.localBytes) << ", now "
       << withCommas(report.localBytes) << "\n";
  }
  if (each.advice.empty() && each.wasTried)
    os << "  no line that was tried makes the program move less\n";
}

void printText(const WhyReport &report, llvm::raw_ostream &os) {
  os << "mesh          " << (report.mesh.empty() ? "none" : report.mesh) << ", "
     << report.numDevices << (report.numDevices == 1 ? " device\n" : " devices\n");
  os << "collectives   " << report.collectives.size() << ", "
     << bytesText(static_cast<double>(report.wireBytes)) << " sent by each device\n";
  if (report.collectives.empty())
    return;
  printTable(report, os);
  for (size_t i = 0; i < report.collectives.size(); ++i)
    printBlock(report, i + 1, report.collectives[i], os);
}

} // namespace spmd
