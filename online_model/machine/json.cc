#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "online_model/api/machine.h"
#include "reduction/api/codec.h"

namespace ranksight::online_model {
namespace {

using nlohmann::json;
using reduction::Result;
using reduction::Status;

Result<json> Parse(std::string_view text) {
  try {
    json all = json::parse(text);
    if (!all.is_object()) return Status::BadInput("0: no JSON object");
    return all;
  } catch (const json::parse_error& e) {
    return Status::BadInput(
        std::to_string(e.byte - std::min<size_t>(e.byte, 1)) + ": no JSON");
  } catch (const json::out_of_range&) {
    return Status::BadInput("0: a number is too large");
  }
}

constexpr int64_t kMostRanks = int64_t{1} << 32;

bool IsAboveZero(const json& value) {
  return value.is_number() && std::isfinite(value.get<double>()) &&
         value.get<double>() > 0;
}

Status Wrong(const std::string& what) { return Status::BadInput("0: " + what); }

// A name as it stands in a file, on one line.
std::string Quoted(const std::string& name) {
  return json(name).dump(-1, ' ', true, json::error_handler_t::replace);
}

Status ReadMessages(const json& list, const char* what,
                    std::vector<AtBytes>* out) {
  if (!list.is_array()) return Wrong("messages is no array");
  for (const json& entry : list) {
    const bool has = entry.is_object() && entry.size() == 2 &&
                     entry.contains("bytes") && entry.contains(what);
    if (!has || !entry["bytes"].is_number() || !IsAboveZero(entry[what])) {
      return Wrong(std::string("a message has bytes and a ") + what +
                   " above 0, and nothing else");
    }
    const AtBytes read{entry["bytes"], entry[what]};
    const double least =
        out->empty() ? 0 : std::nextafter(out->back().bytes, INFINITY);
    if (!(read.bytes >= least) || !std::isfinite(read.bytes)) {
      return Wrong("the bytes of messages do not ascend from 0 on");
    }
    out->push_back(read);
  }
  return Status::Ok();
}

Status ReadKernels(const json& all, std::map<std::string, double>* out) {
  if (!all.is_object()) return Wrong("kernels is no object");
  for (const auto& [name, value] : all.items()) {
    if (!IsAboveZero(value)) {
      return Wrong("kernel " + Quoted(name) + " is not above 0");
    }
    (*out)[name] = value;
  }
  return Status::Ok();
}

}  // namespace

Result<MachineTimes> ParseTimes(std::string_view text) {
  const Result<json> all = Parse(text);
  if (!all.ok()) return all.status();
  if (!all->contains("kernels") || !all->contains("messages")) {
    return Wrong("times of a machine have kernels and messages");
  }
  MachineTimes times;
  Status s = ReadKernels((*all)["kernels"], &times.kernels);
  if (s.ok()) s = ReadMessages((*all)["messages"], "seconds", &times.messages);
  if (!s.ok()) return s;
  if (all->contains("ranks")) {
    const json& ranks = (*all)["ranks"];
    if (!ranks.is_number_integer() || ranks < 1 || ranks > kMostRanks) {
      return Wrong("ranks is no number of ranks");
    }
    times.ranks = ranks;
  }
  if (all->contains("pulled")) {
    if (!(*all)["pulled"].is_boolean()) return Wrong("pulled is no boolean");
    times.pulled = (*all)["pulled"].get<bool>();
  }
  return times;
}

Result<MachineRatios> ParseRatios(std::string_view text) {
  const Result<json> all = Parse(text);
  if (!all.ok()) return all.status();
  MachineRatios ratios;
  for (const auto& [key, value] : all->items()) {
    Status s;
    if (key == "compute" && IsAboveZero(value)) {
      ratios.compute = value;
    } else if (key == "compute") {
      s = Wrong("compute is no number above 0");
    } else if (key == "kernels") {
      s = ReadKernels(value, &ratios.kernels);
    } else if (key == "messages") {
      s = ReadMessages(value, "ratio", &ratios.messages);
    } else {
      s = Wrong("ratios of machines have no " + Quoted(key));
    }
    if (!s.ok()) return s;
  }
  return ratios;
}

namespace {

template <class Read>
Result<Read> ReadFile(const std::string& path,
                      Result<Read> (*parse)(std::string_view)) {
  const auto bytes = reduction::ReadWholeFile(path);
  if (!bytes.ok()) return bytes.status();
  Result<Read> read =
      parse({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  if (read.ok()) return read;
  return Status(read.status().code(), path + ":" + read.status().message());
}

}  // namespace

Result<MachineTimes> ReadTimes(const std::string& path) {
  return ReadFile(path, &ParseTimes);
}

Result<MachineRatios> ReadRatios(const std::string& path) {
  return ReadFile(path, &ParseRatios);
}

std::string ToJson(const MachineRatios& ratios) {
  json out = {{"compute", ratios.compute}, {"kernels", ratios.kernels}};
  json& messages = out["messages"] = json::array();
  for (const AtBytes& m : ratios.messages) {
    messages.push_back({{"bytes", m.bytes}, {"ratio", m.value}});
  }
  return out.dump(2) + "\n";
}

}  // namespace ranksight::online_model
