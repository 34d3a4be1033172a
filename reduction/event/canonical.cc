#include "reduction/api/canonical.h"

#include <charconv>
#include <string_view>

#include "reduction/api/call.h"

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

// Receives print what they post as `bytes`, so a call has `rbytes` only when
// it sends as well.
void AppendPayload(const Event& e, std::string* out) {
  const bool sends = e.Has(Param::kCount) || e.Has(Param::kCounts);
  const bool receives = e.Has(Param::kRecvCount) || e.Has(Param::kRecvCounts) ||
                        e.Has(Param::kRecvPeer);
  if (sends) {
    // A receive has only a receive side, everything else a send side.
    const int64_t sent = SendBytes(e);
    const int64_t bytes = receives ? sent : sent != 0 ? sent : RecvBytes(e);
    AppendNumber(" bytes=", bytes, out);
  }
  if (e.Has(Param::kRecvPeer)) {
    AppendNamed(" rpeer=", e.Get(Param::kRecvPeer), out);
    AppendNamed(" rtag=", e.Get(Param::kRecvTag), out);
  }
  if (receives) AppendNumber(" rbytes=", RecvBytes(e), out);
}

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
  const CallInfo& info = Info(e.call());
  out->append(info.name);
  if (e.Has(Param::kComm)) {
    AppendNamed(" comm=", e.Get(Param::kComm), out);
  }
  if (info.makes_comm) {
    return AppendNumber(" n=", e.Get(Param::kCommSize), out);
  }
  if (e.Has(Param::kPeer)) AppendNamed(" peer=", e.Get(Param::kPeer), out);
  if (e.Has(Param::kTag)) AppendNamed(" tag=", e.Get(Param::kTag), out);
  AppendPayload(e, out);
  if (e.Has(Param::kRoot)) AppendNamed(" root=", e.Get(Param::kRoot), out);
  if (info.completes) {
    AppendNumber(" n=", e.Get(Param::kRequestCount), out);
  }
}

std::string CanonicalText(const Event& event) {
  std::string text;
  AppendCanonicalText(event, &text);
  return text;
}

}  // namespace ranksight::reduction
