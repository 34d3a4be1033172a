#include "cli/monitor/watch.h"

#include "cli/base/lists.h"

namespace ranksight::cli {
namespace {

using nlohmann::json;
using reduction::Result;
using reduction::Status;

// Answers are nested half as deep at most. Copying and printing take a frame
// of the stack for each level.
constexpr int kMostDepth = 16;

}  // namespace

Watch::Watch(Ask ask, std::string program, std::vector<int64_t> ranks)
    : ask_(std::move(ask)),
      program_(std::move(program)),
      ranks_(std::move(ranks)) {}

Result<json> Watch::AskFor(const std::string& path) const {
  const auto text = ask_(path);
  if (!text.ok()) return text.status();
  if (text->empty()) return json();
  const auto shallow = [](int depth, json::parse_event_t, const json&) {
    return depth < kMostDepth;
  };
  json answer = json::parse(*text, shallow, false);
  if (!answer.is_object()) return NotUnderstood();
  return answer;
}

Status Watch::Choose() {
  std::vector<std::string> ids;
  data_.group = 0;
  bool found = false;
  for (const json& group : data_.state.at("groups")) {
    const bool wanted =
        group_.empty() ? program_.empty() || group.at("program") == program_
                       : group.at("id") == group_;
    if (wanted && !found) data_.group = ids.size();
    found = found || wanted;
    ids.push_back(group.at("id").get<std::string>());
  }
  ids_ = std::move(ids);
  if (!found && !program_.empty() && group_.empty()) {
    return Status::No("the side-car has no run of " + program_);
  }
  if (!ids_.empty()) group_ = ids_[data_.group];
  return Status::Ok();
}

Result<bool> Watch::Update() {
  try {
    return UpdateOrThrow();
  } catch (const json::exception&) {
    data_ = {};
    return NotUnderstood();
  }
}

Result<bool> Watch::UpdateOrThrow() {
  std::string path = "/api/state";
  if (!changed_ && data_.state.is_object()) {
    const json& version = data_.state.at("version");
    path += "?since=" +
            std::to_string(version.get_ref<const json::number_unsigned_t&>());
  }
  auto state = AskFor(path);
  if (!state.ok()) return state.status();
  if (state->is_null()) return false;
  data_ = {std::move(state).value(), json()};
  changed_ = false;
  if (Status s = Choose(); !s.ok()) return s;
  if (group_.empty()) return true;
  auto forecast =
      AskFor("/api/forecast?group=" + group_ +
             (ranks_.empty() ? "" : "&ranks=" + JoinNumbers(ranks_, ",")));
  if (!forecast.ok()) return forecast.status();
  data_.forecast = std::move(forecast).value();
  return true;
}

void Watch::Turn(int by) {
  if (ids_.empty()) return;
  const size_t n = ids_.size();
  group_ = ids_[(data_.group + n + size_t(by + int(n))) % n];
  changed_ = true;
}

std::string Watch::ToJsonLine() const {
  const json line = {{"state", data_.state}, {"forecast", data_.forecast}};
  return line.dump(-1, ' ', true, json::error_handler_t::replace) + "\n";
}

}  // namespace ranksight::cli
