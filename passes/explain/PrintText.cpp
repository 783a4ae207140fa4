#include "spmd/passes/explain/Print.h"

#include "llvm/ADT/SmallVector.h"

namespace spmd {

static std::string lieText(const Explanation &told) {
  if (told.state == "pinned")
    return (told.annotated.empty() ? "as annotated" : "annotated " + told.annotated) +
           (told.plan.empty() ? "" : " by the plan (" + told.plan + ")");
  if (told.state == "inferred")
    return "inferred";
  if (told.state == "missing")
    return "no annotation reaches it; every device holds it whole";
  if (told.state == "unused")
    return "nobody uses it, so nothing is said of it; every device holds it whole";
  return "every device holds it whole";
}

static void printDim(size_t number, const ToldDim &dim, llvm::raw_ostream &os) {
  std::string head = "  dim " + std::to_string(number) + " (size " + std::to_string(dim.size) + ")";
  for (const ToldAxis &axis : dim.axes) {
    os << head << " is split along " << axis.axis << ":\n";
    for (const ToldLink &link : axis.chain) {
      os << "    " << link.text << "\n";
      for (const ToldRival &rival : link.rivals)
        os << "      " << rival.text << "\n";
    }
  }
  if (dim.stops.empty())
    return;
  os << head << (dim.axes.empty() ? " is not split:\n" : " is split along nothing else:\n");
  for (const ToldStop &stop : dim.stops)
    os << "    " << stop.text << "\n";
  if (!dim.write.empty())
    os << "    to split it" << (dim.axes.empty() ? "" : " so") << ", write: " << dim.write << "\n";
  if (!dim.unsplit.empty())
    os << "    nothing splits it: " << dim.unsplit << "\n";
  for (const ToldLine &also : dim.alsoWrite)
    os << "    and for " << also.op << " (" << also.location
       << "), which takes it as it lies now: " << also.line << "\n";
}

/// Prints the line for one value.
static void printHead(const Explanation &told, llvm::raw_ostream &os) {
  os << told.name;
  if (!told.alsoCalled.empty())
    os << ", also called " << told.alsoCalled;
  if (!told.description.empty())
    os << ", " << told.description;
  os << " (" << told.location << ")";
  if (!told.call.empty())
    os << " where @" << told.function << " is called at " << told.call;
  os << ": " << told.sharding << ", " << lieText(told) << "\n";
}

void printPicture(const Explanation &told, llvm::raw_ostream &os) {
  printHead(told, os);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(told.picture).split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines)
    os << "  " << line << "\n";
}

void printText(const Explanation &told, llvm::raw_ostream &os) {
  printHead(told, os);
  if (!told.remark.empty())
    os << "  " << told.remark << "\n";
  for (size_t d = 0; d < told.dims.size(); ++d)
    printDim(d, told.dims[d], os);
}

static void printNear(const Flag::Near &near, llvm::StringRef relation, llvm::raw_ostream &os) {
  if (!near.value.empty())
    os << "  " << relation << " " << near.value << " (" << near.location << "), which lies as "
       << near.sharding << "; " << near.distance << (near.distance == 1 ? " op" : " ops")
       << " away\n";
}

void printText(const Flag &flag, llvm::raw_ostream &os) {
  os << flag.location << ": " << flag.value << " has no sharding; " << flag.assumed
     << " by default\n";
  printNear(flag.operand, "made of", os);
  printNear(flag.user, "used for", os);
  if (!flag.write.empty())
    os << "  to split it, write: " << flag.write << "\n";
  if (!flag.keepWhole.empty())
    os << "  nothing splits it: " << flag.unsplit
       << "\n  to say that it is whole on purpose, write: " << flag.keepWhole << "\n";
}

void printText(const ToldRepeatedWork &work, llvm::raw_ostream &os) {
  os << work.location << ": " << work.message << "\n  to mend it: " << work.fix << "\n";
}

} // namespace spmd
