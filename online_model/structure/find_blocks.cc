#include "online_model/structure/find_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

// Wholes tried. Grids of tools and benchmarks that ranks are cut from have
// at most some thousand points a side; time grows in proportion.
constexpr int64_t kMostTriedWhole = 4096;

struct Factor {
  enum class Kind { kBlock, kFloor, kNext, kSide, kFirst, kLast };
  Kind kind = Kind::kBlock;
  int dim = 0;

  int64_t At(const Context& c, int64_t whole) const {
    const int64_t n = c.dim(dim), x = c.at[size_t(dim)];
    switch (kind) {
      case Kind::kBlock:
        return BlockSize(whole, n, x);
      case Kind::kFloor:
        return whole / n;
      case Kind::kNext:
        return whole / n + 1;
      case Kind::kSide:
        return n;
      case Kind::kFirst:
        return x == 0;
      case Kind::kLast:
        return x == n - 1;
    }
    return 0;
  }

  bool SeesPlace() const {
    return kind == Kind::kBlock || kind == Kind::kFirst || kind == Kind::kLast;
  }

  // divided: at all inputs without a remainder. Where it goes is then not
  // known, so that there is no value where one is left.
  ExpressionPtr Build(int64_t whole, bool divided) const {
    using F = Feature::Kind;
    switch (kind) {
      case Kind::kBlock: {
        if (divided) return Factor{Kind::kFloor, dim}.Build(whole, true);
        return BlockExpression(whole, dim);
      }
      case Kind::kFloor:
        return Combine(divided ? Op::kDivideExactly : Op::kDivide,
                       ConstantExpression(whole),
                       FeatureExpression({F::kDim, dim, nullptr}));
      case Kind::kNext:
        return AffineExpression(
            1, Factor{Kind::kFloor, dim}.Build(whole, divided), 1);
      case Kind::kSide:
        return FeatureExpression({F::kDim, dim, nullptr});
      case Kind::kFirst:
        return FeatureExpression({F::kFirst, dim, nullptr});
      case Kind::kLast:
        return FeatureExpression({F::kLast, dim, nullptr});
    }
    return nullptr;
  }
};

// A product of factors; none is 1.
using Product = std::vector<Factor>;
using Sum = std::vector<Product>;

std::vector<Sum> Shapes(int ndims) {
  using K = Factor::Kind;
  std::vector<Sum> shapes;
  for (int d = 0; d < ndims; ++d) {
    const Factor b{K::kBlock, d}, f{K::kFloor, d};
    const Factor first{K::kFirst, d}, last{K::kLast, d};
    shapes.push_back({{}, {b}});
    shapes.push_back({{}, {b}, {first}, {last}});
    const Factor next{K::kNext, d};
    shapes.push_back({{next}});
    shapes.push_back({{next, next}});
    shapes.push_back({{}, {f}, {f, f}});
    shapes.push_back({{}, {f, f}, {f, f, {K::kSide, d}}});
    for (int e = d; e < ndims; ++e) {
      const Factor c{K::kBlock, e};
      if (e == d) {
        shapes.push_back({{}, {b}, {b, b}});
      } else {
        shapes.push_back({{}, {b}, {c}, {b, c}});
        shapes.push_back(
            {{}, {b}, {c}, {first}, {last}, {{K::kFirst, e}}, {{K::kLast, e}}});
      }
    }
  }
  return shapes;
}

// No shape has more summands, and probes are at most so many.
constexpr size_t kMostColumns = 8, kMostRows = 64;

struct Matrix {
  Matrix() = default;
  // Of the rows that there are: most matrices have few.
  Matrix(const Matrix& other) : rows(other.rows) {
    std::copy_n(&other.row[0][0], rows * (kMostColumns + 1), &row[0][0]);
  }
  Matrix& operator=(const Matrix&) = delete;

  double row[kMostRows][kMostColumns + 1];
  size_t rows = 0;
};

using Factors = std::array<int64_t, kMostColumns>;

// Takes the column out of all rows but `row`, the best of the rest moved
// there. False when the column depends on earlier ones.
bool Eliminate(size_t column, size_t columns, size_t row, Matrix* m) {
  size_t best = row;
  for (size_t r = row; r < m->rows; ++r) {
    if (std::abs(m->row[r][column]) > std::abs(m->row[best][column])) best = r;
  }
  if (std::abs(m->row[best][column]) < 1e-7) return false;
  std::swap(m->row[row], m->row[best]);
  for (size_t r = 0; r < m->rows; ++r) {
    if (r == row || m->row[r][column] == 0) continue;
    const double factor = m->row[r][column] / m->row[row][column];
    for (size_t k = column; k <= columns; ++k) {
      m->row[r][k] -= factor * m->row[row][k];
    }
  }
  return true;
}

