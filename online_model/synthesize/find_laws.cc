#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "online_model/structure/cut_whole.h"
#include "online_model/structure/evidence.h"
#include "online_model/structure/expression_pool.h"
#include "online_model/structure/find_there.h"
#include "online_model/structure/level_conditions.h"
#include "online_model/structure/line_forms.h"
#include "online_model/synthesize/begun_before.h"
#include "online_model/synthesize/find_excess.h"
#include "online_model/synthesize/find_on_components.h"
#include "online_model/synthesize/in_pieces.h"
#include "online_model/synthesize/known_laws.h"
#include "online_model/synthesize/levels_seen.h"
#include "online_model/synthesize/like_others.h"
#include "online_model/synthesize/list_text.h"
#include "online_model/synthesize/made_types.h"
#include "online_model/synthesize/missing_laws.h"
#include "online_model/synthesize/neighbour_lists.h"
#include "online_model/synthesize/node_law.h"
#include "online_model/synthesize/node_name.h"
#include "online_model/synthesize/node_patterns.h"
#include "reduction/api/distribution.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;
using reduction::Param;
using reduction::Result;
using reduction::Section;
using reduction::Status;
using reduction::Trace;

// Searches from the top on, after which laws hardly ever say more of others.
constexpr int kMostAgain = 3;

// Whether any law has a value only where several say the same.
bool AnyAgreed(const NodeLaw& root) {
  bool any = false;
  ForEachScalarLaw(root, [&any](const ScalarLaw& law) {
    ForEachExpression(law, [&any](const Expression& e) {
      any = any || e.op == Expression::Op::kAgreed;
    });
  });
  return any;
}

class LawFinder {
 public:
  LawFinder(std::span<const Trace> traces, std::span<const Grid> grids,
            const ExtrapolationRequest& request, bool parsed, bool certain)
      : traces_(traces),
        grids_(grids),
        parsed_(parsed),
        components_(traces, certain) {
    space_.ndims = grids[0].size();
    space_.certain = certain;
    space_.own = request.own_laws;
    if (request.stop) stop_ = request.stop;
    tell_share_ = request.tell_share;
  }

  uint64_t found() const { return found_; }
  // Goes on where something has no law, and marks it. `without` is known to
  // have none, and is not searched; it lives as long as this.
  void PassOverMissing(const NodeLaw* without) {
    passes_over_ = true;
    if (without != nullptr) known_missing_.Add(traces_[0].root, *without);
  }

  Result<NodeLaw> Find() {
    Nodes roots;
    Parents once;
    for (const Trace& t : traces_) {
      roots.push_back(&t.root);
      once.emplace_back(size_t(t.meta.ranks), Parent{1, {}});
    }
    NeighbourLists lists = CollectNeighbours(roots, grids_);
    space_.lists = std::move(lists.lists);
    space_.hints = std::move(lists.bit_orders);
    space_.hints.insert(space_.hints.end(), lists.partners.begin(),
                        lists.partners.end());
    const auto& of_components = components_.Hints();
    space_.hints.insert(space_.hints.end(), of_components.begin(),
                        of_components.end());
    posted_ = std::move(lists.posted);
    space_.cache = std::make_shared<LawCache>();
    space_.pools = std::make_shared<PoolCache>();
    space_.wholes = std::make_shared<std::set<int64_t>>();
    space_.cuts = std::make_shared<CutsSeen>();
    space_.said = std::make_shared<SaidParts>();
    CountPlaces(traces_[0].root);
    NodeLaw root;
    Status s = FindFromTop(roots, once, &root);
    if (levels_.end()) {
      // What levels some laws showed, others may follow as well.
      on_levels_ = true;
      space_.cache = std::make_shared<LawCache>();
      s = FindFromTop(roots, once, &root);
    } else if (like_others_.MayFollow() || made_types_.MayFollow() ||
               space_.cuts->HasNarrowed()) {
      if (space_.cuts->HasNarrowed() || waits_ ||
          space_.wholes->size() > wholes_before_) {
        space_.cache = std::make_shared<LawCache>();
      }
      // What was said so is made of what is not.
      if (space_.cuts->HasNarrowedToRare()) {
        space_.said = std::make_shared<SaidParts>();
      }
      like_others_.Take();
      made_types_.Take();
      s = FindFromTop(roots, once, &root);
    }
    // Later laws say what is enough for earlier ones: nothing but how often a
    // number is seen makes the parts of a law sure, or one of several that
    // agree at the inputs.
    for (int again = 0; again < kMostAgain; ++again) {
      const bool more_is_said = MoreIsSaid(root);
      if (!more_is_said && !FormsMayFindMore()) break;
      if (more_is_said) space_.cache = std::make_shared<LawCache>();
      s = FindFromTop(roots, once, &root);
    }
    if (!s.ok()) return s;
    return root;
  }

