// Every kind of law as it is written today (tests/golden/laws/all_kinds): a
// line of numbers for each set of laws, and what they say to people. What
// is written must stay the same, and what was written must stay readable; a
// kind that the golden numbers lack makes them differ.
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "online_model/synthesize/carried_laws.h"
#include "online_model/synthesize/law_code.h"
#include "online_model/synthesize/law_numbers.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Node;
using Op = Expression::Op;

Node EventOf(Call call) {
  Node event;
  event.kind = Node::Kind::kEvent;
  event.call = call;
  event.params.resize(reduction::Info(call).params.size());
  return event;
}

// A loop of as many events as there are forms of laws.
Node Tree() {
  Node loop;
  loop.kind = Node::Kind::kLoop;
  for (size_t i = 0; i < kSequenceLawNumbers.size(); ++i) {
    loop.children.push_back(EventOf(Call::MPI_Barrier_));
  }
  Node root;
  root.kind = Node::Kind::kLoop;
  root.children.push_back(std::move(loop));
  return root;
}

std::shared_ptr<const Neighbours> Crosses() {
  Neighbours list;
  list.slots = {{1, 0}, {0, -1}};
  list.periodic = 2;
  list.ndims = 2;
  list.turned = true;
  return std::make_shared<const Neighbours>(list);
}

Feature FeatureOf(Feature::Kind kind, int index) {
  return {kind, index, kind == Feature::Kind::kDegree ? Crosses() : nullptr};
}

ExpressionPtr Number(int64_t value) {
  Expression e;
  e.value = value;
  return std::make_shared<const Expression>(e);
}

OwnLaws Own() {
  OwnLaw law;
  law.name = "mine";
  return {std::make_shared<const OwnLaw>(law)};
}

std::shared_ptr<const Cells> SomeCells() {
  Cells cells;
  cells.whole = 24;
  cells.scale = 3;
  cells.sides = {{1, 0, -1, 2}, {0, 1, 1, 0}};
  cells.numbered = cells.guarded = true;
  cells.guard = {0, 0, 1, 1};
  return std::make_shared<const Cells>(cells);
}

Expression ExpressionOfOp(Op op) {
  Expression e;
  e.op = op;
  switch (op) {
    case Op::kConstant:
      e.value = -7;
      return e;
    case Op::kFeature:
      e.feature = FeatureOf(Feature::Kind::kCoord, 1);
      return e;
    case Op::kCells:
      e.cells = SomeCells();
      return e;
    case Op::kOwn:
      e.own = Own()[0];
      return e;
    case Op::kBits:
      e.bits = {BitOrder::Base::kEvenApart, -2, true};
      return e;
    case Op::kMove:
    case Op::kBlock:
      e.value = 1;
      break;
    default:
      e.b = Number(5);
      e.c = Number(6);
  }
  e.a = Number(4);
  return e;
}

ScalarLaw Constant(int64_t value) {
  ScalarLaw law;
  law.constant = value;
  return law;
}

ScalarLaw ScalarLawOf(ScalarLaw::Kind kind) {
  ScalarLaw law = Constant(3);
  law.kind = kind;
  law.by = {1, -2};
  law.periodic = 1;
  law.ndims = 2;
  law.condition = FeatureOf(Feature::Kind::kFirst, 1);
  law.otherwise = std::make_shared<const ScalarLaw>(Constant(8));
  law.dim = 1;
  law.scale = 2;
  law.add = -1;
  law.expression = Number(9);
  if (kind == ScalarLaw::Kind::kAffine) {
    law.terms = {{2, FeatureOf(Feature::Kind::kRank, 0)}};
  }
  return law;
}

// One of each feature, operation, order of bits and kind of law.
SequenceLaw EachScalarLaw() {
  SequenceLaw all;
  for (const auto& [number, kind] : kFeatureNumbers) {
    ScalarLaw law = Constant(number);
    law.terms = {{number + 2, FeatureOf(kind, 1)}};
    all.values.push_back(law);
  }
  for (const auto& [number, op] : kOperationNumbers) {
    all.values.push_back(
        OfExpression(std::make_shared<const Expression>(ExpressionOfOp(op))));
  }
  for (const auto& [number, base] : kBitOrderNumbers) {
    Expression e;
    e.op = Op::kBits;
    e.bits = {base, 1, false};
    all.values.push_back(OfExpression(std::make_shared<const Expression>(e)));
  }
  for (const auto& [number, kind] : kScalarLawNumbers) {
    all.values.push_back(ScalarLawOf(kind));
  }
  return all;
}

SequenceLaw SequenceLawOf(SequenceLaw::Form form) {
  SequenceLaw law;
  law.form = form;
  law.prefix = {Constant(1)};
  law.values = {Constant(2), Constant(3)};
  if (law.HasList()) law.list = Crosses();
  law.length = Constant(4);
  law.falling = true;
  law.support = {70, 5};
  law.step = 2;
  return law;
}

