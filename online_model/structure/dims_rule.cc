#include "online_model/structure/dims_rule.h"

#include <algorithm>
#include <cmath>

#include "online_model/structure/grid.h"

namespace ranksight::online_model {
namespace {

struct BestShape {
  std::vector<int64_t> dims;

  // Smaller spread first, then the larger tail.
  bool Beats(const std::vector<int64_t>& shape) const {
    if (dims.empty()) return false;
    const int64_t mine = dims.front() - dims.back();
    const int64_t other = shape.front() - shape.back();
    if (mine != other) return mine < other;
    return !std::lexicographical_compare(dims.rbegin(), dims.rend(),
                                         shape.rbegin(), shape.rend());
  }
};

void Search(int64_t rest, int left, const std::vector<int64_t>& divisors,
            std::vector<int64_t>* shape, BestShape* best) {
  const int64_t limit = shape->empty() ? rest : shape->back();
  if (left == 1) {
    if (rest > limit) return;
    shape->push_back(rest);
    if (!best->Beats(*shape)) best->dims = *shape;
    shape->pop_back();
    return;
  }
  for (const int64_t d : divisors) {
    if (d > limit || rest % d != 0) continue;
    if (std::pow(double(d), left) < double(rest) * (1 - 1e-9)) continue;
    shape->push_back(d);
    Search(rest / d, left - 1, divisors, shape, best);
    shape->pop_back();
  }
}

std::optional<int64_t> ExactRoot(int64_t n, int power) {
  const int64_t guess = std::llround(std::pow(double(n), 1.0 / power));
  int64_t product = 1;
  for (int i = 0; i < power; ++i) product *= guess;
  if (product != n) return std::nullopt;
  return guess;
}

// Compares what both add up to: 1/n of the mesh's points times that is the
// surface of a block.
double SurfaceOf(const std::vector<int64_t>& dims,
                 const std::vector<int64_t>& mesh) {
  double sum = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    sum += double(dims[d]) / double(mesh[d]);
  }
  return sum;
}

// Calls f for each way to cut n among `left` more sides, the first one shortest
// first.
template <class F>
void ForEachShape(int64_t n, size_t left, const std::vector<int64_t>& divisors,
                  std::vector<int64_t>* shape, const F& f) {
  if (left == 1) {
    shape->push_back(n);
    f(*shape);
    shape->pop_back();
    return;
  }
  for (const int64_t d : divisors) {
    if (d > n || n % d != 0) continue;
    shape->push_back(d);
    ForEachShape(n / d, left - 1, divisors, shape, f);
    shape->pop_back();
  }
}

std::vector<int64_t> DivisorsOf(int64_t n) {
  std::vector<int64_t> divisors;
  for (int64_t d = 1; d * d <= n; ++d) {
    if (n % d != 0) continue;
    divisors.push_back(d);
    if (d * d != n) divisors.push_back(n / d);
  }
  std::sort(divisors.begin(), divisors.end());
  return divisors;
}

// Of the largest block, in points.
double BlockSurfaceOf(const std::vector<int64_t>& dims,
                      const std::vector<int64_t>& mesh) {
  double sum = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    double across = 1;
    for (size_t e = 0; e < dims.size(); ++e) {
      if (e != d) across *= double((mesh[e] + dims[e] - 1) / dims[e]);
    }
    sum += across;
  }
  return sum;
}

// surface(dims, mesh) gives what is to be least.
template <class F>
std::vector<int64_t> LeastSurface(int64_t n, const std::vector<int64_t>& mesh,
                                  bool long_first, const F& surface) {
  const std::vector<int64_t> divisors = DivisorsOf(n);
  // Sums of equal value may differ in the last bits.
  constexpr double kSame = 1e-9;
  std::vector<int64_t> best, shape;
  double least = 0;
  ForEachShape(n, mesh.size(), divisors, &shape,
               [&](const std::vector<int64_t>& tried) {
                 const double here = surface(tried, mesh);
                 const double by = here - least;
                 const bool same = std::abs(by) <= kSame * here;
                 if (!best.empty() && (same ? !long_first : by > 0)) return;
                 best = tried;
                 least = here;
               });
  return best;
}

// Ascending.
std::vector<int64_t> PrimesOf(int64_t n) {
  std::vector<int64_t> primes;
  for (int64_t p = 2; p * p <= n; ++p) {
    for (; n % p == 0; n /= p) primes.push_back(p);
  }
  if (n > 1) primes.push_back(n);
  return primes;
}

std::vector<int64_t> Halves(int64_t n, const std::vector<int64_t>& mesh,
                            bool last_first) {
  std::vector<int64_t> dims(mesh.size(), 1);
  const std::vector<int64_t> primes = PrimesOf(n);
  for (auto prime = primes.rbegin(); prime != primes.rend(); ++prime) {
    size_t longest = 0;
    for (size_t d = 1; d < dims.size(); ++d) {
      const auto here = __int128(mesh[d]) * dims[longest];
      const auto there = __int128(mesh[longest]) * dims[d];
      if (here > there || (last_first && here == there)) longest = d;
    }
    dims[longest] *= *prime;
  }
  return dims;
}

