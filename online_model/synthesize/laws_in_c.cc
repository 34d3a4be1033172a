#include "online_model/api/laws_in_c.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "online_model/synthesize/carried_laws.h"
#include "online_model/synthesize/law_code.h"
#include "online_model/synthesize/symbolic.h"

namespace ranksight::online_model {
namespace {

using reduction::Result;
using reduction::Status;
using reduction::Trace;
using Op = Expression::Op;

std::string Text(int64_t v) {
  if (v == reduction::kPeerAny) return "ANY_PEER";
  if (v == reduction::kPeerNull) return "NULL_PEER";
  if (v == reduction::kPeerRoot) return "ROOT_PEER";
  if (v == reduction::kTagAny) return "TAG_ANY";
  if (v == reduction::kColorUndefined) return "NO_COLOR";
  return std::to_string(v);
}

std::string Call(const std::string& name, const std::string& a,
                 const std::string& b) {
  return name + "(" + a + ", " + b + ")";
}

// Throws a Status where something has no form; it never leaves this file.
class CWriter {
 public:
  const std::string& lists() const { return definitions_; }

  std::string Of(const ScalarLaw& law) {
    using Kind = ScalarLaw::Kind;
    switch (law.kind) {
      case Kind::kAffine:
        return Affine(law);
      case Kind::kNeighbour:
        return law.on_line ? Call("along_ranks", Text(law.by[0]),
                                  law.periodic != 0 ? "1" : "0")
                           : Call("neighbour", Steps(law.by),
                                  std::to_string(law.periodic));
      case Kind::kXor:
        return "(rank ^ " + Text(law.constant) + ")";
      case Kind::kGuarded:
        return "(" + Of(law.condition) + " == 1 ? " + Text(law.constant) +
               " : " + Of(*law.otherwise) + ")";
      case Kind::kExpression:
        return Of(*law.expression);
      case Kind::kThere:
        return There(law);
      case Kind::kBlock:
        return Block(law);
    }
    return "";
  }

  std::string There(const ScalarLaw& law) {
    const std::string each = std::to_string(law.each());
    const std::string place =
        std::exchange(place_, law.each() > 1 ? "(k % " + each + ")" : place_);
    const std::string there = Of(*law.otherwise);
    place_ = place;
    return law.each() > 1 ? "(go_there(k / " + each + ", n / " + each +
                                "), back(" + there + "))"
                          : "(go_there(k, n), back(" + there + "))";
  }

  std::string Of(const Feature& f) {
    using Kind = Feature::Kind;
    const std::string i = std::to_string(f.index);
    switch (f.kind) {
      case Kind::kRanks:
        return "ranks";
      case Kind::kRank:
        return "rank";
      case Kind::kDim:
        return "d" + i;
      case Kind::kCoord:
        return "x" + i;
      case Kind::kFirst:
        return "(x" + i + " == 0)";
      case Kind::kLast:
        return "(x" + i + " == d" + i + " - 1)";
      case Kind::kPerDim:
        return "(ranks / d" + i + ")";
      case Kind::kLog2:
        return "log_2(ranks)";
      case Kind::kPosition:
        return place_;
      case Kind::kLength:
        return "n";
      case Kind::kDegree:
        return "degree(&" + List(*f.list) + ")";
      case Kind::kZeroRank:
        return "(rank == 0)";
      case Kind::kEndRank:
        return "(rank == ranks - 1)";
      case Kind::kLog2Dim:
        return "log_2(d" + i + ")";
      case Kind::kBack:
        return "(n - 1 - k)";
      case Kind::kPower:
        return "power_2(k)";
      case Kind::kBackPower:
        return "power_2(n - 1 - k)";
      case Kind::kFirstPlace:
        return "(k == 0)";
      case Kind::kLastPlace:
        return "(k == n - 1)";
      case Kind::kTwos:
        return Call("twos", "x" + i, "d" + i);
      case Kind::kLeft:
        return "(d" + i + " - x" + i + ")";
      case Kind::kTransposed:
        return "transposed()";
      case Kind::kAlone:
        return "(ranks == 1)";
      case Kind::kCoarsest:
        return "coarsest(0)";
      case Kind::kCoarsestFromOne:
        return "coarsest(1)";
      case Kind::kOtherRank:
        return "(rank != 0)";
      case Kind::kStageSum:
        return "(log_2(ranks) * (log_2(ranks) + 1) / 2)";
      case Kind::kStages:
        return "log_2(2 * ranks - 1)";
      case Kind::kZeros:
        return "zeros()";
      case Kind::kLowBit:
        return "power_2(zeros())";
      case Kind::kStagesLeft:
        return "log_2(2 * (ranks - rank) - 1)";
      case Kind::kAbove:
        return "power_2(bits_of(rank))";
      case Kind::kChildren:
        return "tree_children()";
      case Kind::kWithBit:
        return "with_bit(ranks, k)";
      case Kind::kPowerLeft:
        return "(ranks - power_2(k))";
      case Kind::kBitsApart:
        return "bits_apart(n, k)";
      case Kind::kSumOfBoth:
        return "sum_of_both(n, k)";
    }
    return "";
  }

