#include "online_model/synthesize/law_code.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "online_model/synthesize/law_numbers.h"

namespace ranksight::online_model {
namespace {

using reduction::Node;
using reduction::Status;

// Writes and reads by the same walk: an archive takes a number out of, or
// puts one into, every field in turn.
struct NumberWriter {
  static constexpr bool kReads = false;
  static constexpr int64_t coding = kLawCoding;
  std::vector<int64_t> numbers;
  std::vector<NumberedLaw::Amount> amounts;

  void Number(int64_t* v) { numbers.push_back(*v); }
  void Amount(int64_t* v) {
    amounts.push_back({numbers.size(), range});
    Number(v);
  }
  NumberedLaw::Range range = NumberedLaw::Range::kNone;
  void Fail() {}
  bool failed() const { return false; }
};

struct Reader {
  static constexpr bool kReads = true;
  Reader(std::span<const int64_t> n, const OwnLaws& o) : numbers(n), own(o) {}

  std::span<const int64_t> numbers;
  const OwnLaws& own;
  int64_t coding = kLawCoding;
  int ndims = 1;
  std::string missing;  // a law of the user's own
  size_t at = 0;
  int depth = 0;
  bool bad = false;

  void Number(int64_t* v) {
    *v = 0;
    if (at < numbers.size()) {
      *v = numbers[at++];
    } else {
      bad = true;
    }
  }
  void Amount(int64_t* v) { Number(v); }
  void Fail() { bad = true; }
  bool failed() const { return bad; }
};

template <class A, class E, size_t N>
void Choice(A& a, E* e, const std::array<Numbered<E>, N>& table) {
  int64_t v = NumberOf(table, *e);
  a.Number(&v);
  const std::optional<E> chosen = ValueOf(table, v);
  if (!chosen) return a.Fail();
  *e = *chosen;
}

template <class A>
void Flag(A& a, bool* flag) {
  int64_t v = *flag;
  a.Number(&v);
  *flag = v != 0;
}

template <class A, class T>
void Small(A& a, T* value, int64_t low, int64_t high) {
  int64_t v = int64_t(*value);
  a.Number(&v);
  if (v < low || v > high) return a.Fail();
  *value = T(v);
}

template <class A>
void Dimension(A& a, int* dim) {
  int64_t most = kCodedDims - 1;
  if constexpr (A::kReads) most = a.ndims - 1;
  Small(a, dim, 0, most);
}

// As a dimension; kCodedDims for the places of a list.
template <class A>
void DimensionOrPlace(A& a, int* dim) {
  int code = *dim == kPlaceDimension ? kCodedDims : *dim;
  Small(a, &code, 0, kCodedDims);
  if constexpr (A::kReads) {
    if (code != kCodedDims && code >= a.ndims) return a.Fail();
  }
  *dim = code == kCodedDims ? kPlaceDimension : code;
}

template <class A, class T, class F>
void List(A& a, std::vector<T>* list, F&& each) {
  int64_t n = int64_t(list->size());
  a.Number(&n);
  if constexpr (A::kReads) {
    // Every element takes a number at least.
    if (n < 0 || uint64_t(n) > a.numbers.size() - a.at) return a.Fail();
    list->clear();
    for (int64_t i = 0; i < n && !a.failed(); ++i) {
      list->emplace_back();
      each(a, &list->back());
    }
  } else {
    for (T& item : *list) each(a, &item);
  }
}

template <class A, class T, class F>
void Shared(A& a, std::shared_ptr<const T>* p, F&& code) {
  bool there = *p != nullptr;
  Flag(a, &there);
  if (!there) return p->reset();
  T item;
  if constexpr (A::kReads) {
    // As deep as no law found is: the reader's stack is safe.
    constexpr int kDeepest = 64;
    if (++a.depth > kDeepest) return a.Fail();
    code(a, &item);
    --a.depth;
    *p = std::make_shared<const T>(std::move(item));
  } else {
    item = **p;
    code(a, &item);
  }
}

template <class A>
void Code(A& a, Displacement* by) {
  constexpr int64_t kFar = int64_t{1} << 40;
  for (int64_t& v : *by) Small(a, &v, -kFar, kFar);
}

template <class A>
void Code(A& a, Neighbours* list) {
  List(a, &list->slots, [](A& to, Displacement* by) { Code(to, by); });
  bool leaves_out = list->leaves_out();
  unsigned flags = unsigned(list->turned) | unsigned(list->skips_own) << 1 |
                   unsigned(list->skips_known) << 2 |
                   unsigned(list->ascending) << 3 | unsigned(leaves_out) << 4;
  unsigned both = list->periodic | flags << kCodedDims;
  Small(a, &both, 0, (32 << kCodedDims) - 1);
  list->periodic = both & ((1u << kCodedDims) - 1);
  flags = both >> kCodedDims;
  list->turned = (flags & 1) != 0;
  list->skips_own = (flags & 2) != 0;
  list->skips_known = (flags & 4) != 0;
  list->ascending = (flags & 8) != 0;
  leaves_out = (flags & 16) != 0;
  Small(a, &list->ndims, 1, kCodedDims);
  if (!leaves_out) return;
  for (int64_t* n : {&list->left_out_first, &list->left_out_last}) {
    Small(a, n, 0, int64_t{1} << 24);
  }
  bool fits = list->leaves_out() && list->ndims == 1;
  if constexpr (A::kReads) fits = fits && a.ndims == 1;
  if (!fits) a.Fail();
}

template <class A>
void Code(A& a, Feature* f) {
  using Kind = Feature::Kind;
  Choice(a, &f->kind, kFeatureNumbers);
  Dimension(a, &f->index);
  Shared(a, &f->list, [](A& to, Neighbours* n) { Code(to, n); });
  if ((f->kind == Kind::kDegree) != (f->list != nullptr)) a.Fail();
  if constexpr (A::kReads) {
    if (f->kind == Kind::kTransposed && a.ndims != 2) a.Fail();
  }
}

template <class A>
void Code(A& a, CellCoordinate* c) {
  constexpr int64_t kFar = 1 << 20;
  for (int64_t* v : {&c->a0, &c->a1, &c->ak, &c->add}) {
    Small(a, v, -kFar, kFar);
  }
}

template <class A>
void Code(A& a, Cells* c) {
  for (int64_t* v : {&c->whole, &c->scale}) {
    a.Amount(v);
    if (std::abs(*v) > int64_t{1} << 40) a.Fail();
  }
  Flag(a, &c->inner);
  List(a, &c->sides, [](A& to, CellCoordinate* s) { Code(to, s); });
  Flag(a, &c->numbered);
  Flag(a, &c->summed);
  Flag(a, &c->guarded);
  Flag(a, &c->at_last);
  Code(a, &c->guard);
  if (c->numbered && c->sides.size() != 2) a.Fail();
  if constexpr (A::kReads) {
    if (a.ndims != 2) a.Fail();
  }
}

// A law of the user's own, by its name.
template <class A>
void Code(A& a, std::shared_ptr<const OwnLaw>* own) {
  std::vector<char> name;
  if (*own != nullptr) name.assign((*own)->name.begin(), (*own)->name.end());
  List(a, &name, [](A& to, char* c) { Small(to, c, '0', 'z'); });
  if constexpr (A::kReads) {
    const std::string wanted(name.begin(), name.end());
    for (const auto& law : a.own) {
      if (law->name == wanted) *own = law;
    }
    if (*own != nullptr || a.bad) return;
    a.missing = wanted;
    a.Fail();
  }
}

template <class A>
void Code(A& a, BitOrder* bits) {
  Choice(a, &bits->base, kBitOrderNumbers);
  Small(a, &bits->shift, -BitOrder::kMostShift, BitOrder::kMostShift);
  Flag(a, &bits->half);
}

// How many operands an operation takes.
int Operands(Expression::Op op) {
  using Op = Expression::Op;
  switch (op) {
    case Op::kConstant:
    case Op::kFeature:
    case Op::kCells:
    case Op::kOwn:
    case Op::kBits:
      return 0;
    case Op::kMove:
    case Op::kBlock:
      return 1;
    case Op::kSelect:
    case Op::kShare:
    case Op::kBlockAt:
      return 3;
    default:
      return 2;
  }
}

// Which end of what a share's whole may be its operand is.
NumberedLaw::Range RangeOf(const Expression& e, int operand) {
  using Range = NumberedLaw::Range;
  if (e.op != Expression::Op::kShare || operand == 2) return Range::kNone;
  return operand == 0 ? Range::kLow : Range::kHigh;
}

template <class A>
void Code(A& a, Expression* e) {
  using Op = Expression::Op;
  Choice(a, &e->op, kOperationNumbers);
  const bool along = e->op == Op::kMove || e->op == Op::kBlock;
  if (along) {
    int dim = int(e->value);
    Dimension(a, &dim);
    e->value = dim;
  } else if (e->op == Op::kConstant) {
    a.Amount(&e->value);
  } else if (e->op == Op::kFeature) {
    Code(a, &e->feature);
  } else if (e->op == Op::kCells) {
    Shared(a, &e->cells, [](A& to, Cells* c) { Code(to, c); });
    if (e->cells == nullptr) a.Fail();
  } else if (e->op == Op::kOwn) {
    Code(a, &e->own);
  } else if (e->op == Op::kBits) {
    Code(a, &e->bits);
  }
  ExpressionPtr* const operands[] = {&e->a, &e->b, &e->c};
  for (int i = 0; i < Operands(e->op); ++i) {
    if constexpr (!A::kReads) a.range = RangeOf(*e, i);
    Shared(a, operands[i], [](A& to, Expression* x) { Code(to, x); });
    if (*operands[i] == nullptr) a.Fail();
  }
}

template <class A>
void Code(A& a, ScalarLaw* law) {
  using Kind = ScalarLaw::Kind;
  Choice(a, &law->kind, kScalarLawNumbers);
  if constexpr (!A::kReads) a.range = NumberedLaw::Range::kNone;
  a.Amount(&law->constant);
  if (law->kind == Kind::kAffine) {
    List(a, &law->terms, [](A& to, std::pair<int64_t, Feature>* term) {
      to.Amount(&term->first);
      Code(to, &term->second);
    });
  } else if (law->kind == Kind::kNeighbour) {
    Code(a, &law->by);
    Small(a, &law->periodic, 0, (1 << kCodedDims) - 1);
    Flag(a, &law->on_line);
    Small(a, &law->ndims, 1, kCodedDims);
  } else if (law->kind == Kind::kGuarded || law->kind == Kind::kThere) {
    if (law->kind == Kind::kGuarded) Code(a, &law->condition);
    Shared(a, &law->otherwise, [](A& to, ScalarLaw* l) { Code(to, l); });
    if (law->otherwise == nullptr) a.Fail();
  } else if (law->kind == Kind::kBlock) {
    DimensionOrPlace(a, &law->dim);
    a.Amount(&law->scale);
    a.Amount(&law->add);
  } else if (law->kind == Kind::kExpression) {
    Shared(a, &law->expression, [](A& to, Expression* e) { Code(to, e); });
    if (law->expression == nullptr) a.Fail();
  }
}

template <class A>
void Code(A& a, SequenceLaw* law, int loops) {
  using Form = SequenceLaw::Form;
  const auto scalar = [](A& to, ScalarLaw* l) { Code(to, l); };
  Choice(a, &law->form, kSequenceLawNumbers);
  List(a, &law->prefix, scalar);
  List(a, &law->values, scalar);
  Shared(a, &law->list, [](A& to, Neighbours* n) { Code(to, n); });
  Flag(a, &law->peers);
  for (uint64_t* n : {&law->support.ranks, &law->support.runs}) {
    Small(a, n, 0, int64_t{1} << 40);
  }
  if (law->HasLength()) Code(a, &law->length);
  if (law->form == Form::kByRows) Flag(a, &law->falling);
  if (law->FollowsLoop()) {
    int both = law->loop + loops * (law->step - 1);
    Small(a, &both, 0, loops * SequenceLaw::kMostStep - 1);
    if (loops > 0) law->loop = both % loops, law->step = both / loops + 1;
  }
  if (law->HasList()) {
    if (law->list == nullptr) return a.Fail();
    const size_t slots = law->list->slots.size(), count = law->values.size();
    const bool in_loop = law->form == Form::kBySlotInLoop;
    const bool fits = in_loop ? slots > 0 && count > 0 && count % slots == 0
                              : law->peers || count == slots;
    if (!fits || (in_loop && law->peers)) a.Fail();
  } else if (law->values.empty() ||
             (law->form == Form::kByRuns && law->values.size() != 2)) {
    a.Fail();
  }
}

// More than loops ever stand around a node.
constexpr int kMoreThanLoops = 1 << 16;

// loops: how many stand around the node, which is one to its parameters.
template <class A>
void Code(A& a, NodeLaw* law, const Node& like, int loops) {
  if (a.failed()) return;
  Code(a, &law->trips, loops);
  if (like.is_event()) {
    const size_t n = reduction::Info(like.call).params.size();
    law->params.resize(n);
    law->absent.resize(n);
    for (size_t i = 0; i < n && !a.failed(); ++i) {
      // Of all requests passed in the first coding, whose number is before it.
      if (reduction::Info(like.call).params[i] ==
              reduction::Param::kOpenCount &&
          a.coding == kFirstLawCoding) {
        law->params[i] = law->params[i - 1];
        law->absent[i] = law->absent[i - 1];
        continue;
      }
      bool absent = law->absent[i];
      Flag(a, &absent);
      law->absent[i] = absent;
      if (absent) continue;
      bool of_sum = false;
      Flag(a, &of_sum);
      if (of_sum) return a.Fail();
      Code(a, &law->params[i], loops + 1);
    }
    return;
  }
  law->children.resize(like.children.size());
  for (size_t c = 0; c < like.children.size(); ++c) {
    Code(a, &law->children[c], like.children[c], loops + 1);
  }
}

// The sides of kOneFree: one of them takes the rest.
template <class A>
void CodeConstants(A& a, DimsRule* rule) {
  rule->constants.resize(size_t(rule->ndims), 0);
  for (int64_t& side : rule->constants) Small(a, &side, 0, INT32_MAX);
  if (std::ranges::count(rule->constants, 0) != 1) a.Fail();
  // What is divided by their product fits.
  __int128 taken = 1;
  for (const int64_t side : rule->constants) {
    taken *= std::max<int64_t>(side, 1);
    if (taken > INT32_MAX) return a.Fail();
  }
}

template <class A>
void Code(A& a, DimsRule* rule) {
  Choice(a, &rule->kind, kDimsRuleNumbers);
  Small(a, &rule->ndims, 1, kCodedDims);
  Flag(a, &rule->reversed);
  Small(a, &rule->fixed, 0, int64_t{1} << 40);
  if (rule->kind == DimsRule::Kind::kFixed && rule->fixed < 1) a.Fail();
  if (rule->kind == DimsRule::Kind::kOneFree) CodeConstants(a, rule);
  if (!rule->IsByMesh()) return;
  if (rule->ndims > 3) return a.Fail();
  rule->mesh.resize(size_t(rule->ndims), 1);
  for (int64_t& side : rule->mesh) Small(a, &side, 1, INT32_MAX);
}

template <class A>
void CodeOrder(A& a, DimsRule* rule) {
  if (a.coding >= kOrderLawCoding) Choice(a, &rule->order, kRankOrderNumbers);
}

template <class A>
void Code(A& a, double* nanoseconds) {
  // A tenth of a nanosecond is enough of a mean.
  constexpr double kSteps = 10, kMost = 1e17;
  int64_t v = 0;
  if (*nanoseconds > 0 && *nanoseconds < kMost) {
    v = std::llround(*nanoseconds * kSteps);
  }
  a.Number(&v);
  *nanoseconds = double(v) / kSteps;
}

template <class A>
void Code(A& a, TimeLadder* ladder, size_t events) {
  List(a, &ladder->ranks, [](A& to, int64_t* n) {
    Small(to, n, 1, std::numeric_limits<int64_t>::max());
  });
  ladder->nanoseconds.resize(ladder->ranks.size());
  for (double& v : ladder->nanoseconds) Code(a, &v);
  ladder->events.resize(events);
  for (auto& means : ladder->events) {
    if (a.failed()) return;
    means.resize(ladder->ranks.size());
    for (TimeLadder::Means& m : means) {
      Code(a, &m.compute);
      Code(a, &m.call);
    }
  }
}

size_t EventsOf(const Node& root) {
  size_t n = 0;
  ForEachEvent(root, [&n](const Node&) { ++n; });
  return n;
}

// Means by predecessor; at the end, as traces of older writers have none.
template <class A>
void CodeMeansAfter(A& a, const Node& like, TimeLadder* ladder) {
  size_t event = 0;
  ForEachEvent(like, [&](const Node& n) {
    if (event == ladder->events.size()) return;
    for (TimeLadder::Means& m : ladder->events[event++]) {
      m.after.resize(PartsOf(n));
      for (double& v : m.after) Code(a, &v);
    }
  });
}

template <class A>
void Code(A& a, SymbolicLaws* laws, const Node& like, size_t events) {
  Code(a, &laws->rule);
  CodeOrder(a, &laws->rule);
  if constexpr (A::kReads) a.ndims = laws->rule.ndims;
  Flag(a, &laws->powers_of_two);
  laws->only_sides.resize(size_t(laws->rule.ndims));
  if (a.coding >= kSidesLawCoding) {
    for (int64_t& side : laws->only_sides) Small(a, &side, 0, INT32_MAX);
  }
  if (a.coding >= kSizesLawCoding) {
    // What rules are asked for takes time with them.
    constexpr size_t kMostSizes = 64;
    constexpr int64_t kLargestSize = 1 << 24;
    List(a, &laws->sizes,
         [](A& to, int64_t* n) { Small(to, n, 1, kLargestSize); });
    if (laws->sizes.size() > kMostSizes) a.Fail();
  }
  laws->root.children.resize(like.children.size());
  for (size_t c = 0; c < like.children.size(); ++c) {
    Code(a, &laws->root.children[c], like.children[c], 0);
  }
  Code(a, &laws->times, events);
}

}  // namespace

std::vector<int64_t> EncodeLaws(const SymbolicLaws& laws, const Node& like) {
  SymbolicLaws copy = laws;
  NumberWriter writer;
  writer.numbers.push_back(kLawCoding);
  Code(writer, &copy, like, laws.times.events.size());
  if (laws.times.TellsApart()) CodeMeansAfter(writer, like, &copy.times);
  return std::move(writer.numbers);
}

NumberedLaw NumberedOf(const SequenceLaw& law) {
  SequenceLaw copy = law;
  copy.support = {};
  NumberWriter writer;
  Code(writer, &copy, kMoreThanLoops);
  return {std::move(writer.numbers), std::move(writer.amounts)};
}

std::vector<int64_t> NumbersOf(const SequenceLaw& law) {
  return NumberedOf(law).numbers;
}

std::optional<SequenceLaw> LawOf(std::span<const int64_t> numbers, int ndims,
                                 const OwnLaws& own) {
  Reader reader(numbers, own);
  reader.ndims = ndims;
  SequenceLaw law;
  Code(reader, &law, kMoreThanLoops);
  if (reader.bad || reader.at != numbers.size()) return std::nullopt;
  return law;
}

reduction::Result<SymbolicLaws> DecodeLaws(std::span<const int64_t> numbers,
                                           const Node& like,
                                           const OwnLaws& own) {
  if (numbers.empty()) return Status::BadInput("the trace carries no laws");
  if (numbers[0] < kFirstLawCoding || numbers[0] > kLawCoding) {
    return Status::BadInput("the laws are written in another way (" +
                            std::to_string(numbers[0]) +
                            ") than this ranksight reads");
  }
  Reader reader(numbers, own);
  reader.coding = numbers[0];
  reader.at = 1;
  SymbolicLaws laws;
  Code(reader, &laws, like, EventsOf(like));
  if (!reader.failed() && reader.at < numbers.size()) {
    CodeMeansAfter(reader, like, &laws.times);
  }
  if (!reader.missing.empty()) {
    return Status::No("the trace needs the law " + reader.missing +
                      ", which no library given (--plugin) has");
  }
  if (reader.bad || reader.at != numbers.size()) {
    return Status::BadInput("the laws do not belong to this tree, at number " +
                            std::to_string(reader.at));
  }
  return laws;
}

}  // namespace ranksight::online_model
