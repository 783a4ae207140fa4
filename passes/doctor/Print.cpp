#include "spmd/passes/doctor/Doctor.h"

#include "llvm/Support/JSON.h"

namespace spmd {

void printText(const Findings &findings, llvm::raw_ostream &os) {
  for (const Finding &finding : findings) {
    os << finding.location << ": " << finding.kind << ": " << finding.message << "\n";
    for (const Finding::Note &note : finding.notes)
      os << "  " << note.location << ": " << note.text << "\n";
    if (!finding.fix.empty())
      os << "  to mend it: " << finding.fix << "\n";
  }
  if (findings.empty())
    os << "no known failure mode was found\n";
  else
    os << findings.size() << (findings.size() == 1 ? " finding\n" : " findings\n");
}

void printJson(const Findings &findings, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attributeArray("findings", [&] {
      for (const Finding &finding : findings)
        json.object([&] {
          json.attribute("kind", finding.kind);
          json.attribute("location", finding.location);
          json.attribute("message", finding.message);
          json.attributeArray("notes", [&] {
            for (const Finding::Note &note : finding.notes)
              json.object([&] {
                json.attribute("location", note.location);
                json.attribute("text", note.text);
              });
          });
          json.attribute("fix", finding.fix);
        });
    });
  });
  os << "\n";
}

} // namespace spmd