 private:
  const reduction::Sites& sites() const { return traces_[0].sites; }

  // One value of all is a law, however little fewer runs said.
  bool IsWithout(const Nodes& nodes, size_t param) const {
    return known_missing_.HasNoLaw(*nodes[0], param) && !OneValue(nodes, param);
  }

  Status FindFromTop(const Nodes& roots, const Parents& once, NodeLaw* root) {
    *root = {};
    found_ = 0;
    looked_at_ = 0;
    known_ = {};
    missing_ = Status::Ok();
    waits_ = false;
    for (auto& [line, forms] : forms_) forms->BeginSearch();
    said_before_ = space_.said->texts().size();
    wholes_before_ = space_.wholes->size();
    const Status s = FindChildren(roots, once, root);
    return s.ok() ? missing_ : s;
  }

  // Since the search began anew, and something may follow it.
  bool MoreIsSaid(const NodeLaw& root) const {
    return (waits_ && space_.said->texts().size() > said_before_) ||
           (space_.wholes->size() > wholes_before_ && AnyAgreed(root));
  }

  // Whether a line has laws of several forms, or none at some place, and the
  // others say which form that is.
  bool FormsMayFindMore() const {
    return std::any_of(forms_.begin(), forms_.end(), [this](const auto& f) {
      return f.second->MayFindMore(!missing_.ok());
    });
  }

  // The forms of the laws that the line has for a parameter; for how often it
  // is run where `param` is none, on so many loops below.
  static constexpr size_t kTripsFrom = 1000;
  std::shared_ptr<LineForms> FormsOf(const Node& node, size_t param) {
    const Node* event = &node;
    for (; !event->is_event(); event = &event->children[0]) ++param;
    auto& forms = forms_[KnownLaws::LineOf(*event, sites(), param)];
    if (forms == nullptr) forms = std::make_shared<LineForms>();
    return forms;
  }

  // Whether a search to come may find a law by what the line has elsewhere, or
  // at other places of a list.
  bool MayHaveForm(const Node& node, const LineForms& forms) const {
    if (!node.is_event()) return MayHaveForm(node.children[0], forms);
    return !forms.empty() ||
           places_.at(KnownLaws::LineOf(node, sites(), 0)) > 1;
  }

  void CountPlaces(const Node& node) {
    nodes_ += node.children.size();
    for (const Node& child : node.children) CountPlaces(child);
    if (node.is_event()) ++places_[KnownLaws::LineOf(node, sites(), 0)];
  }

  // Whether what has no law since the last call of this may have one once more
  // is said.
  bool MayWait() {
    const bool waits = space_.said->TakeTooLittle();
    waits_ = waits_ || waits;
    return waits;
  }

  Status FindChildren(const Nodes& nodes, const Parents& parents,
                      NodeLaw* law) {
    const NodeLaw* outside = std::exchange(around_, law);
    Status s = Status::Ok();
    for (size_t c = 0; s.ok() && c < nodes[0]->children.size(); ++c) {
      law->children.emplace_back();
      s = FindNode(ChildOf(nodes, c), nodes[0], parents, &law->children.back());
    }
    around_ = outside;
    return s;
  }

