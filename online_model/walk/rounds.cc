#include "online_model/walk/rounds.h"

#include <algorithm>
#include <bit>

namespace ranksight::online_model {
namespace {

// An exchange of all with all of more ranks takes the formula: at twice as many
// a forecast of ten of them would take a minute.
constexpr size_t kMostMessages = size_t{1} << 18;

class Rounds {
 public:
  Rounds(const Network& network, CollectiveForm form, Traffic* traffic,
         std::vector<RoundMember>* members)
      : net_(network),
        stage_(network.stage[size_t(form)]),
        volume_(network.volume[size_t(form)]),
        traffic_(traffic),
        members_(*members),
        arrived_(members->size()) {}

  // Everybody sends to the member this far off, who sends back where ranks pair
  // up.
  void One(size_t far, double bytes) {
    const size_t n = members_.size();
    const bool is_long = bytes > net_.eager_limit;
    sent_.clear();
    for (size_t i = 0; i < n; ++i) {
      const size_t to = std::has_single_bit(n) ? i ^ far : (i + far) % n;
      const double leaves =
          members_[i].clock + net_.overhead * net_.machine.Message(0);
      const double starts = is_long || net_.pulled
                                ? std::max(leaves, members_[to].clock)
                                : leaves;
      arrived_[to] = traffic_->Travel(members_[i].rank, members_[to].rank,
                                      starts, bytes, stage_, volume_);
      sent_.push_back(is_long ? arrived_[to] : leaves);
    }
    for (size_t i = 0; i < n; ++i) {
      members_[i].clock = std::max(arrived_[i], sent_[i]);
    }
  }

 private:
  const Network& net_;
  const double stage_, volume_;
  Traffic* const traffic_;
  std::vector<RoundMember>& members_;
  std::vector<double> arrived_, sent_;
};

}  // namespace

bool InRounds(const Links* links, CollectiveForm form, size_t members) {
  if (links == nullptr) return false;
  return form == CollectiveForm::kTree || (form == CollectiveForm::kAlltoall &&
                                           members <= kMostMessages / members);
}

void WalkRounds(const Network& network, CollectiveForm form, double bytes,
                Traffic* traffic, std::vector<RoundMember>* members) {
  Rounds rounds(network, form, traffic, members);
  const size_t n = members->size();
  if (form == CollectiveForm::kTree) {
    for (size_t far = 1; far < n; far *= 2) rounds.One(far, bytes);
    return;
  }
  for (size_t far = 1; far < n; ++far) rounds.One(far, bytes / double(n));
}

}  // namespace ranksight::online_model