  std::string Of(const Expression& e) {
    switch (e.op) {
      case Op::kConstant:
        return Text(e.value);
      case Op::kFeature:
        return Of(e.feature);
      case Op::kSelect:
        return "(" + Of(*e.a) + " ? " + Of(*e.b) + " : " + Of(*e.c) + ")";
      case Op::kMove:
        return Call("moved", Text(e.value), Of(*e.a));
      case Op::kBlock: {
        const std::string d = std::to_string(e.value);
        return Call("block", Of(*e.a), "d" + d + ", x" + d);
      }
      case Op::kShare:
        return Call("share", Of(*e.a) + ", " + Of(*e.b), Of(*e.c));
      case Op::kAgreed:
        return Call("agreed", Of(*e.a), Of(*e.b));
      case Op::kCells:
        return Of(*e.cells);
      case Op::kBits:
        return Call(
            "reordered", std::to_string(int(e.bits.base)),
            std::to_string(e.bits.shift) + (e.bits.half ? ", 1" : ", 0"));
      case Op::kBlockAt:
        return Call("block", Of(*e.a), Of(*e.c) + ", " + Of(*e.b));
      case Op::kOwn:
        throw Status::No("a law of your own has no form in C: " + e.own->name);
      default:
        return Binary(e.op, Of(*e.a), Of(*e.b));
    }
  }

  LawInC Of(const SequenceLaw& law) {
    using Form = SequenceLaw::Form;
    LawInC c;
    c.firsts = int64_t(law.prefix.size());
    c.first = Choice(law.prefix);
    switch (law.form) {
      case Form::kPositional:
        c.place = Choice(law.values);
        c.period = std::to_string(law.values.size());
        break;
      case Form::kBySlot:
        Slots(law, &c);
        break;
      case Form::kByElement:
        c.place = Of(law.values[0]);
        c.period = Of(law.length);
        break;
      case Form::kByPlace:
        if (c.firsts > 0) throw Status::No("an array that begins otherwise");
        if (law.values.size() > 1) throw Status::No("arrays in turn");
        c.place = Of(law.values[0]);
        break;
      case Form::kAscending:
        throw Status::No("a list in ascending order");
      case Form::kByVisit:
        throw Status::No("visits of different lengths");
      case Form::kBySlotInLoop:
        throw Status::No("neighbours in each iteration of a loop");
      case Form::kByLoopSlot:
        throw Status::No("one neighbour in each iteration of a loop");
      case Form::kByRuns:
        throw Status::No("runs of values");
      case Form::kByParts:
        throw Status::No("lists in parts");
      case Form::kByRows:
        throw Status::No("rows of different lengths");
      case Form::kByIteration:
        if (c.firsts > 0) throw Status::No("a loop that begins otherwise");
        c.place = Choice(law.values, "j");
        c.loop = law.loop;
        c.of_run = law.values.size() > 1;
        c.step = law.step;
        break;
    }
    const bool one = law.form == Form::kPositional && law.values.size() == 1;
    if (c.firsts == 0 && (one || c.loop >= 0)) c.value = std::move(c.place);
    return c;
  }

 private:
  std::string Affine(const ScalarLaw& law) {
    std::string text;
    for (const auto& [factor, feature] : law.terms) {
      if (!text.empty()) text += " + ";
      if (factor != 1) text += Text(factor) + " * ";
      text += Of(feature);
    }
    if (text.empty()) return Text(law.constant);
    if (law.constant != 0) {
      text += (law.constant < 0 ? " - " : " + ") +
              Text(law.constant < 0 ? -law.constant : law.constant);
    }
    return "(" + text + ")";
  }

  std::string Block(const ScalarLaw& law) {
    const std::string d = std::to_string(law.dim);
    const std::string along =
        law.dim == kPlaceDimension ? "n, k" : "d" + d + ", x" + d;
    return "(" + Text(law.scale) + " * " +
           Call("block", Text(law.constant), along) + " + " + Text(law.add) +
           ")";
  }

