#include "reduction/api/occurrences.h"

#include "reduction/api/contract.h"

namespace ranksight::reduction {

Occurrences::Occurrences(const Node& node, int64_t rank, const CommSizes* sizes)
    : node_(node), sizes_(sizes) {
  RANKSIGHT_REQUIRE(node.is_event());
  const Section trips = node.trips.At(rank);
  left_ = static_cast<uint64_t>(trips.Sum());
  for (const Parameter& parameter : node.params) {
    sections_.push_back(parameter.At(rank));
  }
  for (const Section& section : sections_) {
    cursors_.emplace_back(&section);
  }
}

bool Occurrences::Next() {
  if (left_ == 0) return false;
  --left_;
  event_.Reset(node_.call);
  event_.site = node_.site;
  const auto params = Info(node_.call).params;
  for (size_t i = 0; i < params.size() && i < cursors_.size(); ++i) {
    const Param param = params[i];
    const int64_t length =
        IsArray(param) ? event_.Get(LengthOf(node_.call, param)) : 1;
    // A damaged trace may say so: then there are no more.
    if (length < 0 || static_cast<uint64_t>(length) > cursors_[i].left()) {
      left_ = 0;
      return false;
    }
    values_.clear();
    for (int64_t k = 0; k < length; ++k) values_.push_back(cursors_[i].Next());
    if (IsArray(param)) {
      event_.AddArray(values_);
    } else {
      event_.Add(values_[0]);
    }
  }
  if (sizes_ != nullptr) {
    event_.comm_size = sizes_->Of(event_.Get(Param::kComm));
  }
  return event_.Complete();
}

}  // namespace ranksight::reduction
