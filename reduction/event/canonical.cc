#include "reduction/api/canonical.h"

#include <charconv>
#include <string_view>

#include "reduction/event/canonical_fields.h"

namespace ranksight::reduction {
namespace {

void AppendNumber(std::string_view field, int64_t v, std::string* out) {
  if (v == kNotKept) {
    out->append(field).append("?");
    return;
  }
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, v).ptr;
  out->append(field).append(digits, end);
}

// Ranks and tags: a number or the name of a special value.
void AppendNamed(std::string_view field, int64_t v, std::string* out) {
  if (!IsSpecial(v)) return AppendNumber(field, v, out);
  const std::string_view name = NameOfSpecial(v);
  out->append(field).append(name.empty() ? "none" : name);
}

struct FieldText {
  std::string_view text;
  bool is_named;  // special values have names
};
// By CanonicalField.
constexpr FieldText kFields[] = {
    {" comm=", true},    {" peer=", true},  {" tag=", true},
    {" bytes=", false},  {" rpeer=", true}, {" rtag=", true},
    {" rbytes=", false}, {" root=", true},  {" n=", false}};

}  // namespace

std::string_view NameOfSpecial(int64_t value) {
  switch (value) {
    case kPeerAny:
    case kTagAny:
      return "any";
    case kPeerNull:
      return "null";
    case kPeerRoot:
      return "root";
    case kColorUndefined:
      return "undefined";
    case kNone:
      return "none";
    default:
      return {};
  }
}

std::string ValueText(int64_t value) {
  const std::string_view name = NameOfSpecial(value);
  return name.empty() ? std::to_string(value) : std::string(name);
}

void AppendCanonicalText(const Event& e, std::string* out) {
  out->append(Info(e.call()).name);
  ForEachCanonicalField(e, [&](CanonicalField field, int64_t value) {
    const FieldText& as = kFields[size_t(field)];
    if (as.is_named) {
      AppendNamed(as.text, value, out);
    } else {
      AppendNumber(as.text, value, out);
    }
  });
}

std::string CanonicalText(const Event& event) {
  std::string text;
  AppendCanonicalText(event, &text);
  return text;
}

}  // namespace ranksight::reduction
