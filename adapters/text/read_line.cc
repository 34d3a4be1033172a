#include "adapters/text/read_line.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <vector>

#include "reduction/api/canonical.h"

namespace ranksight::adapters {
namespace {

using reduction::Event;
using reduction::Param;
using reduction::Status;

// More requests than this in one call are a damaged line.
constexpr int64_t kMostRequests = 1 << 20;

}  // namespace

bool ReadValue(std::string_view text, bool tag, int64_t* value) {
  if (text == "any") {
    *value = tag ? reduction::kTagAny : reduction::kPeerAny;
  } else if (text == "null") {
    *value = reduction::kPeerNull;
  } else if (text == "root") {
    *value = reduction::kPeerRoot;
  } else if (text == "none") {
    *value = reduction::kNone;
  } else {
    const auto end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, *value);
    return result.ec == std::errc() && result.ptr == end &&
           *value <= reduction::kLargestKept &&
           *value >= -reduction::kLargestKept;
  }
  return true;
}

// Of all that is given, where the call gives every member as much.
int64_t LineReader::ShareOf(const Event& event, int64_t bytes) const {
  if (!reduction::GivesShares(event.call())) return bytes;
  return event.comm_size == reduction::kNotKept ? 0 : bytes / event.comm_size;
}

Status LineReader::Read(std::string_view line, Event* event) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::map<std::string, int64_t, std::less<>> fields;
  const size_t blank = std::min(line.find(' '), line.size());
  const reduction::CallInfo* info =
      reduction::FindCallByName(line.substr(0, blank));
  if (info == nullptr) {
    return Status::BadInput("unknown call " +
                            std::string(line.substr(0, blank)));
  }
  std::string_view rest = line.substr(blank);
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::string_view field = rest.substr(0, rest.find(' '));
    rest.remove_prefix(field.size());
    const size_t equals = field.find('=');
    int64_t value = 0;
    // On a communicator without a number nobody knows how many shares.
    if (field == "bytes=?" && reduction::GivesShares(info->call)) continue;
    if (equals == std::string_view::npos ||
        !ReadValue(field.substr(equals + 1), field.find("tag=") < 2, &value)) {
      return Status::BadInput("cannot read " + std::string(field));
    }
    fields.emplace(field.substr(0, equals), value);
  }
  const auto get = [&](std::string_view name) {
    const auto it = fields.find(name);
    return it == fields.end() ? 0 : it->second;
  };
  const int64_t n = get("n");
  if (n < 0 || (info->completes && n > kMostRequests)) {
    return Status::BadInput("no call has n=" + std::to_string(n));
  }
  const bool receives_too = line.find(" rbytes=") != std::string_view::npos;
  event->Reset(info->call);
  event->comm_size = sizes_.Of(get("comm"));
  std::vector<int64_t> array;
  for (const Param p : info->params) {
    switch (p) {
      case Param::kComm:
        event->Add(get("comm"));
        break;
      case Param::kPeer:
        event->Add(get("peer"));
        break;
      case Param::kTag:
        event->Add(get("tag"));
        break;
      case Param::kRecvPeer:
        event->Add(get("rpeer"));
        break;
      case Param::kRecvTag:
        event->Add(get("rtag"));
        break;
      case Param::kRoot:
        event->Add(get("root"));
        break;
      case Param::kCount:
        event->Add(ShareOf(*event, get("bytes")));
        break;
      case Param::kRecvCount:
        event->Add(receives_too ? get("rbytes") : 0);
        break;
      case Param::kTypeKind:
      case Param::kRecvTypeKind:
        event->Add(reduction::TypeCodeByName("MPI_BYTE"));
        break;
      case Param::kTypeSize:
      case Param::kRecvTypeSize:
        event->Add(1);
        break;
      case Param::kPartitions:
        event->Add(1);
        break;
      case Param::kCommSize:
        event->Add(n);
        break;
      case Param::kRequestCount:
        event->Add(info->completes ? n : 1);
        break;
      case Param::kRequests:
        array.assign(size_t(event->Get(reduction::LengthOf(event->call(), p))),
                     reduction::kRequestNull);
        event->AddArray(array);
        break;
      // Sums over ranks stand as the share of one.
      case Param::kPeerCount:
        event->Add(1);
        break;
      case Param::kRecvPeerCount:
        event->Add(1);
        break;
      case Param::kCounts:
        array = {get("bytes")};
        event->AddArray(array);
        break;
      case Param::kRecvCounts:
        array = {get("rbytes")};
        event->AddArray(array);
        break;
      case Param::kTypeKinds:
      case Param::kRecvTypeKinds:
        array = {reduction::TypeCodeByName("MPI_BYTE")};
        event->AddArray(array);
        break;
      case Param::kTypeSizes:
      case Param::kRecvTypeSizes:
        array = {1};
        event->AddArray(array);
        break;
      case Param::kTypeExcesses:
      case Param::kRecvTypeExcesses:
        array = {0};
        event->AddArray(array);
        break;
      default:
        if (reduction::IsArray(p)) {
          array.assign(
              size_t(event->Get(reduction::LengthOf(event->call(), p))), 0);
          event->AddArray(array);
        } else {
          event->Add(0);
        }
    }
  }
  if (reduction::CanonicalText(*event) != line) {
    return Status::BadInput("not in canonical form");
  }
  if (info->makes_comm) sizes_.Add(n);
  // One site for each call on one communicator with one tag.
  site_ = uint64_t(info->call) * 1000003u + uint64_t(get("comm")) * 8191u +
          uint64_t(get("tag") & 0xfff);
  return Status::Ok();
}

}  // namespace ranksight::adapters
