#include "spmd/dialect/partitioning/CallAttributes.h"

#include "spmd/dialect/import/hlo/Depth.h"
#include "spmd/dialect/import/hlo/ParseQuietly.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/JSON.h"

namespace spmd {

static constexpr llvm::StringLiteral configNames[] = {"backend_config", "mhlo.backend_config",
                                                      "mhlo.frontend_attributes"};

//===- JSON ----------------------------------------------------------------===//

static mlir::Attribute fromJson(const llvm::json::Value &value, mlir::Builder &builder) {
  if (std::optional<bool> boolean = value.getAsBoolean())
    return builder.getBoolAttr(*boolean);
  if (std::optional<int64_t> integer = value.getAsInteger())
    return builder.getI64IntegerAttr(*integer);
  if (std::optional<double> number = value.getAsNumber())
    return builder.getF64FloatAttr(*number);
  if (std::optional<llvm::StringRef> text = value.getAsString())
    return builder.getStringAttr(*text);
  if (const llvm::json::Array *array = value.getAsArray()) {
    llvm::SmallVector<mlir::Attribute> elements;
    for (const llvm::json::Value &element : *array)
      elements.push_back(fromJson(element, builder));
    return builder.getArrayAttr(elements);
  }
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return builder.getStringAttr("null");
  mlir::NamedAttrList entries;
  for (const auto &[key, entry] : *object)
    if (!key.str().empty()) // A dictionary of MLIR has no empty names.
      entries.set(builder.getStringAttr(key.str()), fromJson(entry, builder));
  return entries.getDictionary(builder.getContext());
}

namespace {

/// Walks over a JSON text that is known to parse.
class JsonCursor {
public:
  explicit JsonCursor(llvm::StringRef text) : text(text) {}

  /// Returns where the value of `name` stands, of several the last; nothing if there is none. The
  /// cursor must be in front of a value.
  std::optional<llvm::StringRef> find(llvm::StringRef name) {
    std::optional<llvm::StringRef> found;
    skipBlanks();
    if (text[at] != '{')
      return found;
    for (step(); text[at] != '}'; text[at] == ',' ? step() : void()) {
      llvm::Expected<llvm::json::Value> key = llvm::json::parse(value());
      std::string entry = key->getAsString()->str();
      step(); // The colon.
      size_t start = at;
      llvm::StringRef whole = value();
      if (entry == name)
        found = whole;
      else if (llvm::StringRef rest = name; rest.consume_front(entry) && rest.consume_front("."))
        if (std::optional<llvm::StringRef> inner = JsonCursor(text, start).find(rest))
          found = inner;
    }
    return found;
  }

private:
  JsonCursor(llvm::StringRef text, size_t at) : text(text), at(at) {}

  void skipBlanks() { at = std::min(text.find_first_not_of(" \t\r\n", at), text.size()); }
  void step() {
    ++at;
    skipBlanks();
  }

  /// Returns the value at hand, and stops in front of what follows it.
  llvm::StringRef value() {
    size_t start = at;
    int depth = 0;
    do {
      if (text[at] == '"')
        skipString();
      else if (llvm::StringRef("{[").contains(text[at]))
        ++depth, ++at;
      else if (llvm::StringRef("}]").contains(text[at]))
        --depth, ++at;
      else
        at = std::min(text.find_first_of(depth == 0 ? ",}] \t\r\n" : "\"{}[]", at), text.size());
    } while (depth > 0);
    llvm::StringRef whole = text.slice(start, at);
    skipBlanks();
    return whole;
  }

  void skipString() {
    for (++at; text[at] != '"'; ++at)
      at += text[at] == '\\';
    ++at;
  }

