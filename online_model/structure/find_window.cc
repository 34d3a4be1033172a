#include "online_model/structure/find_window.h"

#include <map>
#include <utility>
#include <vector>

#include "online_model/structure/find_affine.h"

namespace ranksight::online_model {
namespace {

using Samples = std::span<const Sample>;
using Op = Expression::Op;

// On one rank.
struct Window {
  Context where;
  int64_t first = 0, apart = 0, count = 0, last = 0;
};

// False where the iteration does not belong to the window.
bool Take(int64_t place, Window* window) {
  if (window->count == 0) window->first = place;
  if (window->count == 1) window->apart = place - window->last;
  if (window->count > 1 && place - window->last != window->apart) return false;
  window->last = place;
  ++window->count;
  return true;
}

std::vector<Window> WindowsOf(Samples samples) {
  std::map<std::pair<const Grid*, int64_t>, std::map<int64_t, int64_t>> ranks;
  for (const Sample& s : samples) {
    if (s.value != 0 && s.value != 1) return {};
    auto& places = ranks[{s.where.grid, s.where.rank}];
    const auto [at, added] = places.emplace(s.where.position, s.value);
    if (!added && at->second != s.value) return {};
  }
  std::vector<Window> windows;
  for (const auto& [of, places] : ranks) {
    Window window{Context(*of.first, of.second)};
    for (const auto& [place, value] : places) {
      if (value == 1 && !Take(place, &window)) return {};
    }
    windows.push_back(window);
  }
  return windows;
}

// The law of one of a window's numbers, on the ranks that show it: those with
// so many iterations.
ExpressionPtr LawOf(const std::vector<Window>& windows, int64_t Window::*number,
                    int64_t shown_by, SearchSpace space) {
  std::vector<Sample> samples;
  for (const Window& w : windows) {
    if (w.count >= shown_by) samples.push_back({w.where, w.*number});
  }
  if (samples.empty()) return nullptr;
  space.array = space.counts = false;
  const auto law = FindScalarLaw(samples, space);
  return law ? ExpressionOf(*law) : nullptr;
}

}  // namespace

ExpressionPtr FindWindow(Samples samples, const SearchSpace& space) {
  const std::vector<Window> windows = WindowsOf(samples);
  if (windows.empty()) return nullptr;
  const ExpressionPtr count = LawOf(windows, &Window::count, 0, space);
  if (count == nullptr) return nullptr;
  const ExpressionPtr first = LawOf(windows, &Window::first, 1, space);
  if (first == nullptr) return nullptr;
  const ExpressionPtr apart = LawOf(windows, &Window::apart, 2, space);
  if (apart == nullptr) return nullptr;
  const ExpressionPtr place = FeatureExpression(Feature::Kind::kPosition);
  const ExpressionPtr none = ConstantExpression(0);
  const ExpressionPtr since = Combine(Op::kSubtract, place, first);
  const ExpressionPtr end = Combine(Op::kMultiply, apart, count);
  const ExpressionPtr turn =
      apart->op == Op::kConstant && apart->value == 1
          ? ConstantExpression(1)
          : Combine(Op::kEqual, Combine(Op::kRemainder, since, apart), none);
  ExpressionPtr law = SelectExpression(
      Combine(Op::kLess, place, first), none,
      SelectExpression(Combine(Op::kLess, since, end), turn, none));
  return Gives(*law, samples) ? law : nullptr;
}

}  // namespace ranksight::online_model