  static std::string Binary(Op op, const std::string& a, const std::string& b) {
    switch (op) {
      case Op::kAdd:
        return "(" + a + " + " + b + ")";
      case Op::kSubtract:
        return "(" + a + " - " + b + ")";
      case Op::kMultiply:
        return "(" + a + " * " + b + ")";
      case Op::kDivide:
        return Call("floor_div", a, b);
      case Op::kDivideExactly:
        return Call("exact_div", a, b);
      case Op::kRemainder:
        return Call("modulo", a, b);
      case Op::kXor:
        return "(" + a + " ^ " + b + ")";
      case Op::kShiftLeft:
        return "(" + a + " << " + b + ")";
      case Op::kShiftRight:
        return "(" + a + " >> " + b + ")";
      case Op::kMinimum:
        return Call("least", a, b);
      case Op::kMaximum:
        return Call("greatest", a, b);
      case Op::kEqual:
        return "(" + a + " == " + b + ")";
      default:
        return "(" + a + " < " + b + ")";
    }
  }

  static std::string Steps(const Displacement& by) {
    std::string text;
    for (const int64_t v : by) text += (text.empty() ? "" : ", ") + Text(v);
    return text;
  }

  // "k == 0 ? 12 : k == 1 ? 8 : ...".
  std::string Choice(const std::vector<ScalarLaw>& laws,
                     const std::string& place = "k") {
    std::string text;
    for (size_t i = 0; i < laws.size(); ++i) {
      if (i + 1 < laws.size()) {
        text += place + " == " + std::to_string(i) + " ? ";
      }
      text += Of(laws[i]) + (i + 1 < laws.size() ? " : " : "");
    }
    return text;
  }

  void Slots(const SequenceLaw& law, LawInC* c) {
    const std::string list = List(*law.list);
    c->period = "degree(&" + list + ")";
    if (law.peers) {
      c->place = Call("neighbour_at", "&" + list, "k");
      return;
    }
    // k becomes the number of the slot that place k stands for.
    for (size_t i = 0; i < law.values.size(); ++i) {
      const bool last = i + 1 == law.values.size();
      const std::string slot = Call("slot_at", "&" + list, "k");
      if (!last) c->place += slot + " == " + std::to_string(i) + " ? ";
      c->place += Of(law.values[i]) + (last ? "" : " : ");
    }
  }

  std::string Of(const Cells& cells) {
    constexpr size_t kSides = 3;  // that support/shape.c has room for
    if (cells.sides.size() > kSides) throw Status::No("cells of many sides");
    const auto coordinate = [](const CellCoordinate& c) {
      return "{" + Text(c.a0) + ", " + Text(c.a1) + ", " + Text(c.ak) + ", " +
             Text(c.add) + "}";
    };
    std::string sides;
    for (const CellCoordinate& side : cells.sides) {
      sides += (sides.empty() ? "" : ", ") + coordinate(side);
    }
    const auto flag = [](bool set) { return set ? ", 1" : ", 0"; };
    const std::string text = Text(cells.whole) + ", " + Text(cells.scale) +
                             ", " + std::to_string(cells.sides.size()) +
                             flag(cells.inner) + flag(cells.guarded) +
                             flag(cells.at_last) + ", {" + sides + "}, " +
                             coordinate(cells.guard);
    const auto [known, added] =
        cells_.try_emplace(text, "cells_" + std::to_string(cells_.size()));
    if (added) {
      definitions_ +=
          "static const struct cells " + known->second + " = {" + text + "};\n";
    }
    const std::string on = "(&" + known->second;
    if (cells.summed) return "all_cells" + on + ")";
    const bool of_place =
        std::any_of(cells.sides.begin(), cells.sides.end(),
                    [](const CellCoordinate& c) { return c.ak != 0; });
    return (cells.numbered ? "cell_number" : "cell_size") + on +
           (of_place ? ", k)" : ", 0)");
  }

  std::string List(const Neighbours& list) {
    if (list.turned) throw Status::No("neighbours that pair off");
    if (list.skips()) throw Status::No("neighbours that are skipped");
    if (list.ascending) throw Status::No("neighbours in ascending order");
    if (list.leaves_out()) throw Status::No("neighbours of a part of a line");
    std::string slots;
    for (const Displacement& by : list.slots) slots += "{" + Steps(by) + "}, ";
    const std::string text = slots + std::to_string(list.periodic);
    const auto [known, added] =
        lists_.try_emplace(text, "list_" + std::to_string(lists_.size()));
    const std::string& name = known->second;
    if (added) {
      definitions_ += "static const number " + name + "_steps[][4] = {" +
                      slots + "};\nstatic const struct neighbours " + name +
                      " = {" + std::to_string(list.slots.size()) + ", " +
                      std::to_string(list.periodic) + ", " + name +
                      "_steps};\n";
    }
    return name;
  }