  llvm::StringRef text;
  size_t at = 0;
};

} // namespace

static bool isJsonObject(llvm::StringRef text) {
  if (!text.ltrim().starts_with("{") || findTooDeep(text) != llvm::StringRef::npos)
    return false;
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    llvm::consumeError(value.takeError());
  return static_cast<bool>(value);
}

mlir::DictionaryAttr dictionaryIn(mlir::StringAttr text) {
  mlir::Builder builder(text.getContext());
  if (!text.getValue().ltrim().starts_with("{"))
    return nullptr;
  if (isJsonObject(text))
    return llvm::cast<mlir::DictionaryAttr>(fromJson(*llvm::json::parse(text.getValue()), builder));
  return llvm::dyn_cast_if_present<mlir::DictionaryAttr>(
      parseQuietly(text.getValue(), *text.getContext()));
}

//===- By name -------------------------------------------------------------===//

/// Returns the dictionary that `config` is, or that its text holds.
static mlir::DictionaryAttr dictionaryOf(mlir::Attribute config) {
  if (auto text = llvm::dyn_cast_if_present<mlir::StringAttr>(config))
    return dictionaryIn(text);
  return llvm::dyn_cast_if_present<mlir::DictionaryAttr>(config);
}

static mlir::Attribute lookup(mlir::DictionaryAttr dictionary, llvm::StringRef name) {
  if (mlir::Attribute found = dictionary.get(name))
    return found;
  for (size_t dot = name.find('.'); dot != llvm::StringRef::npos; dot = name.find('.', dot + 1))
    if (auto inner = dictionary.getAs<mlir::DictionaryAttr>(name.take_front(dot)))
      if (mlir::Attribute found = lookup(inner, name.drop_front(dot + 1)))
        return found;
  return nullptr;
}

mlir::Attribute attributeOf(mlir::Operation *op, llvm::StringRef name) {
  if (mlir::Attribute own = op->getAttr(name))
    return own;
  for (llvm::StringRef config : configNames)
    if (mlir::DictionaryAttr dictionary = dictionaryOf(op->getAttr(config)))
      if (mlir::Attribute found = lookup(dictionary, name))
        return found;
  return nullptr;
}

bool hasUnreadableConfig(mlir::Operation *op) {
  return llvm::any_of(configNames, [&](llvm::StringRef config) {
    auto text = op->getAttrOfType<mlir::StringAttr>(config);
    return text && !text.getValue().trim().empty() && !dictionaryIn(text);
  });
}

//===- Integers ------------------------------------------------------------===//

std::optional<int64_t> integerIn(mlir::Attribute attribute) {
  int64_t number = 0;
  if (auto text = llvm::dyn_cast_if_present<mlir::StringAttr>(attribute))
    return text.getValue().getAsInteger(10, number) ? std::nullopt : std::optional(number);
  auto integer = llvm::dyn_cast_if_present<mlir::IntegerAttr>(attribute);
  if (!integer || integer.getType().isInteger(1) || integer.getValue().getActiveBits() > 64)
    return std::nullopt;
  return integer.getType().isUnsignedInteger()
             ? static_cast<int64_t>(integer.getValue().getZExtValue())
             : integer.getValue().getSExtValue();
}

/// Returns `number` as `integer`, which is one, is written.
static mlir::Attribute writtenLike(mlir::Attribute integer, int64_t number) {
  if (auto text = llvm::dyn_cast<mlir::StringAttr>(integer))
    return mlir::StringAttr::get(text.getContext(), llvm::Twine(number));
  auto typed = llvm::cast<mlir::IntegerAttr>(integer);
  return mlir::IntegerAttr::get(typed.getType(),
                                llvm::APInt(typed.getValue().getBitWidth(), number, true, true));
}

/// Returns `dictionary` with `number` as its integer `name`; null if it has none.
static mlir::DictionaryAttr with(mlir::DictionaryAttr dictionary, llvm::StringRef name,
                                 int64_t number) {
  mlir::NamedAttrList entries(dictionary);
  if (mlir::Attribute found = dictionary.get(name)) {
    if (!integerIn(found))
      return nullptr;
    entries.set(name, writtenLike(found, number));
    return entries.getDictionary(dictionary.getContext());
  }
  for (size_t dot = name.find('.'); dot != llvm::StringRef::npos; dot = name.find('.', dot + 1))
    if (auto inner = dictionary.getAs<mlir::DictionaryAttr>(name.take_front(dot)))
      if (mlir::DictionaryAttr changed = with(inner, name.drop_front(dot + 1), number)) {
        entries.set(name.take_front(dot), changed);
        return entries.getDictionary(dictionary.getContext());
      }
  return nullptr;
}

/// The same for a configuration: a dictionary, or text that holds one.
static mlir::Attribute with(mlir::Attribute config, llvm::StringRef name, int64_t number) {
  mlir::DictionaryAttr dictionary = dictionaryOf(config);
  mlir::DictionaryAttr changed = dictionary ? with(dictionary, name, number) : nullptr;
  auto text = llvm::dyn_cast_if_present<mlir::StringAttr>(config);
  if (!changed || !text)
    return changed;
  std::string written;
  llvm::raw_string_ostream os(written);
  if (!isJsonObject(text)) {
    os << changed;
    return mlir::StringAttr::get(config.getContext(), written);
  }
  llvm::StringRef whole = text.getValue();
  std::optional<llvm::StringRef> old = JsonCursor(whole).find(name);
  if (!old)
    return nullptr;
  llvm::StringRef quote = old->starts_with("\"") ? "\"" : "";
  os << whole.take_front(old->begin() - whole.begin()) << quote << number << quote
     << whole.drop_front(old->end() - whole.begin());
  return mlir::StringAttr::get(config.getContext(), written);
}

bool setInteger(mlir::Operation *op, llvm::StringRef name, int64_t number) {
  if (mlir::Attribute own = op->getAttr(name)) {
    if (!integerIn(own))
      return false;
    op->setAttr(name, writtenLike(own, number));
    return true;
  }
  for (llvm::StringRef config : configNames) {
    mlir::Attribute old = op->getAttr(config);
    if (mlir::DictionaryAttr dictionary = dictionaryOf(old);
        !dictionary || !lookup(dictionary, name))
      continue;
    mlir::Attribute changed = with(old, name, number);
    if (changed)
      op->setAttr(config, changed);
    return changed != nullptr;
  }
  return false;
}

} // namespace spmd
