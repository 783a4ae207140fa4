#include "spmd/passes/explain/Print.h"

#include "llvm/Support/JSON.h"

namespace spmd {

namespace {

class Writer {
public:
  explicit Writer(llvm::json::OStream &json) : json(json) {}

  void write(const Explanation &told) {
    json.object([&] {
      json.attribute("value", told.name);
      some("also_called", told.alsoCalled);
      some("description", told.description);
      json.attribute("location", told.location);
      json.attribute("function", told.function);
      some("call", told.call);
      json.attribute("sharding", told.sharding);
      some("annotated", told.annotated);
      some("plan_location", told.plan);
      json.attribute("state", told.state);
      some("remark", told.remark);
      json.attributeArray("dims", [&] {
        for (const ToldDim &dim : told.dims)
          write(dim);
      });
    });
  }

  void write(const std::vector<ToldLink> &chain) {
    for (const ToldLink &link : chain)
      write(link);
  }

private:
  /// Writes an attribute unless it is empty.
  void some(llvm::StringRef name, const std::string &text) {
    if (!text.empty())
      json.attribute(name, text);
  }

  void write(const ToldDim &dim) {
    json.object([&] {
      json.attribute("size", dim.size);
      json.attributeArray("axes", [&] {
        for (const ToldAxis &axis : dim.axes)
          json.object([&] {
            json.attribute("axis", axis.axis);
            json.attributeArray("chain", [&] { write(axis.chain); });
          });
      });
      if (dim.axes.empty() || !dim.stops.empty())
        json.attributeArray("stops", [&] {
          for (const ToldStop &stop : dim.stops)
            write(stop);
        });
      some("write", dim.write);
      some("unsplit", dim.unsplit);
      if (!dim.alsoWrite.empty())
        json.attributeArray("also_write", [&] {
          for (const ToldLine &also : dim.alsoWrite)
            json.object([&] {
              json.attribute("op", also.op);
              json.attribute("location", also.location);
              json.attribute("write", also.line);
            });
        });
    });
  }

  void write(const ToldLink &link) {
    json.object([&] {
      json.attribute("kind", link.kind);
      json.attribute("text", link.text);
      json.attribute("value", link.value);
      json.attribute("dim", link.dim);
      json.attribute("location", link.location);
      if (!link.from.empty()) {
        json.attribute("from", link.from);
        json.attribute("from_dim", link.fromDim);
      }
      some("plan_location", link.plan);
      some("op", link.op);
      some("op_location", link.opLocation);
      if (link.step)
        json.attribute("step", *link.step);
      if (!link.rivals.empty())
        json.attributeArray("won_against", [&] {
          for (const ToldRival &rival : link.rivals)
            write(rival);
        });
    });
  }

  void write(const ToldRival &rival) {
    json.object([&] {
      json.attribute("text", rival.text);
      json.attribute("value", rival.value);
      json.attribute("dim", rival.dim);
      json.attribute("location", rival.location);
      json.attribute("axes", rival.axes);
      if (rival.bytes == 0 && rival.winnerBytes == 0)
        return;
      json.attribute("bytes", static_cast<int64_t>(rival.bytes));
      json.attribute("winner_bytes", static_cast<int64_t>(rival.winnerBytes));
    });
  }

  void write(const ToldStop &stop) {
    json.object([&] {
      json.attribute("kind", stop.kind);
      json.attribute("text", stop.text);
      some("axes", stop.axes);
      some("from", stop.from);
      some("from_location", stop.fromLocation);
      some("to", stop.to);
      some("to_location", stop.toLocation);
      some("op", stop.op);
      some("op_location", stop.opLocation);
    });
  }

  llvm::json::OStream &json;
};

} // namespace

void printJson(const std::vector<Explanation> &told, const std::vector<Flag> *flags,
               const std::optional<ToldRepeatedWork> &work, const std::vector<UnknownName> &unknown,
               llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attributeArray("values", [&] {
      for (const Explanation &each : told)
        Writer(json).write(each);
    });
    if (flags)
      json.attributeArray("missing", [&] {
        for (const Flag &flag : *flags)
          writeJson(flag, json);
      });
    if (work)
      json.attributeObject("repeated_work", [&] {
        json.attribute("location", work->location);
        json.attribute("message", work->message);
        json.attribute("fix", work->fix);
      });
    if (!unknown.empty())
      json.attributeArray("unknown", [&] {
        for (const UnknownName &each : unknown)
          json.object([&] {
            json.attribute("name", each.name);
            json.attribute("message", each.message);
          });
      });
  });
  os << "\n";
}

void writeJson(const std::vector<ToldLink> &chain, llvm::json::OStream &json) {
  Writer(json).write(chain);
}

} // namespace spmd
