#include "cli/monitor/watch.h"

#include "cli/base/lists.h"

namespace ranksight::cli {

using nlohmann::json;
using reduction::Result;
using reduction::Status;

Watch::Watch(online_model::PageAddress page, std::string program,
             std::vector<int64_t> ranks)
    : page_(std::move(page)),
      program_(std::move(program)),
      ranks_(std::move(ranks)) {}

Result<json> Watch::Ask(const std::string& path) const {
  const auto text = online_model::AskPage(page_, path);
  if (!text.ok()) return text.status();
  if (text->empty()) return json();
  json answer = json::parse(*text, nullptr, false);
  if (!answer.is_object()) {
    return Status::BadInput(page_.address + path + ":0: not an answer");
  }
  return answer;
}

Status Watch::Choose() {
  const json& groups = data_.state["groups"];
  data_.group = 0;
  bool found = false;
  for (size_t i = 0; i < groups.size() && !found; ++i) {
    found = group_.empty()
                ? program_.empty() || groups[i]["program"] == program_
                : groups[i]["id"] == group_;
    if (found) data_.group = i;
  }
  if (!found && !program_.empty() && group_.empty()) {
    return Status::No("the side-car has no run of " + program_);
  }
  if (!groups.empty()) group_ = groups[data_.group]["id"];
  return Status::Ok();
}

Result<bool> Watch::Update() {
  std::string path = "/api/state";
  if (!changed_ && data_.state.is_object()) {
    path += "?since=" + std::to_string(data_.state["version"].get<uint64_t>());
  }
  auto state = Ask(path);
  if (!state.ok()) return state.status();
  if (state->is_null()) return false;
  data_.state = std::move(state).value();
  changed_ = false;
  if (Status s = Choose(); !s.ok()) return s;
  data_.forecast = json();
  if (group_.empty()) return true;
  auto forecast =
      Ask("/api/forecast?group=" + group_ +
          (ranks_.empty() ? "" : "&ranks=" + JoinNumbers(ranks_, ",")));
  if (!forecast.ok()) return forecast.status();
  data_.forecast = std::move(forecast).value();
  return true;
}

void Watch::Turn(int by) {
  const json& groups = data_.state["groups"];
  if (groups.empty()) return;
  const size_t n = groups.size();
  group_ = groups[(data_.group + n + size_t(by + int(n))) % n]["id"];
  changed_ = true;
}

std::string Watch::ToJsonLine() const {
  const json line = {{"state", data_.state}, {"forecast", data_.forecast}};
  return line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace ranksight::cli
