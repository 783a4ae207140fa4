#include "spmd/passes/explain/Places.h"
#include "spmd/passes/why/Why.h"

#include "llvm/Support/Format.h"

namespace spmd {

/// "1,234"
static std::string grouped(int64_t number) {
  std::string digits = std::to_string(number);
  for (int64_t at = static_cast<int64_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(at, ",");
  return digits;
}

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
  return each.least ? grouped(*each.least) : "?";
}

static void printTable(const WhyReport &report, llvm::raw_ostream &os) {
  os << "\n"
     << llvm::right_justify("#", 4) << "  " << llvm::left_justify("kind", 20)
     << llvm::right_justify("group", 6) << llvm::right_justify("runs", 6)
     << llvm::right_justify("wire bytes", 16) << llvm::right_justify("at least", 16)
     << "  what moves\n";
  size_t number = 0;
  for (const WhyCollective &each : report.collectives)
    os << llvm::right_justify(std::to_string(++number), 4) << "  "
       << llvm::left_justify(each.kind, 20)
       << llvm::right_justify(std::to_string(each.groupSize), 6)
       << llvm::right_justify(std::to_string(each.runs) + (each.hasUnknownTrips ? "+" : ""), 6)
       << llvm::right_justify(grouped(each.wireBytes), 16)
       << llvm::right_justify(leastText(each), 16) << "  " << movedText(each) << "\n";
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
    os << "; at least " << grouped(*each.least);
  os << "\n";
  if (each.causes.empty())
    os << "  the program itself says so\n";
  for (const WhyCause &cause : each.causes)
    printCause(cause, os);
  for (const WhyAdvice &advice : each.advice) {
    os << "  to move less, write: " << advice.write << "\n    then " << grouped(advice.wireBytes)
       << " of " << bytesText(static_cast<double>(report.wireBytes))
       << " move in all; arguments and results take " << grouped(advice.localBytes) << ", now "
       << grouped(report.localBytes) << "\n";
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
