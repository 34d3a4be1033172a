#include "online_model/synthesize/laws_at_setting.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "online_model/structure/amount_law.h"
#include "online_model/synthesize/law_over_setting.h"
#include "online_model/synthesize/node_name.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;
using reduction::Result;
using reduction::Status;

class Builder {
 public:
  Builder(std::span<const LawsAtValue> known, int64_t wanted, int most_free,
          const OwnLaws& own, const reduction::Trace& like)
      : known_(known),
        wanted_(wanted),
        most_free_(most_free),
        own_(own),
        like_(like) {
    for (const LawsAtValue& k : known) {
      auto& grids = grids_.emplace_back();
      for (const int64_t n : k.laws.sizes) {
        grids.push_back(*k.laws.rule.GridFor(n));
      }
    }
  }

  Result<SymbolicLaws> Build() const {
    SymbolicLaws out = known_.back().laws;
    out.times = {};
    Status s = SetRule(&out);
    if (!s.ok()) return s;
    for (const LawsAtValue& k : known_) {
      out.powers_of_two |= k.laws.powers_of_two;
      for (size_t d = 0; d < out.only_sides.size(); ++d) {
        if (out.only_sides[d] == 0) out.only_sides[d] = k.laws.only_sides[d];
      }
    }
    std::vector<const NodeLaw*> roots;
    for (const LawsAtValue& k : known_) roots.push_back(&k.laws.root);
    s = SetChildren(roots, like_.root, &out.root);
    if (!s.ok()) return s;
    return out;
  }

 private:
  Status SetRule(SymbolicLaws* out) const {
    DimsRule& rule = out->rule;
    for (size_t d = 0; d < rule.mesh.size(); ++d) {
      std::vector<KnownAmount> sides;
      for (const LawsAtValue& k : known_) {
        const int64_t side = k.laws.rule.mesh[d];
        sides.push_back({k.value, side, side});
      }
      const auto law = FindAmountLaw(sides, wanted_, most_free_);
      const int64_t side = law ? law->LowAt(wanted_) : kNotWhole;
      if (side < 1 || side > INT32_MAX) {
        return Status::No("the mesh that the grid is made for has no law");
      }
      rule.mesh[d] = side;
    }
    return Status::Ok();
  }

  Status SetChildren(const std::vector<const NodeLaw*>& laws, const Node& like,
                     NodeLaw* out) const {
    for (size_t c = 0; c < like.children.size(); ++c) {
      std::vector<const NodeLaw*> children;
      for (const NodeLaw* law : laws) children.push_back(&law->children[c]);
      const Status s = SetNode(children, like.children[c], &out->children[c]);
      if (!s.ok()) return s;
    }
    return Status::Ok();
  }

  Status SetNode(const std::vector<const NodeLaw*>& laws, const Node& like,
                 NodeLaw* out) const {
    std::vector<LawAt> at;
    for (size_t i = 0; i < laws.size(); ++i) {
      at.push_back({known_[i].value, &laws[i]->trips, grids_[i]});
    }
    Status s = SetLaw(at, "how often it happens", like, &out->trips);
    for (size_t p = 0; s.ok() && p < out->params.size(); ++p) {
      at.clear();
      for (size_t i = 0; i < laws.size(); ++i) {
        if (laws[i]->absent[p]) continue;
        at.push_back({known_[i].value, &laws[i]->params[p], grids_[i]});
      }
      out->absent[p] = at.empty();
      if (at.empty()) continue;
      const auto param = reduction::Info(like.call).params[p];
      s = SetLaw(at, std::string(reduction::ParamName(param)), like,
                 &out->params[p]);
    }
    return s.ok() ? SetChildren(laws, like, out) : s;
  }

  Status SetLaw(const std::vector<LawAt>& laws, const std::string& what,
                const Node& like, SequenceLaw* out) const {
    const auto refused = [&](const char* why) {
      std::string text = NameOf(like, like_.sites) + ": " + what;
      for (const LawAt& l : laws) {
        text += (&l == &laws[0] ? " is " : ", ") + l.law->ToString() + " at " +
                std::to_string(l.value);
      }
      return Status::No(text + ": " + why);
    };
    const auto law = FindLawOverSetting(laws, wanted_, most_free_, own_);
    if (!law) return refused("no law over the values");
    auto made = law->At(wanted_);
    if (!made) return refused("no whole number at the value asked for");
    made->support = out->support;
    *out = std::move(*made);
    return Status::Ok();
  }

  const std::span<const LawsAtValue> known_;
  const int64_t wanted_;
  const int most_free_;
  const OwnLaws& own_;
  const reduction::Trace& like_;
  std::vector<std::vector<Grid>> grids_;  // of the runs at each value
};

}  // namespace

Result<SymbolicLaws> LawsAtSetting(std::span<const LawsAtValue> known,
                                   int64_t wanted, int most_free,
                                   const OwnLaws& own,
                                   const reduction::Trace& like) {
  return Builder(known, wanted, most_free, own, like).Build();
}

}  // namespace ranksight::online_model