  Status FindNode(const Nodes& nodes, const Node* loop, const Parents& parents,
                  NodeLaw* law) {
    if (tell_share_) tell_share_(double(++looked_at_) / double(nodes_));
    if (const Status s = stop_(); !s.ok()) {
      return passes_over_ ? KeepConstants(nodes, law) : s;
    }
    if (known_missing_.HasNoTrips(*nodes[0])) return KeepConstants(nodes, law);
    std::vector<RankPattern> patterns;
    Parents mine;
    if (!CollectTrips(nodes, parents, false, &patterns, &mine)) {
      if (passes_over_) return KeepConstants(nodes, law);
      return Missing(*nodes[0], "trip count", {});
    }
    SearchSpace space = space_;
    space.counts = true;
    space.forms = FormsOf(*nodes[0], kTripsFrom);
    space.said->TakeTooLittle();
    if (on_levels_ && parsed_) space.levels = levels_.Of(loop);
    std::optional<SequenceLaw> trips;
    if (parsed_ && !nodes[0]->is_event()) {
      trips = in_pieces_.FindTrips(nodes, grids_, patterns, mine, space_);
    }
    if (!trips) trips = FindSequenceLaw(patterns, space, nullptr);
    if (!trips) {
      // 3 3 2 2 2 is a list over ranks, too, not two numbers and what follows.
      std::vector<RankPattern> lists;
      Parents inner;
      if (CollectTrips(nodes, parents, true, &lists, &inner) &&
          !SamePatterns(lists, patterns)) {
        trips = FindSequenceLaw(lists, space, nullptr);
        if (trips) patterns = std::move(lists), mine = std::move(inner);
      }
    }
    if (!trips) trips = components_.Find(patterns, space);
    // Also where there is a law, which may be the likelier one of two alone.
    const bool may_wait = MayWait();
    const bool waits =
        !trips && (may_wait || MayHaveForm(*nodes[0], *space.forms));
    if (!trips && passes_over_) return KeepConstants(nodes, law);
    if (!trips) {
      const Status missing = Missing(*nodes[0], "trip count", patterns);
      if (!waits) return missing;
      if (missing_.ok()) missing_ = missing;
      return Status::Ok();
    }
    law->trips = *trips;
    ++found_;
    levels_.CollectTrips(*trips, space.levels, space.ndims);
    if (on_levels_ && !parsed_) {
      levels_.FollowLevels(nodes[0], patterns, &law->trips);
    } else if (space.levels) {
      levels_.SitOutLevels(*nodes[0], *space.levels, space.ndims, patterns,
                           &law->trips);
    }
    path_.push_back(nodes[0]);
    const Status inside = nodes[0]->is_event()
                              ? FindParams(nodes, loop, mine, law)
                              : FindChildren(nodes, mine, law);
    path_.pop_back();
    return inside;
  }

  // How often each rank runs a node, and what is around its children. whole: as
  // one list, see WholeListOf. False where a list is too long.
  bool CollectTrips(const Nodes& nodes, const Parents& parents, bool whole,
                    std::vector<RankPattern>* patterns, Parents* mine) const {
    for (size_t t = 0; t < nodes.size(); ++t) {
      mine->emplace_back();
      for (int64_t r = 0; r < traces_[t].meta.ranks; ++r) {
        const Parent& parent = parents[t][size_t(r)];
        const Section s = nodes[t]->trips.At(r);
        Parent inner{uint64_t(s.Sum()), {}};
        if (parent.iterations != 0) {
          Pattern p{{}, {0}};
          if (!s.empty()) {
            auto found = whole ? WholeListOf(s) : PatternOf(s);
            if (!found) return false;
            p = std::move(*found);
          }
          inner.rounds = Around(Within(parent.rounds, p), p);
          patterns->push_back(
              {Context(grids_[t], r), std::move(p), parent.rounds, {}});
        }
        mine->back().push_back(std::move(inner));
      }
    }
    return true;
  }

  static bool SamePatterns(std::span<const RankPattern> a,
                           std::span<const RankPattern> b) {
    return std::equal(
        a.begin(), a.end(), b.begin(), b.end(),
        [](const auto& x, const auto& y) { return x.pattern == y.pattern; });
  }