// The columns' values and the target, solved by elimination; columns that
// depend on earlier ones are left out. Nothing without a whole solution.
std::optional<Factors> SolveWhole(const Matrix& of, size_t columns) {
  Matrix m = of;
  std::array<long, kMostColumns> pivot;
  pivot.fill(-1);
  size_t row = 0;
  for (size_t c = 0; c < columns && row < m.rows; ++c) {
    if (Eliminate(c, columns, row, &m)) pivot[c] = long(row++);
  }
  for (size_t r = row; r < m.rows; ++r) {
    if (std::abs(m.row[r][columns]) > 1e-4) return std::nullopt;
  }
  Factors solution{};
  for (size_t c = 0; c < columns; ++c) {
    if (pivot[c] < 0) continue;
    const double* at = m.row[pivot[c]];
    const double v = at[columns] / at[c];
    solution[c] = std::llround(v);
    if (std::abs(v - double(solution[c])) > 1e-5) return std::nullopt;
  }
  return solution;
}

// Of so many parts, whether values change once between these two places, or
// nowhere. The first of the blocks of a whole are longer than the others, by
// what the whole leaves when it is divided.
struct Step {
  int64_t parts = 1, after = 0, until = 0;
  bool is_one = false;
  auto operator<=>(const Step&) const = default;
};

class BlocksFinder {
 public:
  BlocksFinder(Samples samples, const std::vector<Sample>& probes,
               const SearchSpace& space)
      : samples_(samples), probes_(probes), shapes_(Shapes(space.ndims)) {
    // Neighbouring probes differ little; the first few must differ much.
    std::stable_sort(probes_.begin(), probes_.end(),
                     [](const Sample& a, const Sample& b) {
                       return Scattered(a) < Scattered(b);
                     });
  }

  // The simplest shape, and of it the shortest description: where all sides
  // are powers of two, wholes that are no program's fit as well.
  ExpressionPtr Find() {
    for (const Sum& shape : shapes_) {
      if (!LookAtProbes(shape)) continue;
      ExpressionPtr best;
      for (int64_t whole = 2; whole <= kMostTriedWhole; ++whole) {
        if (!IsCutAsSeen(whole)) continue;
        ExpressionPtr e = Try(shape, whole);
        if (e == nullptr) continue;
        if (best == nullptr || e->cost() < best->cost()) best = std::move(e);
      }
      if (best != nullptr) return best;
    }
    return nullptr;
  }

 private:
  static uint64_t Scattered(const Sample& s) {
    return (uint64_t(s.where.rank) * 31 + uint64_t(s.where.ranks())) *
           0x9e3779b97f4a7c15;
  }

  static int64_t ValueOf(const Product& p, const Context& c, int64_t whole) {
    int64_t v = 1;
    for (const Factor& f : p) v *= f.At(c, whole);
    return v;
  }

  // What a sum of this shape looks at, of one place.
  static std::vector<int64_t> SeenBy(const Sum& shape, const Context& c) {
    std::vector<int64_t> seen;
    for (const Product& p : shape) {
      for (const Factor& f : p) {
        seen.push_back(c.dim(f.dim));
        if (f.SeesPlace()) seen.push_back(c.at[size_t(f.dim)]);
      }
    }
    return seen;
  }

  // Takes the probes that differ in what a sum of this shape looks at. False
  // where some that do not have different values: no whole makes up for that.
  bool LookAtProbes(const Sum& shape) {
    std::map<std::vector<int64_t>, int64_t> values;
    looked_at_.clear();
    for (const Sample& p : probes_) {
      const auto [at, added] =
          values.try_emplace(SeenBy(shape, p.where), p.value);
      if (at->second != p.value) return false;
      if (added && looked_at_.size() < kMostRows) looked_at_.push_back(&p);
    }
    return AreStepsAlongBlocks(shape);
  }

  // Blocks along a dimension have one length up to some place, and another from
  // there on, whatever the whole. Values that change more often along it, all
  // else alike, are of no whole, which need not be tried.
  bool AreStepsAlongBlocks(const Sum& shape) {
    std::set<int> dims;
    for (const Product& p : shape) {
      for (const Factor& f : p) {
        if (f.kind == Factor::Kind::kBlock) dims.insert(f.dim);
      }
    }
    steps_.clear();
    return std::ranges::all_of(
        dims, [&](int dim) { return AreStepsAlong(dim, dims.size(), shape); });
  }