  std::string place_ = "k";  // of the list at hand
  std::map<std::string, std::string> lists_, cells_;
  std::string definitions_;
};

std::string ShapeText(const DimsRule& rule) {
  using Kind = DimsRule::Kind;
  const std::string n = std::to_string(rule.ndims);
  const std::string reversed = rule.reversed ? "1" : "0";
  switch (rule.kind) {
    case Kind::kLine:
      return "lay_out_line()";
    case Kind::kEqual:
      return "lay_out_equal(" + n + ")";
    case Kind::kBalanced:
      return Call("lay_out_balanced", n, reversed);
    case Kind::kFixed:
      return Call("lay_out_fixed", std::to_string(rule.fixed), reversed);
    case Kind::kGiven:
    case Kind::kOneFree:
    case Kind::kLeastSurface:
    case Kind::kHalves:
    case Kind::kLeastBlockSurface:
      break;
  }
  return "lay_out_given(" + n + ")";
}

std::string LayOutText(const DimsRule& rule) {
  switch (rule.order) {
    case RankOrder::kRows:
      break;
    case RankOrder::kBackAndForth:
      return "count_ranks(BACK_AND_FORTH), " + ShapeText(rule);
    case RankOrder::kMorton:
      return "count_ranks(MORTON), " + ShapeText(rule);
  }
  return ShapeText(rule);
}

// Computation at each of the rank counts, as multiples of that at `base`;
// mean(rank count) gives it.
template <class F>
std::vector<double> GrowthOf(F mean, int64_t base,
                             const std::vector<int64_t>& ranks) {
  const double recorded = mean(base);
  std::vector<double> growth;
  for (const int64_t r : ranks) {
    const double then = mean(r);
    const bool known = recorded > 0 && then > 0 && std::isfinite(then);
    growth.push_back(known ? then / recorded : 1);
  }
  return growth;
}

void AddGrowth(const TimeLadder& times, size_t event, int64_t base,
               const std::vector<int64_t>& ranks, LawsInC::Node* node) {
  node->growth = GrowthOf([&](int64_t r) { return times.At(event, r).compute; },
                          base, ranks);
  for (size_t p = 0; p < times.At(event, base).after.size(); ++p) {
    node->growth_after.push_back(GrowthOf(
        [&](int64_t r) { return times.At(event, r).after[p]; }, base, ranks));
  }
}

// base: ranks of the trace that the laws are attached to.
void AddGrowth(const TimeLadder& times, int64_t base,
               const reduction::Node& root, LawsInC* out) {
  // Programs are not started on more.
  constexpr int64_t kMostRanks = int64_t{1} << 24;
  for (const int64_t r : times.ranks) {
    if (r <= kMostRanks) out->growth_ranks.push_back(r);
  }
  auto node = out->nodes.begin();
  size_t event = 0;
  const auto add = [&](const auto& self, const reduction::Node& of) -> void {
    for (const reduction::Node& child : of.children) {
      if (child.is_event() && event < times.events.size()) {
        AddGrowth(times, event++, base, out->growth_ranks, &*node);
      }
      ++node;
      self(self, child);
    }
  };
  add(add, root);
}

void Add(const NodeLaw& law, const reduction::Node& like, CWriter* writer,
         LawsInC* out) {
  LawsInC::Node node;
  node.trips = writer->Of(law.trips);
  for (size_t i = 0; i < law.params.size(); ++i) {
    LawInC param;
    if (law.absent[i]) {
      param.absent = true;
    } else {
      param = writer->Of(law.params[i]);
    }
    node.params.push_back(std::move(param));
  }
  out->nodes.push_back(std::move(node));
  for (size_t c = 0; c < like.children.size(); ++c) {
    Add(law.children[c], like.children[c], writer, out);
  }
}

}  // namespace

Result<LawsInC> ToC(const Trace& symbolic) {
  if (!IsSymbolic(symbolic)) return Status::Usage("the trace has no laws");
  const auto numbers = CarriedLaws(symbolic);
  if (!numbers.ok()) return numbers.status();
  const auto laws = DecodeLaws(*numbers, symbolic.root, {});
  if (!laws.ok()) return laws.status();
  LawsInC out;
  out.shape = LayOutText(laws->rule);
  out.powers_of_two = laws->powers_of_two;
  CWriter writer;
  try {
    for (size_t c = 0; c < symbolic.root.children.size(); ++c) {
      Add(laws->root.children[c], symbolic.root.children[c], &writer, &out);
    }
  } catch (const Status& s) {
    return s;
  }
  out.lists = writer.lists();
  AddGrowth(laws->times, symbolic.meta.ranks, symbolic.root, &out);
  return out;
}

}  // namespace ranksight::online_model