  Status FindParams(const Nodes& nodes, const Node* loop, const Parents& rounds,
                    NodeLaw* law) {
    const auto params = reduction::Info(nodes[0]->call).params;
    law->params.resize(params.size());
    law->absent.resize(params.size(), false);
    law->missing.resize(params.size(), false);
    std::shared_ptr<const Neighbours> own;
    std::optional<int> along;
    std::vector<ScalarLaw> lengths;
    ExpressionPtr is_root, partner;
    bool waits = false;  // what follows may be of what has no law yet
    space_.said->TakeTooLittle();
    // Ranks first: what else an event carries may follow its neighbours.
    for (const bool ranked : {true, false}) {
      for (size_t i = 0; i < params.size(); ++i) {
        if (reduction::IsRank(params[i]) != ranked) continue;
        // Lists of arrays are longer than there are runs.
        const bool array = reduction::IsArray(params[i]);
        const Status goes_on = stop_();
        if (!goes_on.ok() && !passes_over_) return goes_on;
        auto patterns = PatternsOf(nodes, grids_, i, array ? nullptr : &rounds);
        if (array && patterns) AddLengths(nodes, grids_, params[i], &*patterns);
        const std::string name(reduction::ParamWords(params[i]));
        const bool is_over = (!goes_on.ok() || IsWithout(nodes, i)) &&
                             (!patterns || !patterns->empty());
        if (is_over || (!patterns && passes_over_)) {
          law->missing[i] = true;
          continue;
        }
        if (!patterns) return Missing(*nodes[0], name, {});
        law->absent[i] = patterns->empty();
        if (patterns->empty()) continue;
        SearchSpace space = space_;
        space.ranked = ranked;
        space.along = along;
        space.room = reduction::OnlyReceives(nodes[0]->call) &&
                     reduction::IsAmount(params[i]);
        space.room_for_all = space.room && !along && HasOneValueEach(*patterns);
        space.lengths = lengths;
        space.points =
            parsed_ && on_levels_ && (ranked || reduction::IsAmount(params[i]));
        if (on_levels_) space.levels = levels_.Of(loop);
        if (space.levels) {
          const auto part =
              LevelPartOf(law->trips.values[0], *space.levels, space.ndims);
          if (part && !part->all_sides) space.parts_from = part->first;
        }
        if (reduction::IsAmount(params[i])) space.forms = FormsOf(*nodes[0], i);
        space.counts =
            params[i] == Param::kRequestCount || params[i] == Param::kOpenCount;
        if (space.counts || params[i] == Param::kRequests) {
          space.posted = posted_;
        }
        auto found = params[i] == Param::kDims
                         ? FindSides(*patterns, space.ndims)
                         : std::nullopt;
        if (params[i] == Param::kCommSize) {
          found = FindPartOfGrid(nodes[0]->call, *law, *patterns);
          if (!found) found = components_.FindSize(*patterns);
        }
        if (space.counts && loop != nullptr && !OneValue(nodes, i)) {
          found = FindBegunBefore(*loop, *around_, around_->children.size() - 1,
                                  *patterns);
        }
        if (!found && parsed_) {
          found = known_.Find(*nodes[0], sites(), i, *patterns);
        }
        if (!found)
          found = made_types_.Find(nodes[0]->call, i, *law, *patterns);
        if (!found) found = in_pieces_.FindAmount(nodes, i, *patterns);
        if (!found) found = FindExcess(nodes, i, *law, *patterns, space);
        if (!found && IsOnPart(nodes) && !OneValue(nodes, i)) {
          found = components_.FindOfOwn(*patterns, space);
        }
        if (!found) {
          found = FindSequenceLaw(*patterns, space, own);
          if (!found && (!array || HasPlacesEach(*patterns))) {
            found = FindInWholeLists(nodes, i, array ? nullptr : &rounds,
                                     *patterns, space);
          }
          if (!found && is_root != nullptr) {
            found = FindSequenceLaw(*patterns, WithHint(space, is_root), own);
          }
          if (!found) found = components_.Find(*patterns, space);
          // Of two laws the shorter one, most often that of the partner.
          if (partner != nullptr && !ranked &&
              (!found || found->Uses(Feature::Kind::kPosition, 0))) {
            auto of_partner = FindSequenceLaw(
                *patterns, WithPartner(space, partner, !found), own);
            if (of_partner && (!found || of_partner->cost() < found->cost())) {
              found = std::move(of_partner);
            }
            if (!found) {
              found = components_.FindOfPartner(
                  *patterns, WithPartner(space, partner, true));
            }
          }
          if (MayBeLikeOthers(params[i]) && !on_levels_) {
            like_others_.Look(*patterns, space_, &found);
          }
          if (found && !ranked) known_.Add(*nodes[0], sites(), i, *found);
        }
        // Of one face, until all are said.
        if (found && space.room_for_all) MayWait();
        waits = (!found && MayWait()) || waits;
        if (!found && passes_over_) {
          law->missing[i] = true;
          continue;
        }
        if (!found) {
          const Status missing = Missing(*nodes[0], name, *patterns);
          // An amount may follow the levels that further laws show, or be like
          // those across other sides, or be of a type made later.
          const bool may_follow =
              waits || (space.forms && MayHaveForm(*nodes[0], *space.forms)) ||
              (!on_levels_ &&
               ((IsTypeLength(params[i]) &&
                 (waits_ || made_types_.IsWaiting())) ||
                (reduction::IsAmount(params[i]) && parsed_) ||
                (MayBeLikeOthers(params[i]) && like_others_.IsWaiting())));
          if (!may_follow) return missing;
          if (missing_.ok()) missing_ = missing;
          continue;
        }
        if (found->peers) own = found->list;
        if (found->form == SequenceLaw::Form::kByElement) {
          lengths.push_back(found->length);
        }
        if (ranked) along = SideOf(*patterns);
        if (NamesNeighbours(params[i]) && found->values.size() == 1) {
          partner = PartnerOf(found->values[0]);
        }
        if (params[i] == Param::kRoot) is_root = IsRoot(*found);
        if (!on_levels_ && !ranked) {
          levels_.CollectAmount(*found, path_, loop);
          if (reduction::IsAmount(params[i])) {
            levels_.CollectAsElsewhere(*found, *patterns, space, path_, loop);
          }
        }
        law->params[i] = *found;
        ++found_;
        if (params[i] == Param::kDims) NoteNumbers(*found);
        NoteDealt(*found, *patterns);
      }
    }
    return Status::Ok();
  }