  // dims: along which the shape has blocks.
  bool AreStepsAlong(int dim, size_t dims, const Sum& shape) {
    std::set<Step> steps;
    std::map<std::vector<int64_t>, std::map<int64_t, const Sample*>> lines;
    for (const Sample& p : probes_) {
      lines[SeenBeside(dim, shape, p.where)][p.where.at[size_t(dim)]] = &p;
    }
    for (const auto& [beside, line] : lines) {
      const Sample& first = *line.begin()->second;
      Step step{first.where.dim(dim), line.begin()->first, line.rbegin()->first,
                false};
      int64_t before = first.value, place_before = step.after;
      for (const auto& [place, sample] : line) {
        if (sample->value != before) {
          if (step.is_one) return false;
          step = {step.parts, place_before, place, true};
        }
        before = sample->value;
        place_before = place;
      }
      steps.insert(step);
    }
    // Where values stay the same along all lines, other blocks may make them;
    // and a factor of 0, where the other one is of a product.
    const bool is_sum = std::ranges::all_of(
        shape, [](const Product& p) { return p.size() <= 1; });
    const bool any = std::ranges::any_of(steps, &Step::is_one);
    for (const Step& s : steps) {
      if (s.is_one || (is_sum && (any || dims == 1))) steps_.insert(s);
    }
    return true;
  }

  // Whether blocks of this whole change where the values do.
  bool IsCutAsSeen(int64_t whole) const {
    return std::ranges::all_of(steps_, [whole](const Step& s) {
      const int64_t longer = whole % s.parts;
      return (s.after < longer && longer <= s.until) == s.is_one;
    });
  }

  // What a sum of this shape looks at but for the place along this dimension,
  // of which ends may be told apart.
  static std::vector<int64_t> SeenBeside(int dim, const Sum& shape,
                                         const Context& c) {
    std::vector<int64_t> seen;
    for (const Product& p : shape) {
      for (const Factor& f : p) {
        seen.push_back(c.dim(f.dim));
        const bool is_block = f.kind == Factor::Kind::kBlock;
        if (!f.SeesPlace() || (is_block && f.dim == dim)) continue;
        seen.push_back(f.dim == dim ? f.At(c, 0) : c.at[size_t(f.dim)]);
      }
    }
    return seen;
  }

  ExpressionPtr Try(const Sum& shape, int64_t whole) const {
    Matrix m;
    for (const Sample* probe : looked_at_) {
      double* row = m.row[m.rows++];
      for (size_t k = 0; k < shape.size(); ++k) {
        row[k] = double(ValueOf(shape[k], probe->where, whole));
      }
      row[shape.size()] = double(probe->value);
      // Most wholes are refused by a few rows already.
      if (m.rows == shape.size() + 3 && !SolveWhole(m, shape.size())) {
        return nullptr;
      }
    }
    const auto factors = SolveWhole(m, shape.size());
    if (!factors || !Supported(shape, *factors, whole)) return nullptr;
    ExpressionPtr e = Build(shape, *factors, whole);
    return Gives(*e, samples_) ? e : nullptr;
  }

  // More different rows than numbers chosen, the whole among them.
  bool Supported(const Sum& shape, const Factors& factors,
                 int64_t whole) const {
    size_t chosen = 1;
    bool blocks = false;
    for (size_t i = 0; i < shape.size(); ++i) {
      if (factors[i] == 0) continue;
      ++chosen;
      for (const Factor& f : shape[i]) {
        blocks |= f.kind != Factor::Kind::kSide &&
                  f.kind != Factor::Kind::kFirst &&
                  f.kind != Factor::Kind::kLast;
      }
    }
    std::set<std::vector<int64_t>> rows;
    for (const Sample& p : probes_) {
      std::vector<int64_t> row;
      for (size_t i = 0; i < shape.size(); ++i) {
        if (factors[i] != 0) row.push_back(ValueOf(shape[i], p.where, whole));
      }
      rows.insert(std::move(row));
    }
    return blocks && rows.size() > chosen;
  }

  bool IsDivided(int dim, int64_t whole) const {
    return std::all_of(samples_.begin(), samples_.end(), [&](const Sample& s) {
      return whole % s.where.dim(dim) == 0;
    });
  }

  ExpressionPtr Build(const Sum& shape, const Factors& factors,
                      int64_t whole) const {
    ExpressionPtr sum;
    int64_t add = 0;
    for (size_t i = 0; i < shape.size(); ++i) {
      if (shape[i].empty()) add = factors[i];
      if (factors[i] == 0 || shape[i].empty()) continue;
      ExpressionPtr product;
      for (const Factor& f : shape[i]) {
        ExpressionPtr e = f.Build(whole, IsDivided(f.dim, whole));
        product = product == nullptr ? e : Combine(Op::kMultiply, product, e);
      }
      product = AffineExpression(factors[i], product, 0);
      sum = sum == nullptr ? product : Combine(Op::kAdd, sum, product);
    }
    return sum == nullptr ? ConstantExpression(add)
                          : AffineExpression(1, sum, add);
  }

  Samples samples_;
  std::vector<Sample> probes_;
  std::vector<Sum> shapes_;
  // Of the shape at hand: the samples to look at, and where values change.
  std::vector<const Sample*> looked_at_;
  std::set<Step> steps_;
};

}  // namespace

ExpressionPtr FindBlocks(Samples samples, const std::vector<Sample>& probes,
                         const SearchSpace& space) {
  return BlocksFinder(samples, probes, space).Find();
}

}  // namespace ranksight::online_model
