#include "reduction/queue/event_values.h"

#include <algorithm>
#include <map>

#include "reduction/api/contract.h"
#include "reduction/api/distribution.h"
#include "reduction/section/term.h"

namespace ranksight::reduction {
namespace {

// Doubling it lets events of twice as many values be kept by their nodes, and
// doubles what a cursor may take for each.
constexpr size_t kKept = 64;
// Events alike from which on reading the rest alone is less work than finding
// out that it will do; and how many are read before the next try where they
// are fewer.
constexpr uint64_t kWorthwhile = 8;
constexpr int kWait = 64;

constexpr int8_t kScalar = -1;

// For each parameter of the call, where that stands which says its length.
const std::vector<int8_t>& LengthPlaces(Call call) {
  static const std::map<Call, std::vector<int8_t>> places = [] {
    std::map<Call, std::vector<int8_t>> all;
    for (const CallInfo& info : AllCalls()) {
      for (size_t i = 0; i < info.params.size(); ++i) {
        all[info.call].push_back(IsArray(info.params[i])
                                     ? int8_t(LengthPlace(info.call, i))
                                     : kScalar);
      }
    }
    return all;
  }();
  static const std::vector<int8_t> none;
  const auto at = places.find(call);
  return at != places.end() ? at->second : none;
}

}  // namespace

size_t LengthPlace(Call call, size_t array) {
  RANKSIGHT_REQUIRE(array < Info(call).params.size());
  const auto params = Info(call).params;
  const auto at =
      std::find(params.begin(), params.end(), LengthOf(call, params[array]));
  return size_t(at - params.begin());
}

void RunValues::Pass(uint64_t values) {
  RANKSIGHT_REQUIRE(values <= left());
  while (values > 0) {
    if (run_ == 0) value_ = next_.NextRun(&run_);
    const uint64_t passed = std::min(run_, values);
    run_ -= passed;
    values -= passed;
  }
}

uint64_t RunValues::BlocksLikeLast(uint64_t length) const {
  RANKSIGHT_REQUIRE(length > 0);
  if (length == 1) return run_;
  if (section_->terms().size() != 1) return 0;
  const Term& term = section_->terms()[0];
  const uint64_t period = term.body.empty() ? 1 : TermsSize(term.body);
  const bool repeats = term.stride == 0 && length % period == 0;
  return repeats ? left() / length : 0;
}

void EventValues::Begin(const Node* node,
                        const std::vector<Section>& sections) {
  RANKSIGHT_REQUIRE(node != nullptr && node->is_event());
  node_ = node;
  length_places_ = &LengthPlaces(node->call);
  params_.clear();
  for (const Section& s : sections) params_.emplace_back(&s);
  alike_ = passed_ = 0;
  wait_ = 0;
  moving_.clear();
  still_.clear();
}

bool EventValues::ReadParameter(size_t i, Space* space) {
  std::vector<int64_t>& values = space->values;
  std::vector<uint32_t>& offsets = space->offsets;
  uint64_t wanted = 1;
  if ((*length_places_)[i] != kScalar) {
    const auto length = size_t((*length_places_)[i]);
    // Lengths stand before their arrays; one without a value leaves them empty.
    const bool is_known = length < i && offsets[length] < offsets[length + 1];
    wanted = is_known ? uint64_t(values[offsets[length]]) : 0;
  }
  if (node_->params[i].distribution() != nullptr) {
    if (wanted > 0) values.push_back(kNotKept);
  } else if (params_[i].left() >= wanted) {
    for (; wanted > 0; --wanted) values.push_back(params_[i].Next());
  } else {
    return false;
  }
  offsets.push_back(uint32_t(values.size()));
  return true;
}

Event* EventValues::Read(Space* space, size_t* parameter) {
  CatchUp();
  space->values.clear();
  space->offsets.assign(1, 0);
  for (size_t i = 0; i < length_places_->size(); ++i) {
    *parameter = i;
    if (!ReadParameter(i, space)) return nullptr;
  }
  const bool is_kept = space->values.size() <= kKept;
  Event& event = is_kept ? event_ : space->wide;
  event.Assign(node_->call, space->values, space->offsets);
  event.site = node_->site;
  if (is_kept && wait_-- == 0) LookAhead();
  return &event;
}

void EventValues::CatchUp() {
  for (const Part& part : still_) part.from->Pass(passed_ * part.count);
  still_.clear();
  moving_.clear();
}

bool EventValues::HasSteadyLength(size_t i) const {
  const int8_t length = (*length_places_)[i];
  if (length == kScalar) return true;
  const RunValues* const values = &params_[size_t(length)];
  return std::ranges::none_of(
      moving_, [values](const Part& part) { return part.from == values; });
}

void EventValues::LookAhead() {
  const auto params = Info(node_->call).params;
  uint64_t alike = UINT64_MAX;
  for (size_t i = 0; i < params.size() && alike >= kWorthwhile; ++i) {
    const std::span<int64_t> at = event_.MutableArray(params[i]);
    if (!HasSteadyLength(i)) alike = 0;
    if (at.empty() || node_->params[i].distribution() != nullptr) continue;
    const Part part{&params_[i], at.data(), uint32_t(at.size())};
    const uint64_t same = part.from->BlocksLikeLast(part.count);
    // Parts that stay as they are need no copying while the rest moves on.
    const bool is_still = same >= kWorthwhile;
    (is_still ? still_ : moving_).push_back(part);
    alike = std::min(alike, is_still ? same : part.from->left() / part.count);
  }
  if (alike < kWorthwhile) {
    alike = 0;
    moving_.clear();
    still_.clear();
    // Looking costs more than it gains here: not again for a while.
    wait_ = kWait;
  } else {
    wait_ = 0;
  }
  alike_ = passed_ = alike;
}

}  // namespace ranksight::reduction