  // What messages carry, what datatypes are made of, and what is in a window.
  static bool MayBeLikeOthers(Param p) {
    return reduction::IsAmount(p) || p == Param::kItemCount ||
           p == Param::kBlock || p == Param::kStride || p == Param::kSize;
  }

  // How many ranks a part of a Cartesian grid has: of the sides that the call
  // keeps, which may be alike in all runs.
  std::optional<SequenceLaw> FindPartOfGrid(
      reduction::Call call, const NodeLaw& law,
      std::span<const RankPattern> sizes) const {
    if (call != reduction::Call::MPI_Cart_sub_) return std::nullopt;
    const auto kept = size_t(reduction::ParamPlace(call, Param::kRemain));
    return FindSidesKept(sizes, law.params[kept], space_.ndims);
  }

  // Whether a rank is the root, where all have one law for that; else nullptr.
  static ExpressionPtr IsRoot(const SequenceLaw& roots) {
    if (roots.values.size() != 1 || !roots.prefix.empty()) return nullptr;
    ExpressionPtr root = ExpressionOf(roots.values[0]);
    if (root == nullptr) return root;
    return Combine(Expression::Op::kEqual, std::move(root),
                   FeatureExpression(Feature::Kind::kRank));
  }

  // What was searched without it says nothing of what there is with it.
  static SearchSpace WithHint(SearchSpace space, const ExpressionPtr& hint) {
    space.hints.push_back(hint);
    space.cache = std::make_shared<LawCache>();
    space.pools = std::make_shared<PoolCache>();
    return space;
  }

  // certain: whether its law must be, as no other one is known.
  static SearchSpace WithPartner(SearchSpace space, ExpressionPtr partner,
                                 bool certain) {
    space.partner = std::move(partner);
    space.certain = space.certain && certain;
    space.cache = std::make_shared<LawCache>();
    return space;
  }

  // What the program says of its arrays is the same in all runs.
  void NoteNumbers(const SequenceLaw& sizes) const {
    ForEachScalarLaw(sizes, [this](const ScalarLaw& law) {
      if (!law.IsOneNumber()) return;
      space_.said->AddNumber(law.constant);
      space_.cuts->AddSide(law.constant);
    });
  }