std::string OrderText(RankOrder order) {
  switch (order) {
    case RankOrder::kRows:
      break;
    case RankOrder::kBackAndForth:
      return ", ranks back and forth";
    case RankOrder::kMorton:
      return ", ranks in Morton order";
  }
  return "";
}

// As "2x2xN/4".
std::string OneFreeText(const std::vector<int64_t>& constants) {
  int64_t taken = 1;
  for (const int64_t side : constants) taken *= std::max<int64_t>(side, 1);
  std::string text;
  for (const int64_t side : constants) {
    text += (text.empty() ? "" : "x") +
            (side > 0 ? std::to_string(side) : "N/" + std::to_string(taken));
  }
  return text;
}

std::string GivenText(const std::map<int64_t, std::vector<int64_t>>& given) {
  std::string text;
  for (const auto& [ranks, dims] : given) {
    text += (text.empty() ? "" : ", ") + DimsText(dims) + " of " +
            std::to_string(ranks);
  }
  return text;
}

}  // namespace

std::vector<std::vector<int64_t>> ShapesOf(int64_t n, int ndims) {
  std::vector<std::vector<int64_t>> shapes;
  std::vector<int64_t> shape;
  ForEachShape(n, size_t(ndims), DivisorsOf(n), &shape,
               [&](const std::vector<int64_t>& s) { shapes.push_back(s); });
  return shapes;
}

std::vector<int64_t> DimsCreate(int64_t n, int ndims) {
  BestShape best;
  std::vector<int64_t> shape;
  Search(n, ndims, DivisorsOf(n), &shape, &best);
  return best.dims;
}

std::optional<std::vector<int64_t>> DimsRule::DimsFor(int64_t n) const {
  if (n < 1) return std::nullopt;
  std::vector<int64_t> dims;
  switch (kind) {
    case Kind::kLine:
      return std::vector<int64_t>{n};
    case Kind::kEqual: {
      const std::optional<int64_t> side = ExactRoot(n, ndims);
      if (!side) return std::nullopt;
      return std::vector<int64_t>(size_t(ndims), *side);
    }
    case Kind::kBalanced:
      dims = DimsCreate(n, ndims);
      break;
    case Kind::kFixed:
      if (n % fixed != 0) return std::nullopt;
      dims = {n / fixed, fixed};
      break;
    case Kind::kOneFree: {
      int64_t taken = 1;
      for (const int64_t side : constants) taken *= std::max<int64_t>(side, 1);
      if (n % taken != 0) return std::nullopt;
      dims = constants;
      std::replace(dims.begin(), dims.end(), int64_t{0}, n / taken);
      return dims;
    }
    case Kind::kGiven: {
      const auto it = given.find(n);
      if (it == given.end()) return std::nullopt;
      return it->second;
    }
    case Kind::kLeastSurface:
      return LeastSurface(n, mesh, reversed, SurfaceOf);
    case Kind::kLeastBlockSurface:
      return LeastSurface(n, mesh, reversed, BlockSurfaceOf);
    case Kind::kHalves:
      return Halves(n, mesh, reversed);
  }
  if (reversed) std::reverse(dims.begin(), dims.end());
  return dims;
}

bool IsOrdered(const std::vector<int64_t>& dims, RankOrder order) {
  return order != RankOrder::kMorton ||
         std::all_of(dims.begin(), dims.end(), IsPowerOfTwo);
}

std::optional<Grid> DimsRule::GridFor(int64_t n) const {
  auto dims = DimsFor(n);
  if (!dims || !IsOrdered(*dims, order)) return std::nullopt;
  return Grid{std::move(*dims), order};
}

std::string DimsRule::ToString() const {
  return ShapeText() + OrderText(order);
}

std::string DimsRule::ShapeText() const {
  const std::string shape = std::to_string(ndims) + "-D";
  switch (kind) {
    case Kind::kLine:
      return "1-D line of all ranks";
    case Kind::kEqual:
      return shape + " grid with equal sides";
    case Kind::kBalanced:
      return shape + " grid by MPI_Dims_create" +
             (reversed ? ", smallest first" : "");
    case Kind::kFixed:
      return "2-D grid with one side of " + std::to_string(fixed) +
             (reversed ? ", first" : ", last");
    case Kind::kOneFree:
      return shape + " grid of " + OneFreeText(constants);
    case Kind::kGiven:
      return shape + " grid by no rule that is known, " + GivenText(given);
    case Kind::kLeastSurface:
      return shape + " grid with the least surface of a mesh of " +
             DimsText(mesh);
    case Kind::kLeastBlockSurface:
      return shape + " grid with the least surface of blocks of a mesh of " +
             DimsText(mesh);
    case Kind::kHalves:
      return shape + " grid by halves of the longest side of a mesh of " +
             DimsText(mesh);
  }
  return shape;
}

std::vector<int64_t> NearbySizes(const DimsRule& rule, int64_t n, int count) {
  std::vector<int64_t> found;
  // Twice the distance between neighbouring fourth powers near 10^4.
  const int64_t reach = std::min<int64_t>(1'000'000, 4 * std::abs(n) + 64);
  for (int64_t step = 0; step <= reach; ++step) {
    if (int(found.size()) >= count) break;
    if (rule.GridFor(n - step)) found.push_back(n - step);
    if (step > 0 && rule.GridFor(n + step)) found.push_back(n + step);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace ranksight::online_model
