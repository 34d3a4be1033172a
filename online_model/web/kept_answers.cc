#include "online_model/web/kept_answers.h"

#include <algorithm>
#include <utility>

namespace ranksight::online_model {

using reduction::Result;

uint64_t KeptAnswers::NextAsked() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return ++asked_;
}

std::optional<std::string> KeptAnswers::Kept(const RunGroup& group,
                                             const std::string& what) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto known = std::ranges::find_if(answers_, [&](const Answer& answer) {
    return answer.what == what && answer.of.HasRunsOf(group);
  });
  if (known == answers_.end()) return std::nullopt;
  answers_.splice(answers_.begin(), answers_, known);
  return known->text;
}

void KeptAnswers::Keep(Answer answer) {
  const std::lock_guard<std::mutex> lock(mutex_);
  // The runs that a group has only become others: what was asked for later is
  // of those that it has now.
  const bool is_late = std::ranges::any_of(answers_, [&](const Answer& other) {
    return other.of.id == answer.of.id && !other.of.HasRunsOf(answer.of) &&
           other.asked > answer.asked;
  });
  if (is_late) return;
  // What the group's runs were before, and what two found at once.
  answers_.remove_if([&](const Answer& old) {
    const bool is_stale =
        old.of.id == answer.of.id &&
        (old.what == answer.what || !old.of.HasRunsOf(answer.of));
    if (is_stale) bytes_ -= old.text.size();
    return is_stale;
  });
  bytes_ += answer.text.size();
  answers_.push_front(std::move(answer));
  while (bytes_ > most_bytes_ && answers_.size() > 1) {
    bytes_ -= answers_.back().text.size();
    answers_.pop_back();
  }
}

Result<std::string> KeptAnswers::Found(const RunGroup& group,
                                       const std::string& what,
                                       const Find& find, uint64_t asked) {
  if (auto kept = Kept(group, what)) return *std::move(kept);
  Result<std::string> found = find();
  if (found.ok()) Keep({group, what, *found, asked});
  return found;
}

Result<std::string> KeptAnswers::Of(const RunGroup& group,
                                    const std::string& what, const Find& find) {
  return Found(group, what, find, NextAsked());
}

Result<std::string> KeptAnswers::OfSearch(const RunGroup& group,
                                          const std::string& what,
                                          const Find& find) {
  // Before it waits for others: of the runs that the group had then.
  const uint64_t asked = NextAsked();
  if (auto kept = Kept(group, what)) return *std::move(kept);
  const std::lock_guard<std::mutex> lock(search_mutex_);
  return Found(group, what, find, asked);
}

}  // namespace ranksight::online_model