  // What goes round ranks in a loop is dealt to them: so many are shared out.
  void NoteDealt(const SequenceLaw& law,
                 std::span<const RankPattern> patterns) const {
    if (law.form != SequenceLaw::Form::kByIteration) return;
    const auto loop = size_t(law.loop);
    if (loop >= patterns[0].rounds.size() || law.step != 1) return;
    const auto count = patterns[0].rounds[loop].iterations;
    const bool same =
        count > 1 && std::ranges::all_of(patterns, [&](const RankPattern& p) {
          return p.rounds[loop].iterations == count;
        });
    bool goes_round = false;
    ForEachScalarLaw(law, [&goes_round](const ScalarLaw& v) {
      const ExpressionPtr law_of_place = ExpressionOf(v);
      if (law_of_place == nullptr) return;
      ForEachExpression(*law_of_place, [&goes_round](const Expression& e) {
        goes_round = goes_round || (e.op == Expression::Op::kRemainder &&
                                    e.a->Uses(Feature::Kind::kPosition, 0));
      });
    });
    if (same && goes_round) space_.wholes->insert(int64_t(count));
  }

  // The value of all ranks of all inputs, where there is one.
  static std::optional<int64_t> OneValue(const Nodes& nodes, size_t param) {
    std::optional<int64_t> one;
    for (const Node* n : nodes) {
      for (const auto& [rank, values] : n->params[param].ByRank()) {
        if (!values.IsConstant()) return std::nullopt;
        if (one.value_or(values.At(0)) != values.At(0)) return std::nullopt;
        one = values.At(0);
      }
    }
    return one;
  }

  // Whether the call is on one communicator that is not the world's, nor of a
  // rank alone.
  static bool IsOnPart(const Nodes& nodes) {
    const int comm = reduction::ParamPlace(nodes[0]->call, Param::kComm);
    return comm >= 0 && OneValue(nodes, size_t(comm)).value_or(0) > 1;
  }

  // Of a node whose trips have no law: nothing can follow them.
  Status KeepConstants(const Nodes& nodes, NodeLaw* law) {
    law->trips_missing = true;
    for (size_t c = 0; c < nodes[0]->children.size(); ++c) {
      law->children.emplace_back();
      (void)KeepConstants(ChildOf(nodes, c), &law->children.back());
    }
    if (!nodes[0]->is_event()) return Status::Ok();
    const size_t count = reduction::Info(nodes[0]->call).params.size();
    law->params.resize(count);
    law->absent.resize(count, false);
    law->missing.resize(count, true);
    for (size_t i = 0; i < count; ++i) {
      law->absent[i] =
          std::all_of(nodes.begin(), nodes.end(),
                      [i](const Node* n) { return n->params[i].empty(); });
      const auto value = OneValue(nodes, i);
      law->missing[i] = !law->absent[i] && !value;
      if (!value) continue;
      law->params[i].values = {ScalarLaw()};
      law->params[i].values[0].constant = *value;
    }
    return Status::Ok();
  }

  // Whether arrays are as short as what a list has for each rank.
  static bool HasPlacesEach(std::span<const RankPattern> arrays) {
    return std::all_of(arrays.begin(), arrays.end(), [](const RankPattern& p) {
      return p.lengths.size() == 1 && p.lengths[0] <= kMostPlacesEach;
    });
  }

  // Where a list looks like a shorter one that is gone through several times,
  // and then cut short.
  std::optional<SequenceLaw> FindInWholeLists(
      const Nodes& nodes, size_t param, const Parents* rounds,
      const std::vector<RankPattern>& seen, const SearchSpace& space) const {
    auto whole = PatternsOf(nodes, grids_, param, rounds, true);
    if (!whole || SamePatterns(seen, *whole)) return std::nullopt;
    for (size_t i = 0; i < seen.size(); ++i) {
      (*whole)[i].lengths = seen[i].lengths;
    }
    return FindSequenceLaw(*whole, space, nullptr);
  }

  // Of an excess, by the law of the size, which stands before it.
  std::optional<SequenceLaw> FindExcess(const Nodes& nodes, size_t param,
                                        const NodeLaw& law,
                                        std::span<const RankPattern> excesses,
                                        const SearchSpace& space) const {
    const auto params = reduction::Info(nodes[0]->call).params;
    if (!IsExcess(params[param]) || param == 0 ||
        law.params[param - 1].values.empty()) {
      return std::nullopt;
    }
    const auto sizes = PatternsOf(nodes, grids_, param - 1, nullptr);
    if (!sizes) return std::nullopt;
    return FindExcessLaw(excesses, *sizes, law.params[param - 1], space);
  }