SymbolicLaws AllKinds() {
  SymbolicLaws laws;
  laws.rule.kind = DimsRule::Kind::kEqual;
  laws.rule.ndims = 2;
  laws.powers_of_two = true;
  laws.only_sides = {0, 12};
  laws.sizes = {4, 16, 64};
  NodeLaw loop;
  loop.trips = EachScalarLaw();
  for (const auto& [number, form] : kSequenceLawNumbers) {
    NodeLaw event;
    event.trips = SequenceLawOf(form);
    event.params = {SequenceLawOf(form)};
    event.absent = {number % 2 == 1};
    loop.children.push_back(std::move(event));
  }
  laws.root.children.push_back(std::move(loop));
  laws.times.ranks = {4, 16};
  laws.times.nanoseconds = {1000.5, 2000};
  laws.times.events.assign(kSequenceLawNumbers.size(),
                           {{1.5, 2.5, {}}, {3, 4, {}}});
  return laws;
}

struct Case {
  SymbolicLaws laws;
  Node tree;
};

// A list of some ranks of a line, in ascending order.
Case PartOfALine() {
  Neighbours list;
  list.slots = {{-1}, {2}};
  list.ascending = true;
  list.left_out_first = 1;
  list.left_out_last = 3;
  SequenceLaw law;
  law.form = SequenceLaw::Form::kBySlot;
  law.peers = true;
  law.list = std::make_shared<const Neighbours>(list);
  NodeLaw event;
  event.trips = law;
  event.params = {law};
  event.absent = {false};
  Case one;
  one.laws.root.children.push_back(std::move(event));
  one.tree.kind = Node::Kind::kLoop;
  one.tree.children.push_back(EventOf(Call::MPI_Barrier_));
  return one;
}

// All kinds of laws, then each shape and each order of ranks, then a list.
std::vector<Case> Cases() {
  std::vector<Case> cases = {{AllKinds(), Tree()}};
  Node nothing;
  nothing.kind = Node::Kind::kLoop;
  const auto add = [&](const DimsRule& rule) {
    SymbolicLaws laws;
    laws.rule = rule;
    cases.push_back({std::move(laws), nothing});
  };
  DimsRule rule;
  rule.ndims = 2;
  rule.reversed = true;
  rule.fixed = 6;
  for (const auto& [number, kind] : kDimsRuleNumbers) {
    rule.kind = kind;
    rule.mesh = {};
    if (rule.IsByMesh()) rule.mesh = {90, 60};
    rule.constants = {};
    if (kind == DimsRule::Kind::kOneFree) rule.constants = {0, 4};
    add(rule);
  }
  rule = {};
  for (const auto& [number, order] : kRankOrderNumbers) {
    rule.order = order;
    add(rule);
  }
  cases.push_back(PartOfALine());
  return cases;
}

std::vector<std::string> GoldenLines(const std::string& ending) {
  std::ifstream in(std::string(RANKSIGHT_OLD_LAWS) + "/all_kinds" + ending);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string TextOf(const std::vector<int64_t>& numbers) {
  std::string text;
  for (const int64_t n : numbers) {
    text += (text.empty() ? "" : " ") + std::to_string(n);
  }
  return text;
}

std::vector<int64_t> NumbersIn(const std::string& line) {
  std::istringstream in(line);
  std::vector<int64_t> numbers;
  for (int64_t n = 0; in >> n;) numbers.push_back(n);
  return numbers;
}

TEST(LawGolden, EveryKindIsWrittenAsEver) {
  std::vector<std::string> lines;
  for (const Case& c : Cases()) {
    lines.push_back(TextOf(EncodeLaws(c.laws, c.tree)));
  }
  EXPECT_EQ(lines, GoldenLines(".numbers.txt"));
}

TEST(LawGolden, EveryKindIsReadAsEver) {
  const std::vector<Case> cases = Cases();
  const std::vector<std::string> lines = GoldenLines(".numbers.txt");
  ASSERT_EQ(lines.size(), cases.size());
  std::vector<std::string> said;
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto laws = DecodeLaws(NumbersIn(lines[i]), cases[i].tree, Own());
    ASSERT_TRUE(laws.ok()) << i << ": " << laws.status().message();
    EXPECT_EQ(TextOf(EncodeLaws(*laws, cases[i].tree)), lines[i]);
    said.push_back(laws->rule.ToString());
    if (i > 0) continue;
    reduction::Sites sites;
    sites.modules = {{"", "app"}};
    sites.sites = {{{{0, 16}}}};
    DescribeLaws(laws->root, cases[i].tree, sites, &said);
    // Of a long list the lines give the start.
    ForEachScalarLaw(laws->root.children[0].trips, [&](const ScalarLaw& law) {
      said.push_back(law.ToString());
    });
  }
  EXPECT_EQ(said, GoldenLines(".laws.txt"));
}

}  // namespace
}  // namespace ranksight::online_model