  // Whether each rank has one value alone, over and over.
  static bool HasOneValueEach(std::span<const RankPattern> patterns) {
    return std::ranges::all_of(patterns, [](const RankPattern& p) {
      return p.pattern.period.size() == 1;
    });
  }

  // The side of the grid along which all these ranks are.
  static std::optional<int> SideOf(std::span<const RankPattern> ranks) {
    std::optional<int> side;
    for (const RankPattern& p : ranks) {
      for (const int64_t to : p.pattern.period) {
        if (to < 0 || to >= p.where.ranks()) return std::nullopt;
        const Coordinates at = p.where.grid->At(to);
        for (int d = 0; d < p.where.grid->size(); ++d) {
          if (at[size_t(d)] == p.where.at[size_t(d)]) continue;
          if (side.value_or(d) != d) return std::nullopt;
          side = d;
        }
      }
    }
    return side;
  }

  Status Missing(const Node& node, const std::string& what,
                 std::span<const RankPattern> patterns) const {
    std::string text = "no law for the " + what + " of ";
    text += NameOf(node, sites());
    // The last ranks of the largest input show most, unless they are alike.
    std::vector<const RankPattern*> shown;
    for (size_t k = patterns.size(); k-- > 0 && shown.size() < 3;) {
      const RankPattern& p = patterns[k];
      if (!shown.empty() && shown.back()->pattern.period == p.pattern.period) {
        continue;
      }
      text += (shown.empty() ? ": " : "; ") + std::string("rank ") +
              std::to_string(p.where.rank) + " of " +
              std::to_string(p.where.ranks()) + " has " +
              ListText(p.pattern.period);
      shown.push_back(&p);
    }
    // No advice: of drawn programs refused so one in eighteen has laws from one
    // size more.
    return Status::No(text);
  }

  std::span<const Trace> traces_;
  std::span<const Grid> grids_;
  bool parsed_, passes_over_ = false;
  SearchSpace space_;
  Stop stop_ = [] { return Status::Ok(); };
  std::function<void(double)> tell_share_;
  uint64_t nodes_ = 0,
           looked_at_ = 0;  // of the tree, without the root
  NeighbourLists::Lists posted_;
  KnownLaws known_;
  std::map<KnownLaws::Line, std::shared_ptr<LineForms>> forms_;
  std::map<KnownLaws::Line, size_t> places_;  // nodes of the line
  LevelsSeen levels_;
  LikeOthers like_others_;
  ComponentLaws components_;
  const NodeLaw* around_ = nullptr;  // of the loop that is being gone through
  MadeTypes made_types_;
  InPieces in_pieces_;
  MissingLaws known_missing_;      // by node of the first trace
  std::vector<const Node*> path_;  // to the node at hand
  bool on_levels_ = false;
  bool waits_ = false;  // some law is a matter of what others say
  size_t wholes_before_ = 0;
  size_t said_before_ = 0;         // parts of laws, when the search began anew
  Status missing_ = Status::Ok();  // the first law, where others were found
  uint64_t found_ = 0;
};

}  // namespace

ExtrapolationRequest PartOf(const ExtrapolationRequest& request, double from,
                            double part) {
  ExtrapolationRequest of_part = request;
  if (const auto& tell = request.tell_share) {
    of_part.tell_share = [tell, from, part](double share) {
      tell(from + share * part);
    };
  }
  return of_part;
}

Result<NodeLaw> FindLaws(std::span<const Trace> traces,
                         std::span<const Grid> grids,
                         const ExtrapolationRequest& request, bool parsed,
                         bool certain, uint64_t* found) {
  LawFinder finder(traces, grids, request, parsed, certain);
  auto law = finder.Find();
  *found = finder.found();
  return law;
}

NodeLaw FindLawsThatThereAre(std::span<const Trace> traces,
                             std::span<const Grid> grids,
                             const ExtrapolationRequest& request,
                             const NodeLaw* without) {
  LawFinder finder(traces, grids, request, false, true);
  finder.PassOverMissing(without);
  auto law = finder.Find();
  return law.ok() ? std::move(*law) : NodeLaw();
}

}  // namespace ranksight::online_model
